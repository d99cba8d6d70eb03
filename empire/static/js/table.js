// Enhancements of the table, which also works without them: taps on the map, zoom, keys, and news from live.js.

const table = () => document.getElementById("table");
const board = () => document.querySelector(".map-window");

// One request at a time: taps during a request are queued and run on the table that it returns, if that asks for the same
// decision. A tap that was meant for one decision must not answer the next, whose controls can have the same names. Only
// cards can be picked while the dock is fetched for other cards. During other requests a new dock would remove the form that
// was sent, and htmx looks there for the extension that puts the answer in its place.

let isUnderWay = false;
let isPicking = false; // the request under way is for the cards that are picked
const taps = [];
const decision = () => ("past" in table().dataset ? "" : document.querySelector("#table [data-seq]")?.dataset.seq);

const CONTROLS = [
  ["#table :is(a, button:enabled):is([id], [data-of])", (control) => `#${CSS.escape(control.id || `tap-${control.dataset.of}`)}`],
  [".k-realm a", (castle) => `.k-realm [data-of="${castle.closest("[data-of]").dataset.of}"] a`],
  [".k-play .k-pick", (card) => `#${CSS.escape(card.querySelector("input").id)}`],
];

/** Return a selector of the table's control that an element belongs to, if any. It finds the control of a new table too. */
function controlOf(element) {
  for (const [which, selectorOf] of CONTROLS) {
    const control = element.closest?.(which);
    if (control) return selectorOf(control);
  }
  return null;
}

const mustWait = (tapped) => isUnderWay && !(isPicking && tapped.closest?.(".k-play .k-pick"));

document.addEventListener(
  "click",
  (event) => {
    const control = mustWait(event.target) && controlOf(event.target);
    if (!control) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    taps.push({ control, meantFor: decision() });
  },
  true,
);

function goOn({ type }) {
  // The taps were meant for a table that has not come: the request failed or was refused, or the answer is a question
  if (type !== "htmx:afterSettle" || document.querySelector("#alert, #sure-words")) taps.length = 0;
  isUnderWay = !document.dispatchEvent(new CustomEvent("table:free", { cancelable: true })); // steps.js may send more
  while (taps.length && !isUnderWay) {
    const { control, meantFor } = taps.shift();
    const next = meantFor === decision() && !table().inert && document.querySelector(control); // inert: a turn waits to be sent
    if (next) next.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    else taps.length = 0;
  }
  if (!isUnderWay) catchUp();
}

// A mouse button that is pressed on a control, and released on the one that has just replaced it, clicks neither of them
// by itself. A finger does not need this: it clicks what is there when it lifts.

let press = null;

document.addEventListener("pointerdown", ({ target, pointerType, button }) => {
  press = pointerType === "mouse" && button === 0 ? { target, control: controlOf(target), meantFor: decision() } : null;
});

document.addEventListener("pointerup", ({ target }) => {
  if (!press?.control || press.target.isConnected) return; // the browser clicks it
  if (controlOf(target) !== press.control || press.meantFor !== decision()) return;
  target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
});

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  isUnderWay = true;
  isPicking = detail.elt.matches(".k-play");
});
for (const end of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  document.addEventListener(end, goOn);
}

// An answer changes only what differs, so that the page neither jumps nor flickers. The answer to a step has only the parts
// that it changes: each child with an id replaces the one here, or goes after the part before it; parts of a turn that are
// missing in the answer are removed. All other answers are whole tables, which are compared with this one. Requests tell
// which map, lines of the log and other parts the page shows. An answer leaves these out, and has
// placeholders with `data-kept` and `data-lines` in their places.

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const land = document.querySelector(".map-sheet")?.dataset.land;
  if (land) detail.headers.Land = land;
  detail.headers.Parts = [...drawnHere().keys()].join(" ");
  detail.headers.Log = document.getElementById("log")?.dataset.state ?? "";
  if (isRefresh(detail)) detail.headers.Refresh = "1"; // a busy server answers people first
});

const drawnHere = () => new Map([...document.querySelectorAll("#table [data-drawn]")].map((part) => [part.dataset.drawn, part]));

const OF_A_TURN = ["hand", "moves", "finds", "row"];
const COMPARED = "#table, .ahead, .status, .status-line, .beside, .map, .map-window, .map-sheet, .pieces, .seats, .players, .records";

