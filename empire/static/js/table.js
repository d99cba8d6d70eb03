// Comforts of the table: the page works without them. Taps on the map, its size, arrow keys in the history, news by the live stream.

const table = () => document.getElementById("table");
const board = () => document.querySelector(".map-window");

// One thing at a time: what is tapped while an answer is under way is done on the table that the answer brings

let isUnderWay = false;
const taps = [];

document.addEventListener(
  "click",
  (event) => {
    const control = isUnderWay && event.target.closest?.("#table :is(a, button):is([id], [data-of])");
    if (!control) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    taps.push(control.id || `tap-${control.dataset.of}`);
  },
  true,
);

function goOn() {
  isUnderWay = false;
  const next = document.getElementById(taps.shift());
  if (next) next.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  else taps.length = 0;
}

document.addEventListener("htmx:beforeRequest", () => (isUnderWay = true));
for (const end of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  document.addEventListener(end, goOn);
}

// A tap on the map: the link in the picture works by itself; here it is answered without leaving the page

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".map-sheet a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { action } = link.dataset;
  if (!action) return htmx.ajax("GET", link.getAttribute("href"), swap(link));
  const { step, seq } = link.closest(".map-sheet").dataset;
  htmx.ajax("POST", step, { ...swap(link), values: { action, seq } });
});

const swap = (source) => ({ target: "#table", swap: "outerHTML", source });

// The size of the map: kept while the page is open, whatever is swapped

const STEP = 1.4;
const LARGEST = 4;
let zoom = 1;

function show() {
  board()?.style.setProperty("--zoom", zoom.toFixed(3));
  board()?.parentElement.classList.toggle("zoomed", zoom > 1);
  for (const tools of document.querySelectorAll(".map-tools")) tools.hidden = false;
}

function resize(to, window) {
  const centre = { x: (window.scrollLeft + window.clientWidth / 2) / zoom, y: (window.scrollTop + window.clientHeight / 2) / zoom };
  zoom = Math.min(LARGEST, Math.max(1, to));
  show();
  window.scrollTo(centre.x * zoom - window.clientWidth / 2, centre.y * zoom - window.clientHeight / 2);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-zoom]");
  if (!button) return;
  resize({ in: zoom * STEP, out: zoom / STEP, fit: 1 }[button.dataset.zoom], board());
});

// What a swap would lose: where the map was scrolled to, which parts were open, where the keyboard was

let kept = null;

document.addEventListener("htmx:beforeSwap", () => {
  const window = board();
  kept = {
    left: window?.scrollLeft ?? 0,
    top: window?.scrollTop ?? 0,
    open: new Map([...document.querySelectorAll("#table details[id]")].map((part) => [part.id, part.open])),
    focus: document.activeElement?.id,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  announce();
  if (!kept) return;
  for (const [id, open] of kept.open) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
  show();
  board()?.scrollTo(kept.left, kept.top);
  const next = kept.focus && (document.getElementById(kept.focus) ?? document.getElementById("hand"));
  if (next && next !== document.activeElement) next.focus({ preventScroll: true });
  kept = null;
});

document.addEventListener("htmx:afterSettle", show); // htmx has put the classes back by now

// Escape lets a chosen region go, arrow keys step through the history

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.getElementById("let-go")?.click();
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, .map-window")) return;
  const id = { ArrowLeft: "go-prev", ArrowRight: "go-next", Home: "go-first", End: "go-last" }[event.key];
  const link = id && document.getElementById(id);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// What stands outside the part that is swapped: the sentence for screen readers, how many games wait

function announce() {
  const { said, waiting } = table().dataset;
  document.getElementById("said").textContent = said;
  const count = document.getElementById("waiting-count");
  if (!count) return;
  count.textContent = waiting;
  count.hidden = waiting === "0";
}

// News: the page is drawn anew, unless its reader has something laid out or half filled in

function refresh() {
  const picked = [...table().querySelectorAll(".bid :checked")].some((choice) => !choice.defaultChecked);
  const busy = "draft" in table().dataset || picked;
  if (busy) document.getElementById("overtaken").hidden = false;
  else htmx.ajax("GET", location.pathname, swap(table()));
}

const address = table()?.dataset.live;
if (address) {
  new EventSource(address).addEventListener("game", (event) => {
    const version = Number(event.data.split(" ")[1]);
    if (version > Number(table().dataset.version)) refresh();
  });
}

show();
