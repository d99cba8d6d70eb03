// Comforts of the table: the page works without them. Taps on the map, its size, keys, news that live.js hears of.

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
  catchUp();
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
  const { step, seq, head } = link.closest(".map-sheet").dataset;
  htmx.ajax("POST", step, { ...swap(link), values: { action, seq, head } });
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
  document.getElementById("steps")?.scrollTo(9999, 0); // the last step is the one to see
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
    sight: isRefreshing || table().querySelector(".replay") ? inSight() : null,
  };
});

/** The part of the page that stands at its upper edge, and where: news above it must not push it away. */
function inSight() {
  const part = [...table().querySelectorAll(":scope > [id], :scope > div > [id]")].find((one) => one.getBoundingClientRect().bottom > 0);
  return window.scrollY && part ? { id: part.id, top: part.getBoundingClientRect().top } : null;
}

document.addEventListener("htmx:afterSwap", () => {
  announce();
  if (!kept) return;
  for (const [id, open] of kept.open) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
  show();
  board()?.scrollTo(kept.left, kept.top);
  const part = document.getElementById(kept.sight?.id);
  if (part) window.scrollBy({ top: part.getBoundingClientRect().top - kept.sight.top, behavior: "instant" });
  const next = kept.focus && (document.getElementById(kept.focus) ?? document.querySelector("#hand, #table h1"));
  if (next && next !== document.activeElement) next.focus({ preventScroll: true });
  kept = null;
});

document.addEventListener("htmx:afterSettle", show); // htmx has put the classes back by now

// Arrow keys step through the history, Escape leads back to now or lets a chosen region go, C hides marks and shows them

const KEYS = { ArrowLeft: ["go-prev"], ArrowRight: ["go-next"], Home: ["go-first"], End: ["go-last"], Escape: ["let-go", "go-now"], c: ["marks"], C: ["marks"] };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("input, .map-window")) return;
  const link = (KEYS[event.key] ?? []).map((id) => document.getElementById(id)).find(Boolean);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// What stands outside the part that is swapped: the sentence for screen readers, how many games wait

function announce() {
  const { said, title, waiting } = table().dataset;
  document.title = title;
  document.getElementById("said").textContent = said;
  const count = document.getElementById("waiting-count");
  if (!count) return;
  count.textContent = waiting;
  count.hidden = waiting === "0";
}

// News, of which live.js tells: the page is drawn anew, unless its reader has something laid out or half filled in.
// What happened long ago stays as it was, so a page of the history waits until its reader comes back from there.

const RETRY = 10_000;
let latest = 0; // the newest version that there is news of; it may have come before the answer to what was handed in
let isRefreshing = false;
let notBefore = 0; // after an answer that did not come, or was no newer

function isBusy() {
  const chosen = [...table().querySelectorAll(".bid :checked")].some((choice) => !choice.defaultChecked);
  return "draft" in table().dataset || chosen || Boolean(table().querySelector(".k-play :checked"));
}

function catchUp() {
  if (isUnderWay || isRefreshing || "past" in table().dataset || !isBehind()) return;
  if (isBusy()) document.getElementById("overtaken").hidden = false;
  else if (Date.now() >= notBefore) refresh();
}

const isBehind = () => latest > Number(table().dataset.version);
const LASTING = ["since", "log"]; // what an address says of the page as a whole

function refresh() {
  isRefreshing = true;
  const kept = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => LASTING.includes(name)));
  htmx.ajax("GET", kept.size ? `${location.pathname}?${kept}` : location.pathname, swap(table())).then(refreshed, refreshed);
}

function refreshed() {
  isRefreshing = false;
  if (!isBehind()) return;
  notBefore = Date.now() + RETRY;
  setTimeout(catchUp, RETRY);
}

document.addEventListener("table:news", ({ detail }) => {
  latest = Math.max(latest, detail.version);
  notBefore = 0;
  catchUp();
});

show();