htmx.defineExtension("parts", {
  handleSwap(style, target, fragment, settling) {
    if (style !== "parts") return false;
    const answer = fragment.querySelector("#table");
    if (!answer) {
      location.reload(); // another page has come instead of the table
      return [];
    }
    settling.elts.push(target);
    const isStep = "headline" in answer.dataset;
    const hold = isStep && board() ? pinned(board(), ".map-window") : pin(isStep || isSameView(target, answer));
    const drawn = drawnHere();
    for (const run of answer.querySelectorAll("[data-lines]")) run.replaceWith(...linesOf(run).map(notNew));
    for (const kept of answer.querySelectorAll("[data-kept]")) {
      const here = kept.id ? document.getElementById(kept.id) : drawn.get(kept.dataset.kept);
      const copy = here?.cloneNode(true);
      for (const input of copy?.querySelectorAll("input") ?? []) input.checked = input.defaultChecked;
      copy ? kept.replaceWith(copy) : kept.remove();
    }
    const isCardTaken = target.matches(".table-take") && !answer.matches(".table-take, .table-wait");
    const made = isStep ? takeParts(target, answer) : merge(target, answer);
    restore();
    announce(); // the number in the header can change its height
    if (!isCardTaken || isBeside()) holdOn(hold);
    else document.getElementById("board").scrollIntoView({ block: "start", behavior: "instant" });
    return made;
  },
});

/** Return the lines of the log that a placeholder stands for: those with numbers from the oldest to the newest. */
function linesOf(run) {
  const [oldest, newest] = run.dataset.lines.split(" ").map(Number);
  return [...document.querySelectorAll("#log .line")].filter(({ id }) => {
    const seq = Number(id.slice("line-".length));
    return oldest <= seq && seq <= newest;
  });
}

function notNew(line) {
  const copy = line.cloneNode(true);
  copy.classList.remove("new");
  copy.querySelector(".news")?.remove();
  return copy;
}

function takeParts(target, answer) {
  const parts = [...answer.querySelectorAll(":scope > [id], :scope > svg > [id]")];
  for (const id of OF_A_TURN) if (!parts.some((part) => part.id === id)) document.getElementById(id)?.remove();
  for (const old of document.querySelectorAll("#board .marking, #film, #film-later, #film-play, .film-place")) old.remove();
  const marking = answer.querySelector(":scope > .marking");
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
  target.querySelector(".status #alert")?.remove(); // what was refused before this step
  return marking ? [...parts, marking] : parts;
}

const nameOf = (part) => part.id || `${part.localName}.${part.classList[0] ?? ""}`;

/** Make a part of the page equal to the one of an answer. Return the elements that are new. */
function merge(here, there) {
  if (here.isEqualNode(there)) return [];
  if (!here.matches(COMPARED)) {
    here.replaceWith(there);
    return [there];
  }
  for (const { name } of [...here.attributes]) if (!there.hasAttribute(name)) here.removeAttribute(name);
  for (const { name, value } of there.attributes) if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  const made = [];
  const old = [...here.children];
  let before = null;
  for (const part of [...there.children]) {
    const at = old.findIndex((one) => nameOf(one) === nameOf(part));
    const [same] = at < 0 ? [] : old.splice(at, 1);
    if (same) {
      if ((before ? before.nextElementSibling : here.firstElementChild) !== same) before ? before.after(same) : here.prepend(same);
      made.push(...merge(same, part));
    } else {
      before ? before.after(part) : here.prepend(part);
      made.push(part);
    }
    before = before ? before.nextElementSibling : here.firstElementChild;
  }
  for (const gone of old) gone.remove();
  return made;
}

// What the reader looks at stays where it is, whatever comes or goes above it. A page at its top shows what is new there.
// So does one on which the keyboard is at the headline, as after a turn.

const BOARD = ".map-window, .k-board";

/** Whether the parts of the board come in the same order in the answer, or the reader of Kingdoms studies their cards. */
function isSameView(here, answer) {
  const [wasMine, isMine] = [here, answer].map(({ dataset }) => "mine" in dataset);
  if (wasMine) return isMine;
  const isReading = window.scrollY > 0 && !("past" in here.dataset || "past" in answer.dataset) && !answer.querySelector("#result");
  return isReading && (!isMine || lookedAt()?.id === "helper");
}

