// Enhancements of the table, which also works without them: taps on the map, zoom, keys, and news from live.js.

const table = () => document.getElementById("table");
const board = () => document.querySelector(".map-window");

// One request at a time: taps during a request are queued and run on the table that it returns

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

function goOn({ type }) {
  if (type !== "htmx:afterSettle") taps.length = 0; // they were meant for a table that has not come
  isUnderWay = !document.dispatchEvent(new CustomEvent("table:free", { cancelable: true })); // steps.js may send more
  if (isUnderWay) return;
  const next = document.getElementById(taps.shift());
  if (next) next.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  else taps.length = 0;
  catchUp();
}

document.addEventListener("htmx:beforeRequest", () => (isUnderWay = true));
for (const end of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  document.addEventListener(end, goOn);
}

// The answer to a step holds only what changed: each child with an id replaces the one here, or goes after the part before
// it. What is marked as kept stays; parts of a turn that the answer does not have are gone.

const OF_A_TURN = ["hand", "moves", "finds", "row"];

htmx.defineExtension("parts", {
  handleSwap(style, target, fragment, settling) {
    const answer = fragment.querySelector("#table");
    if (style !== "parts" || !answer) return false;
    const top = board()?.getBoundingClientRect().top;
    const hasTaken = target.classList.contains("table-take");
    for (const kept of answer.querySelectorAll("[data-kept]")) {
      const here = document.getElementById(kept.id);
      if (here) kept.replaceWith(here);
      else kept.remove();
    }
    const parts = [...answer.querySelectorAll(":scope > [id], :scope > svg > [id]")];
    for (const id of OF_A_TURN) if (!parts.some((part) => part.id === id)) document.getElementById(id)?.remove();
    for (const old of document.querySelectorAll("#board .marking, #film, #film-play, .film-place")) old.remove();
    const marking = answer.querySelector(".marking");
    if (marking) board().after(marking);
    let before = null;
    for (const part of parts) {
      const here = document.getElementById(part.id);
      if (here) here.replaceWith(part);
      else if (before) before.after(part);
      else document.getElementById("board").before(part);
      if (!part.ownerSVGElement) before = part;
    }
    for (const [name, value] of Object.entries(answer.dataset)) target.dataset[name] = value;
    if (!("draft" in answer.dataset)) delete target.dataset.draft;
    target.classList.replace([...target.classList].find((name) => name.startsWith("table-")), answer.classList[1]);
    target.querySelector("h1").textContent = answer.dataset.headline;
    if (hasTaken) document.getElementById("board").scrollIntoView({ block: "start", behavior: "instant" });
    else window.scrollBy({ top: board().getBoundingClientRect().top - top, behavior: "instant" });
    settling.elts.push(target);
    return marking ? [...parts, marking] : parts;
  },
});

// A tap on the map: the link in the picture works without scripts; here it is handled without leaving the page

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

// The zoom of the map, kept across swaps while the page is open

const STEP = 1.4;
const LARGEST = 4;
let zoom = 1;

function show() {
  board()?.style.setProperty("--zoom", zoom.toFixed(3));
  board()?.parentElement.classList.toggle("zoomed", zoom > 1);
  for (const tools of document.querySelectorAll(".map-tools")) tools.hidden = false;
  document.getElementById("steps")?.scrollTo(9999, 0); // show the last step
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

// Keep what a swap would lose: scroll position of the map, open details, and focus

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

/** Return the part at the top of the viewport and its position, so that news above it do not shift it. */
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

document.addEventListener("htmx:afterSettle", show); // htmx has restored the classes by now

// Arrow keys step through the history, Escape returns to now or deselects a region, C toggles highlights, U undoes a step,
// and ? shows the list of keys

const KEYS = { u: ["undo"], U: ["undo"], "?": ["show-keys"], ArrowLeft: ["go-prev"], ArrowRight: ["go-next"], Home: ["go-first"], End: ["go-last"], Escape: ["let-go", "go-now"], c: ["marks"], C: ["marks"] };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("input, .map-window")) return;
  const link = (KEYS[event.key] ?? []).map((id) => document.getElementById(id)).find(Boolean);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#show-keys")) document.getElementById("keys").showModal();
});

// Update what is outside the swapped part: the title, the screen reader text and the number of waiting games

function announce() {
  const { said, title, waiting } = table().dataset;
  document.title = title;
  document.getElementById("said").textContent = said;
  const count = document.getElementById("waiting-count");
  if (!count) return;
  count.textContent = waiting;
  count.hidden = waiting === "0";
}

// News from live.js: refresh the page, unless the reader has a draft or a half-filled form. Pages of the history are not
// refreshed until the reader leaves them.

const RETRY = 10_000;
let latest = 0; // the newest known version, which may arrive before the response to a submission
let isRefreshing = false;
let notBefore = 0; // after a response that failed or was not newer

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
const LASTING = ["since", "log"]; // query parameters that apply to the whole page

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
