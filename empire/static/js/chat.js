// The chat next to the board: unfolded on a wide page if there is room or something new, folded on a phone, where the
// link in the status line leads to its page. Its requests are hidden from the scripts of the table, which would take
// them for steps of the game.

const panel = document.getElementById("talk-panel");
const wide = matchMedia("(width >= 80rem)");
const roomy = matchMedia("(width >= 100rem)");
const OFTEN = 60_000; // between looks for new messages, while the panel is unfolded and the page visible
const CHOICE = "chat"; // in the browser's storage: whether the reader wants it unfolded on a wide page

const list = () => panel.querySelector(".said");

function toTheEnd() {
  list()?.scrollTo(0, list().scrollHeight);
}

let isLoading = false;

/** Load the chat; later only its messages, so that one that is being written stays. */
async function load() {
  if (isLoading || !panel.open || document.visibilityState !== "visible") return;
  isLoading = true;
  const part = panel.querySelector("#heard") ? { target: "#heard", select: "#heard > *", swap: "innerHTML" } : { target: "#chat", swap: "outerHTML" };
  try {
    await htmx.ajax("GET", panel.dataset.chat, { ...part, source: panel });
  } finally {
    isLoading = false;
  }
}

let isAwaited = false; // the reader has asked for the chat, which is still loading

function unfold() {
  panel.open = true;
  panel.querySelector("summary").focus();
  panel.scrollIntoView({ block: "nearest" });
  isAwaited = true;
  write();
}

/** Begin a message, as soon as there is a place for it. */
function write() {
  const message = isAwaited && panel.querySelector("textarea[name=text]");
  if (!message) return;
  isAwaited = false;
  message.focus({ preventScroll: true });
}

function begin() {
  panel.hidden = false;
  let chosen = null;
  try {
    chosen = localStorage.getItem(CHOICE);
  } catch {
    // storage is off
  }
  panel.open = wide.matches && (chosen ? chosen === "open" : roomy.matches || panel.dataset.new !== "0");
  if (panel.open) load();
  panel.addEventListener("toggle", load);
  panel.querySelector("summary").addEventListener("click", () => {
    try {
      if (wide.matches) localStorage.setItem(CHOICE, panel.open ? "folded" : "open");
    } catch {
      // storage is off
    }
  });
  for (const name of ["beforeRequest", "beforeSwap", "afterSwap", "afterSettle"]) {
    panel.addEventListener(`htmx:${name}`, (event) => event.stopPropagation());
  }
  panel.addEventListener("htmx:afterSettle", () => {
    toTheEnd();
    write();
  });
  document.addEventListener("click", (event) => {
    if (!wide.matches || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest?.("#table a#talk")) return;
    event.preventDefault();
    unfold();
  });
  document.addEventListener("table:news", load);
  document.addEventListener("visibilitychange", load);
  setInterval(load, OFTEN);
}

if (panel) begin();