function pin(isGoingOn) {
  const headline = document.getElementById("headline");
  if (headline?.matches(":focus-visible") && headline.getBoundingClientRect().bottom > 0) return pinned(headline, "#headline");
  const seen = isGoingOn && lookedAt();
  if (seen) return pinned(seen, `#${seen.id}`);
  const play = document.querySelector(BOARD);
  const box = play?.getBoundingClientRect();
  // The board of Kingdoms begins with other parts when someone else is asked, so its place says nothing
  if (play?.matches(".k-board") && box.bottom > 0 && box.top < window.innerHeight) return () => makeRoom(0, 0);
  if (!window.scrollY) return () => {};
  const middle = box ? (box.top + box.bottom) / 2 : -1;
  if (middle > 0 && middle < window.innerHeight) return pinned(play, BOARD);
  // The first part in sight may go, such as the row of cards when one can be taken, so the first that stays is held
  const parts = [...table().querySelectorAll(":scope > [id], :scope > div > [id]")];
  const inSight = parts.filter((part) => !isDocked(part) && part.getBoundingClientRect().bottom > 0);
  inSight.sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
  const holds = inSight.map((part) => [part.id, pinned(part, `#${part.id}`)]);
  const stays = (part) => part && !isDocked(part);
  return () => holds.find(([id]) => stays(document.getElementById(id)))?.[1]();
}

const isDocked = (part) => getComputedStyle(part).position === "fixed";

/** At a table of Kingdoms, which has no map: the part of the board of which most is in sight. */
function lookedAt() {
  const dock = document.getElementById("hand");
  const end = dock?.offsetHeight && isDocked(dock) ? dock.getBoundingClientRect().top : window.innerHeight;
  const room = (part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return Math.min(bottom, end) - Math.max(top, 0);
  };
  const parts = [...document.querySelectorAll(".k-board > [id]:not(form), .k-play > [id]")].filter((part) => room(part) > 0);
  return parts.sort((one, other) => room(other) - room(one))[0];
}

/** Return a function that puts the part back to where it is now. */
function pinned(part, which) {
  const before = part.getBoundingClientRect().top;
  return () => {
    const now = document.querySelector(which);
    if (!now) return;
    const off = () => now.getBoundingClientRect().top - before;
    const scroll = (top) => window.scrollBy({ top, behavior: "instant" });
    makeRoom(0, 0);
    scroll(off());
    const map = now.closest(".map-place > .map");
    if (map && off() >= 1) { // the map is sticky: it goes higher only where the end of its place pushes it
      const [place, box] = [map.parentElement, map].map((part) => part.getBoundingClientRect());
      scroll(place.bottom - box.bottom + off());
    }
    if (Math.abs(off()) < 1) return;
    makeRoom(Math.max(0, -off()), Math.max(0, off()));
    scroll(off());
  };
}

let late = null;

/** Hold, and again if what is new changes its size within a moment, as when a font arrives. */
function holdOn(hold) {
  hold();
  late?.disconnect();
  const observer = new ResizeObserver(() => {
    if (window.scrollY !== at) return observer.disconnect(); // the reader has scrolled
    hold();
    at = window.scrollY;
  });
  let at = window.scrollY;
  for (const part of document.querySelectorAll("#table > .ahead, #table .hand")) observer.observe(part);
  setTimeout(() => observer.disconnect(), 1_500);
  late = observer;
}

// The dock lies over the page, and so do the buttons of a replay on a phone. The page scrolls so that they never cover what
// the keyboard has reached: to their height, which CSS keeps free, and again when they grow.

const DOCKED = "#hand.dock, .replay .history-steps";

const dockWatch = new ResizeObserver(() => {
  const dock = document.querySelector(DOCKED);
  document.documentElement.style.setProperty("--dock", `${dock?.offsetHeight ?? 0}px`);
  const focus = document.activeElement;
  if (!dock || dock.contains(focus) || !table().contains(focus) || !focus.matches(":focus-visible")) return;
  const [over, box] = [dock, focus].map((one) => one.getBoundingClientRect());
  const isCovered = box.top < over.bottom && over.top < box.bottom && box.left < over.right && over.left < box.right;
  if (isCovered) focus.scrollIntoView({ block: "nearest", behavior: "instant" });
});

function watchDock() {
  dockWatch.disconnect();
  for (const part of [document.querySelector(DOCKED), table()]) if (part) dockWatch.observe(part);
}

document.addEventListener("htmx:afterSwap", watchDock);
watchDock();

// Where a page cannot scroll further, room above the map or below the table takes the place of what has gone. The room
// above goes when it is out of sight.
let room = 0;

function makeRoom(above, below) {
  room = above;
  document.documentElement.style.setProperty("--room", `${above}px`);
  document.documentElement.style.setProperty("--room-below", `${below}px`);
}

document.addEventListener("scroll", () => {
  if (!room || window.scrollY < room) return;
  const height = room;
  makeRoom(0, 0);
  window.scrollBy({ top: -height, behavior: "instant" });
}, { passive: true });

/** Whether the map lies next to the dock or the cards. */
function isBeside() {
  return document.getElementById("hand")?.getBoundingClientRect().left >= board().getBoundingClientRect().right;
}

