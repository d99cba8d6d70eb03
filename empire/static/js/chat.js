// The chat next to the board: unfolded on a wide page if there is room or something new, folded on a phone, where the
// link in the status line leads to its page. New messages are appended to the others as soon as they are sent, here and
// on the page of the chat, so that a message being written, its place and the scroll position stay. The requests are
// hidden from the scripts of the table, which would take them for steps of the game.

const panel = document.getElementById("chat-panel");
const part = () => document.getElementById("chat");
const list = () => part().querySelector(".chat-messages");
const address = (panel ?? part())?.dataset.chat; // a table opened by a key, an earlier position or a lesson has no chat
const wide = matchMedia("(width >= 80rem)");
const roomy = matchMedia("(width >= 120rem)"); // with less, the map would be small
const OFTEN = 60_000; // milliseconds between looks for messages that the stream has missed
const CHOICE = "chat"; // key in the browser's storage: whether the reader wants it unfolded on a wide page
const NEAR = 40; // pixels from the end of the list that still count as its end

const isShown = () => (!panel || panel.open) && document.visibilityState === "visible";

function toTheEnd() {
  list()?.scrollTo(0, list().scrollHeight);
}

let newest = 0; // id of the last message that the stream has announced
let isLoading = false;

/** Load the chat; later only the messages that it lacks. */
async function load() {
  if (isLoading) return;
  if (!isShown()) return count();
  isLoading = true;
  const wanted = newest;
  try {
    if (!part().dataset.last) await htmx.ajax("GET", address, { target: "#chat", swap: "outerHTML", source: panel });
    else if (!list()) await htmx.ajax("GET", address, { target: "#chat-log", select: "#chat-log > *", swap: "innerHTML", source: part() });
    else await append();
  } catch {
    // the server is unreachable now; the next look is in a minute
  } finally {
    isLoading = false;
  }
  if (newest > wanted) load(); // announced while this was loading
}

async function append() {
  const answer = await fetch(`${address}?after=${part().dataset.last}`, { cache: "no-store" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const isAtTheEnd = list().scrollHeight - list().scrollTop - list().clientHeight < NEAR;
  for (const line of page.querySelectorAll("li.chat-message")) {
    const id = Number(line.id.replace("message-", ""));
    if (document.getElementById(line.id)) continue; // the reader's own, which has come with its answer
    list().append(line);
    htmx.process(line);
    part().dataset.last = Math.max(id, part().dataset.last);
  }
  if (isAtTheEnd) toTheEnd();
}

/** Show next to the link how many messages are unread, without marking them as read. */
async function count() {
  const link = document.querySelector("#table a#chat-link");
  if (!link || document.visibilityState !== "visible" || !newest) return;
  newest = 0;
  try {
    const answer = await fetch(`${address}?count`, { cache: "no-store" });
    if (answer.status !== 200) return;
    link.querySelector(".unread")?.remove();
    link.insertAdjacentHTML("beforeend", await answer.text());
  } catch {
    // the next message counts this one too
  }
}

function noteMessage(last) {
  newest = last;
  if (last > Number(part().dataset.last ?? 0)) load();
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

// An answer replaces the whole chat: what is typed in its other forms stays, and the focus does not leave it. htmx gives the
// focus back to elements with an id.

let left = null;

function keep({ detail }) {
  const sent = detail.requestConfig.elt.closest("form");
  const others = [...part().querySelectorAll("textarea")].filter(({ form }) => form !== sent);
  left = { typed: others.map(({ id, value }) => [id, value]), hasFocus: part().contains(document.activeElement) };
}

function giveBack() {
  if (!left) return;
  for (const [id, value] of left.typed) {
    const field = document.getElementById(id);
    if (!field || field.value === value) continue;
    field.value = value;
    field.closest("details")?.setAttribute("open", "");
  }
  if (left.hasFocus && document.activeElement === document.body) list()?.focus({ preventScroll: true });
  left = null;
}

part()?.parentElement.addEventListener("htmx:beforeSwap", keep);
part()?.parentElement.addEventListener("htmx:afterSettle", giveBack);

function begin() {
  panel.hidden = false;
  for (const name of ["beforeRequest", "beforeSwap", "afterSwap", "afterSettle"]) {
    panel.addEventListener(`htmx:${name}`, (event) => event.stopPropagation());
  }
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
  panel.addEventListener("htmx:afterSettle", () => {
    toTheEnd();
    write();
  });
  document.addEventListener("click", (event) => {
    if (!wide.matches || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest?.("#table a#chat-link")) return;
    event.preventDefault();
    unfold();
  });
  document.addEventListener("table:chat", ({ detail }) => noteMessage(detail.last));
}

/** On the page of the chat: its own stream, which the browser opens again after an error. */
function listen() {
  const { live } = part().dataset;
  let stream = null;
  const open = () => {
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(live);
    stream.addEventListener("chat", (event) => noteMessage(Number(event.data)));
  };
  open();
  document.addEventListener("visibilitychange", () => isShown() && open());
  document.addEventListener("htmx:afterSettle", toTheEnd);
  toTheEnd();
}

if (panel) begin();
else if (address) listen();
if (address) {
  document.addEventListener("visibilitychange", load);
  setInterval(load, OFTEN);
}