// A tap on the map: the link in the picture works without scripts; here it is handled without leaving the page

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".map-sheet a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { action } = link.dataset;
  const { step, seq, head } = link.closest(".map-sheet").dataset;
  const laid = document.querySelector("#table input[name=laid]")?.value ?? "";
  if (!action) return htmx.ajax("GET", link.getAttribute("href"), { ...swap(link), values: { seq, laid } });
  htmx.ajax("POST", step, { ...swap(link), values: { action, seq, head, laid } });
});

const swap = (source) => ({ target: "#table", swap: "parts", source });

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

function resize(to) {
  const map = board();
  const centre = { x: (map.scrollLeft + map.clientWidth / 2) / zoom, y: (map.scrollTop + map.clientHeight / 2) / zoom };
  zoom = Math.min(LARGEST, Math.max(1, to));
  show();
  map.scrollTo(centre.x * zoom - map.clientWidth / 2, centre.y * zoom - map.clientHeight / 2);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-zoom]");
  if (!button) return;
  resize({ in: zoom * STEP, out: zoom / STEP, fit: 1 }[button.dataset.zoom]);
});

// A map that is larger than its window, as on a phone in landscape, must not hide where the turn can go on

const MARGIN = 24; // pixels of the window's edge in which a region is not seen well

/** Scroll the map to the first marked region if the middle of none of them is in sight. */
function showMarked() {
  const view = board()?.getBoundingClientRect();
  const middles = [...document.querySelectorAll(".map-sheet .target:not(.cancel)")].map((marked) => {
    const { left, top, width, height } = marked.getBoundingClientRect();
    return { x: left + width / 2 - view.left, y: top + height / 2 - view.top };
  });
  const isIn = (at, length) => MARGIN <= at && at <= length - MARGIN;
  if (!middles.length || middles.some(({ x, y }) => isIn(x, view.width) && isIn(y, view.height))) return;
  board().scrollBy({ left: middles[0].x - view.width / 2, top: middles[0].y - view.height / 2, behavior: "instant" });
}

// Keep what a swap would lose: scroll position of the map, open details, and focus

let kept = null;

document.addEventListener("htmx:beforeSwap", () => {
  const map = board();
  const focus = document.activeElement;
  const named = focus?.id || !table().contains(focus) ? focus : focus.closest("[id]");
  kept = {
    left: map?.scrollLeft ?? 0,
    top: map?.scrollTop ?? 0,
    open: new Map([...document.querySelectorAll("#table details[id]")].map((part) => [part.id, part.open])),
    focus: named?.id ? `#${CSS.escape(named.id)}${named === focus ? "" : ` ${focus.localName}`}` : "",
  };
});

function beginsInSight(part) {
  const { top, height } = part.getBoundingClientRect();
  return top >= 0 && top + Math.min(height, 60) <= window.innerHeight;
}

/** Open what was open, and zoom the map: both before the page is scrolled to where it was. */
function restore() {
  for (const [id, open] of kept?.open ?? []) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
  show();
}

document.addEventListener("htmx:afterSwap", () => {
  announce();
  if (!kept) return;
  restore();
  board()?.scrollTo(kept.left, kept.top);
  showMarked();
  const same = kept.focus && document.querySelector(kept.focus);
  const next = kept.focus && (same ?? document.querySelector("#hand:not(.empty)") ?? document.getElementById("headline"));
  if (next && next !== document.activeElement) next.focus({ preventScroll: true });
  // People who use the keyboard continue there, so its beginning must be in sight
  if (next && !same && next.matches(":focus-visible") && !beginsInSight(next)) {
    next.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  kept = null;
});

document.addEventListener("htmx:afterSettle", show); // htmx has restored the classes by now

// Arrow keys step through the history, Escape returns to now or deselects a region, C toggles highlights, U undoes a step,
// and ? shows the list of keys

// Each key clicks the first of these elements that the page has. The list of keys is in table/_keys.html
const KEYS = { u: ["undo"], c: ["marks"], "?": ["show-keys"], ArrowLeft: ["go-prev"], ArrowRight: ["go-next"], Home: ["go-first"], End: ["go-last"], Escape: ["let-go", "go-now"] };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (table().inert) return; // a turn waits to be sent
  if (event.key.length === 1 && !("keys" in table().dataset)) return; // speech input types letters: they are an option
  if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("input, .map-window")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const link = (KEYS[key] ?? []).map((id) => document.getElementById(id)).find(Boolean);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#show-keys")) document.getElementById("keys").showModal();
});

// Going back loads the page again, where the browser would leave the reader at the place of the page that they go back from.
// Each entry of its history keeps its own place. htmx overwrites the entry's state before it loads the page.

document.addEventListener("htmx:beforeHistoryUpdate", () => history.replaceState({ ...history.state, y: window.scrollY }, ""));
window.addEventListener("popstate", ({ state }) => {
  if (state?.y === undefined) return;
  try {
    sessionStorage.setItem("y", state.y);
    history.scrollRestoration = "manual";
  } catch {
    // without storage, the page stays where the other one was
  }
});

try {
  const left = sessionStorage.getItem("y");
  sessionStorage.removeItem("y");
  const goBack = () => window.scrollTo({ top: Number(left), behavior: "instant" });
  if (left !== null) goBack();
  if (left !== null) window.addEventListener("load", goBack, { once: true });
} catch {
  // the same
}
window.addEventListener("load", () => setTimeout(() => (history.scrollRestoration = "auto")), { once: true });

// Update what is outside the swapped part: the title, the screen reader text and the number of waiting games

function announce() {
  const { said, title, waiting } = table().dataset;
  document.title = title;
  document.getElementById("said").textContent = said;
  const count = document.getElementById("waiting-count");
  if (!count || !waiting) return; // an answer that spectators share does not say
  count.textContent = waiting;
  count.hidden = waiting === "0";
}

// News from live.js: refresh the page, unless the reader has a draft or a half-filled form. Pages of the history are not
// refreshed until the reader leaves them.

const RETRY = 10_000;
let latest = 0; // the newest known version, which may arrive before the response to a submission
let isElsewhere = false; // the reader has decided in another tab or on another device, which has no version
let isRefreshing = false;
let notBefore = 0; // after a response that failed or was not newer

function isChoosing() {
  const chosen = [...table().querySelectorAll(".bid :checked")].some((choice) => !choice.defaultChecked);
  return chosen || Boolean(table().querySelector(".k-play :checked"));
}

const isBusy = () => "draft" in table().dataset || isChoosing();

function catchUp() {
  if (isUnderWay || isRefreshing || "past" in table().dataset || !isBehind()) return;
  if (isBusy()) document.getElementById("overtaken").hidden = false;
  else if (Date.now() >= notBefore) refresh();
}

// A turn whose wait is over can be sent while a refresh is under way. Its answer is the newer one, whichever comes first.

let sends = 0; // requests for the whole table
let refreshAfter = 0; // how many there were when the last refresh began

document.addEventListener("htmx:beforeRequest", ({ detail: { target, requestConfig } }) => {
  if (target !== table()) return;
  sends += 1;
  if (isRefresh(requestConfig)) refreshAfter = sends;
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isRefresh(detail.requestConfig) && sends > refreshAfter) detail.shouldSwap = false;
});

const isRefresh = ({ elt, verb }) => elt === table() && verb === "get";

const isBehind = () => isElsewhere || latest > Number(table().dataset.version);
const LASTING = ["since", "log"]; // query parameters that apply to the whole page

function refresh() {
  isRefreshing = true;
  const kept = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => LASTING.includes(name)));
  htmx.ajax("GET", kept.size ? `${location.pathname}?${kept}` : location.pathname, swap(table())).then(refreshed, refreshed);
}

function refreshed() {
  isRefreshing = isElsewhere = false;
  if (!isBehind()) return;
  notBefore = Date.now() + RETRY;
  setTimeout(catchUp, RETRY);
}

// The server draws the time that is left, so a page that was drawn long ago looks again, even without news. The server keeps
// its draft. If steps could not be sent, the page sends them again instead.

const OLD = 10 * 60_000; // milliseconds
let drawn = Date.now();
document.addEventListener("htmx:afterSwap", ({ target }) => target === table() && (drawn = Date.now()));

function lookAgain() {
  const { live, past } = table().dataset; // without `live`, the game is over
  if (document.visibilityState !== "visible" || Date.now() - drawn < OLD || !live || past !== undefined) return;
  if (isUnderWay || isRefreshing || isChoosing() || document.getElementById("let-go")) return;
  drawn = Date.now(); // if the server is away, it waits as long again
  if (document.dispatchEvent(new CustomEvent("table:again", { cancelable: true }))) refresh();
}

document.addEventListener("visibilitychange", lookAgain);
setInterval(lookAgain, 60_000);

document.addEventListener("table:news", ({ detail }) => {
  latest = Math.max(latest, detail.version);
  notBefore = 0;
  catchUp();
});

document.addEventListener("table:elsewhere", () => {
  isElsewhere = true;
  catchUp();
});

show();
showMarked();

// The result uses a font that nothing else on the page needs. It is loaded before, so that the result keeps its size.
window.addEventListener("load", () => document.fonts.load("1rem Alegreya"));
