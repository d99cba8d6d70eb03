// What happened plays on the board: pieces travel, cards fly to their owner, points count up. The page carries the steps
// with finished drawings (#film, see games/boards/eight_minute/film.py); this module moves them and knows no rule.
//
// It plays over the picture that the server drew, which is hidden meanwhile and never changes. When the film ends, by a
// tap, a key, a swap or an error, that picture is shown again.

const SVG = "http://www.w3.org/2000/svg";
const prefersStillness = matchMedia("(prefers-reduced-motion: reduce)");
const plural = new Intl.PluralRules(document.documentElement.lang);
const CARD = 900; // milliseconds for a card
const MOVE = 1_100; // for all other steps of an entry together
const [QUICKEST, SLOWEST] = [160, 600]; // for one of them
const BETWEEN = 350; // between entries
const NOTHING_TO_PLAY = 900; // for an entry of the history without a film
const LEAST_SCALE = 0.72; // of the copy of the realm: its letters have 13 pixels at 1
const CAMERA = 350; // until the window has moved to what happens next
const EASE = "cubic-bezier(.3, 0, .2, 1)";

const table = () => document.getElementById("table");
const byId = (id) => document.getElementById(id);

function readFilm() {
  try {
    return JSON.parse(byId("film").textContent);
  } catch {
    return null; // no film on this page
  }
}

// The stage: a copy of the pieces above the hidden ones

let playing = null; // the run of a film: its stage, its animations, and whether it is paused

class Stopped extends Error {} // the film has ended while one of its steps played

/** Lay a copy of the pieces over those of a picture, as they were before the film. */
function prepare({ before, defs, scale }, svg) {
  const drawn = svg?.classList.contains("k-wide") ? "wide" : "narrow"; // the realm has two pictures
  if (!before) return { regions: {}, holders: new Map(), points: new Map() }; // cards only: they fly above the page
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "film");
  layer.setAttribute("pointer-events", "none");
  layer.setAttribute("aria-hidden", "true");
  layer.innerHTML = `<defs>${defs[drawn] ?? defs}</defs>`;
  const pieces = svg.querySelector(".tokens");
  pieces.after(layer);
  const stage = { svg, layer, scale, drawn, regions: {}, holders: new Map(), points: new Map() };
  for (const one of pieces.children) draw(stage, { [one.dataset.of]: one.innerHTML });
  for (const link of layer.querySelectorAll("a")) link.removeAttribute("href"); // the ones below are the real ones
  svg.classList.add("playing");
  change(stage, before);
  return stage;
}

function draw({ layer, regions }, drawings) {
  for (const [region, drawing] of Object.entries(drawings)) {
    regions[region] ??= layer.appendChild(document.createElementNS(SVG, "g"));
    regions[region].innerHTML = drawing;
  }
}

/** Show what a step changes: the pieces of regions, who holds them, the realm, points and other numbers, at once. */
function change(stage, { regions = {}, held = {}, realm = {}, points = [], counts = {} }) {
  draw(stage, { ...regions, ...realm[stage.drawn] });
  for (const [region, holder] of Object.entries(held)) setHolder(stage, byId(`region-${region}`), holder);
  for (const [place, n] of numberElements({ points, counts })) setPoints(stage, place, n);
}

function setHolder({ holders }, land, holder) {
  const hit = land.querySelector(".hit");
  if (!holders.has(land)) holders.set(land, [land.getAttribute("class"), hit.getAttribute("fill")]);
  land.classList.remove(...[...land.classList].filter((name) => name.startsWith("seat-")));
  if (holder) land.classList.add(holder);
  land.classList.toggle("unheld", !holder);
  hit.setAttribute("fill", holder ? `url(#b-${holder}-wash)` : "none");
}

/** The elements that show points and counts, such as coins or the cards of a pile, each with its number. */
function numberElements({ points = [], counts = {} }) {
  const named = [...points.map((n, seat) => [`[data-points-of="${seat}"]`, n]), ...Object.entries(counts).map(([name, n]) => [`[data-count="${CSS.escape(name)}"]`, n])];
  return named.flatMap(([which, n]) => [...document.querySelectorAll(which)].map((place) => [place, n]));
}

/** Show a number, and the matching form of the word after it, such as “point” or “points”. */
function setPoints({ points }, place, n) {
  const word = place.nextElementSibling;
  const words = [[place, n]];
  if (word?.dataset.one) words.push([word, plural.select(n) === "one" ? word.dataset.one : word.dataset.other]);
  for (const [one, text] of words) {
    if (!points.has(one)) points.set(one, one.textContent);
    one.textContent = text;
  }
}

/** End the film: everything is again as the server drew it. */
function end() {
  if (!playing) return;
  const { stage, animations, fliers, resume } = playing;
  playing = null;
  for (const one of animations) one.cancel();
  for (const one of fliers) one.remove();
  for (const [land, [classes, fill]] of stage.holders) {
    land.setAttribute("class", classes);
    land.querySelector(".hit").setAttribute("fill", fill);
  }
  for (const [place, text] of stage.points) place.textContent = text;
  stage.layer?.remove();
  stage.svg?.classList.remove("playing");
  for (const copy of document.querySelectorAll(".film-stage")) copy.remove();
  resume?.();
  updateBar();
}

/**
 * The picture of the realm to play on. If little of it is in sight, it is a copy in the bar, so that nothing moves. The
 * copy is as small as its window needs, but never too small to read: then the window follows what happens.
 */
function pictureInSight(above = {}) {
  let realm = [...document.querySelectorAll(".k-realm")].find((one) => one.getClientRects().length);
  const bar = byId("film-bar");
  if (!realm || !bar) return realm;
  const { top, bottom, height } = realm.getBoundingClientRect();
  const dock = byId("hand");
  const bottomEdge = dock?.offsetHeight && getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
  if (Math.min(bottom, bottomEdge) - Math.max(top, 0) > 0.7 * height) return realm;
  if (realm && innerHeight < 512) realm = document.querySelector(".k-realm.k-wide") ?? realm; // a phone in landscape
  const stage = document.createElement("div");
  stage.className = "film-stage";
  stage.setAttribute("aria-hidden", "true");
  const copy = realm.cloneNode(true);
  const camera = document.createElement("div");
  camera.className = "film-window";
  camera.append(copy);
  const piles = document.createElement("div");
  piles.className = "film-piles";
  piles.append(...[...document.querySelectorAll(STAGED)].map((one) => one.cloneNode(true)));
  stage.append(camera, piles);
  for (const link of stage.querySelectorAll("a")) link.removeAttribute("href");
  bar.prepend(stage);
  bar.hidden = false; // to be measured
  const room = above[copy.classList.contains("k-wide") ? "wide" : "narrow"] ?? 0; // for Towers that fall in the film
  const { width, height: high } = copy.viewBox.baseVal;
  copy.setAttribute("viewBox", `0 ${-room} ${width} ${high + room}`);
  const fits = [copy.getBoundingClientRect().width / width, camera.clientHeight / (high + room)];
  const scale = Math.max(LEAST_SCALE, Math.min(1, ...fits));
  copy.style.maxWidth = "none";
  copy.style.width = `${scale * width}px`;
  copy.style.height = `${scale * (high + room)}px`;
  return copy;
}

// Playing

/** Play the moves after entry `from`. Earlier ones, and the reader's own, are shown at once. */
async function play({ moves, ...film }, from = -1) {
  end();
  if (prefersStillness.matches) return;
  const svg = document.querySelector(".map-sheet .pieces") ?? pictureInSight(film.above);
  if (film.before && !svg) return;
  const run = { stage: prepare(film, svg), animations: new Set(), fliers: new Set(), paused: false, resume: null };
  playing = run;
  updateBar();
  try {
    for (const move of moves) {
      if (move.seq <= from || move.own) for (const step of move.steps) change(run.stage, step);
      else await playMove(run, move);
    }
    if (playing === run) end();
  } catch (error) {
    if (playing === run) end();
    if (!(error instanceof Stopped) && error.name !== "AbortError") console.warn(error);
  }
}

async function playMove(run, { said, steps }) {
  tell(said);
  const others = steps.filter((step) => !["take", "draw"].includes(step.do)).length;
  const time = Math.min(SLOWEST, Math.max(QUICKEST, MOVE / Math.max(1, others))) / speed;
  for (const step of steps) {
    await untilResumed(run);
    const act = ANIMATIONS[step.do];
    if (act) await follow(run, step);
    if (act) await act(run, step, time);
    if (playing !== run) throw new Stopped();
    change(run.stage, { ...step, points: [], counts: {} });
    await countTo(run, step);
  }
  await delay(run, BETWEEN / speed);
}

/** Show what happened. A bar that is higher than its place covers what follows the picture, not the picture. */
function tell(said) {
  const words = byId("film-said");
  if (!words) return;
  words.textContent = said;
  words.scrollTop = 0;
  const bar = byId("film-bar");
  const place = bar.parentElement;
  const picture = [...document.querySelectorAll(".map-window, .k-land > .k-realm")].find((one) => one.getClientRects().length);
  place.style.setProperty("--below", "0px");
  const [end, edge] = [place, picture ?? place].map((one) => one.getBoundingClientRect().bottom);
  place.style.setProperty("--below", `${Math.max(0, bar.offsetHeight - (end - edge))}px`);
}

/** Wait while the film is paused, except for one step if the reader asked for one. Throws if it has ended. */
async function untilResumed(run) {
  if (playing !== run) throw new Stopped();
  while (run.paused) {
    await new Promise((resolve) => (run.resume = resolve));
    run.resume = null;
    if (playing !== run) throw new Stopped();
    if (run.once) {
      run.once = false;
      return;
    }
  }
}

async function animate(run, element, frames, duration) {
  const animation = element.animate(frames, { duration, easing: EASE, fill: "both" });
  run.animations.add(animation);
  await animation.finished;
  run.animations.delete(animation);
  animation.cancel();
}

const delay = (run, duration) => animate(run, table(), {}, duration);

const ANIMATIONS = { move, place, fall, gain, take, draw: deal, cards, rise, stir };

function flier({ stage, fliers }, piece) {
  const drawing = document.createElementNS(SVG, "use");
  drawing.setAttribute("href", `#${piece}`);
  stage.layer.append(drawing);
  fliers.add(drawing);
  return drawing;
}

const at = ([x, y], size) => ({ transform: `translate(${x}px, ${y}px) scale(${size})` });

async function move(run, { piece, from, to, origin, regions }, time) {
  if (!from || !to) return;
  const drawing = flier(run, piece);
  const { scale } = run.stage;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - 12];
  draw(run.stage, { [origin]: regions?.[origin] ?? "" });
  await animate(run, drawing, [at(from, scale), at(middle, scale * 1.35), at(to, scale)], time);
  drawing.remove();
}

async function place(run, { piece, to }, time) {
  if (!to) return;
  const { scale } = run.stage;
  const drawing = flier(run, piece);
  const above = [to[0], to[1] - 34];
  await animate(run, drawing, [{ ...at(above, scale * 1.5), opacity: 0 }, { ...at(above, scale * 1.5), opacity: 1, offset: 0.3 }, at(to, scale)], time);
  drawing.remove();
}

async function fall(run, { piece, from, regions, seat }, time) {
  if (seat !== undefined) return shake(run, seat, time);
  if (!from) return;
  const { scale } = run.stage;
  const drawing = flier(run, piece);
  draw(run.stage, regions ?? {});
  await animate(run, drawing, [at(from, scale), { ...at([from[0], from[1] - 8], scale * 1.4), offset: 0.3 }, { ...at([from[0], from[1] + 16], scale * 0.3), opacity: 0 }], time);
  drawing.remove();
}

async function gain(run, { piece, from, regions }, time) {
  if (!from) return;
  const { scale } = run.stage;
  const drawing = flier(run, piece);
  draw(run.stage, regions ?? {});
  await animate(run, drawing, [at(from, scale), { ...at([from[0], from[1] - 30], scale * 2), opacity: 1, offset: 0.6 }, { ...at([from[0], from[1] - 60], scale * 2.2), opacity: 0 }], time * 1.5);
  drawing.remove();
}

// Cards fly above the page, from the row over the map to the panel of their owner

const middleOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

async function take(run, { card, seat }) {
  const owner = byId(`player-${seat}`);
  const face = owner?.querySelector(`[data-card="${CSS.escape(card)}"]`);
  if (!face) return;
  const flying = document.createElement("div");
  flying.className = `film-card seat-${seat}`;
  flying.setAttribute("aria-hidden", "true");
  flying.append(face.cloneNode(true));
  document.body.append(flying);
  run.fliers.add(flying);
  const over = middleOf(document.querySelector(".map-window"));
  const row = document.querySelector("#table .row");
  const [from, to] = [row ? middleOf(row) : over, middleOf(owner.querySelector("header") ?? owner)];
  const here = ([x, y], size, more) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${size})`, ...more });
  const frames = [here(from, 0.3, { opacity: 0 }), here(over, 1, { opacity: 1, offset: 0.3 }), here(over, 1.04, { opacity: 1, offset: 0.7 }), here(to, 0.12, { opacity: 0 })];
  await animate(run, flying, frames, CARD / speed);
  flying.remove();
}

function deal(run, { card }) {
  const drawn = document.querySelector(`#table .row [data-card="${CSS.escape(card)}"]`);
  if (drawn) animate(run, drawn, [{ opacity: 0, transform: "translateY(-14px) scale(.9)" }, { opacity: 1, transform: "none" }], 400 / speed).catch(() => {});
}

// Kingdoms: cards go from place to place, Towers rise and fall, and a kingdom stirs

const PILES = { deck: ".k-piles > :nth-child(1)", burn: ".k-piles > :nth-child(2)", flop: ".k-cloth", battle: "#battle" };
const STAGED = ".k-piles > svg, .k-stall > .k-awning"; // the piles and the awning of the Flop, as the stage has them
const STAGED_PILES = { deck: ":nth-child(2)", flop: ":nth-child(1)", burn: ":nth-child(3)" };

function elementOf(place) {
  const castle = `.kingdom.seat-${place} .stronghold`;
  const staged = place === "battle" ? ".film-window" : place in STAGED_PILES && `.film-piles > ${STAGED_PILES[place]}`;
  const onStage = staged && document.querySelector(staged);
  if (onStage) return onStage;
  const found = document.querySelectorAll(place in PILES ? PILES[place] : `.k-realm .film ${castle}`);
  return [...found].find((one) => one.getClientRects().length) ?? byId(`player-${place}`) ?? byId("realm");
}

/** The middle of an element, moved to the edge of the window if it is out of sight. */
function inWindow(element) {
  const [x, y] = middleOf(element);
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const { left, top, right, bottom } = element.closest(".film-window")?.getBoundingClientRect() ?? whole;
  return [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
}

/** Move the copy of the realm so that the kingdoms of a step are in sight; if both don't fit, the one it ends at. */
async function follow(run, { from, to, seat }) {
  const camera = run.stage.svg?.closest(".film-window");
  if (!camera) return;
  const frame = camera.getBoundingClientRect();
  const [dx, dy] = [["left", "right"], ["top", "bottom"]].map(([start, end]) => {
    let by = 0;
    for (const place of [from, to, seat]) {
      const kingdom = run.stage.regions[place]?.getBoundingClientRect();
      if (!kingdom) continue;
      if (kingdom[start] - by < frame[start]) by = kingdom[start] - frame[start];
      else if (kingdom[end] - by > frame[end]) by = kingdom[end] - frame[end];
    }
    return by;
  });
  const [x, y] = [camera.scrollLeft, camera.scrollTop];
  camera.scrollTo({ left: x + dx, top: y + dy, behavior: "instant" });
  const moved = `${camera.scrollLeft - x}px ${camera.scrollTop - y}px`;
  if (moved !== "0px 0px") await animate(run, run.stage.svg, [{ translate: moved }, { translate: "0 0" }], CAMERA / speed);
}

async function cards(run, { from, to, n, faces = [] }, time) {
  const [origin, target] = [elementOf(from), elementOf(to)];
  if (!origin || !target || origin === target) return;
  const [[x, y], [right, down]] = [inWindow(origin), inWindow(target)];
  const flights = Array.from({ length: n }, (_none, number) => {
    const back = document.createElement("div");
    back.className = "film-back";
    back.setAttribute("aria-hidden", "true");
    back.innerHTML = faces[number] ?? "";
    document.body.append(back);
    run.fliers.add(back);
    const here = (left, top, size, opacity) => ({ transform: `translate(${left + 9 * number}px, ${top}px) translate(-50%, -50%) scale(${size})`, opacity });
    const frames = [here(x, y, 0.5, 0), here(x, y - 12, 1.1, 1), here((x + right) / 2, (y + down) / 2 - 24, 1.2, 1), here(right, down, 1, 1), here(right, down, 0.4, 0)];
    return animate(run, back, frames, Math.max(time, 320) + 70 * number).then(() => back.remove());
  });
  await Promise.all(flights);
}

/** Show the kingdom with its new Tower, and let it grow from the ground. */
async function rise(run, step, time) {
  change(run.stage, { realm: step.realm });
  await animate(run, elementOf(step.seat), [{ transform: "scaleY(.8)" }, { transform: "scaleY(1.05)", offset: 0.7 }, { transform: "none" }], time);
}

async function shake(run, seat, time) {
  await animate(run, elementOf(seat), [{ translate: "0 0" }, { translate: "-5px 0" }, { translate: "5px 0" }, { translate: "-4px 0" }, { translate: "0 0" }], time);
}

async function stir(run, { seat, realm }, time) {
  change(run.stage, { realm });
  await animate(run, elementOf(seat), [{ translate: "0 0" }, { translate: "0 -7px" }, { translate: "0 0" }, { translate: "0 -4px" }, { translate: "0 0" }], time);
}

/** Count points and other numbers up or down to their values after a step. */
async function countTo(run, step) {
  const changed = numberElements(step).filter(([place, n]) => Number(place.textContent) !== n);
  for (const [place] of changed) animate(run, place, [{ scale: 1 }, { scale: 1.6 }, { scale: 1 }], 500 / speed).catch(() => {});
  for (let left = true; left; ) {
    left = false;
    for (const [place, n] of changed) {
      const now = Number(place.textContent);
      if (now !== n) setPoints(run.stage, place, now + Math.sign(n - now));
      left ||= Number(place.textContent) !== n;
    }
    if (left) await delay(run, 70 / speed);
    if (playing !== run) throw new Stopped();
  }
}

// The bar with the sentence and the buttons, and the button that plays again

function updateBar() {
  const bar = byId("film-bar");
  const again = byId("film-play");
  const had = bar?.contains(document.activeElement);
  if (bar) bar.hidden = !playing;
  if (again) again.disabled = Boolean(playing); // it keeps its place, so that nothing moves
  if (had && !playing) again?.focus({ preventScroll: true });
  labelButtons();
}

function labelButtons() {
  for (const [button, isPlaying] of [[byId("film-pause"), !playing?.paused], [byId("tour-play"), touring]]) {
    if (!button) continue;
    button.firstElementChild.textContent = isPlaying ? "❚❚" : "▶";
    button.title = isPlaying ? button.dataset.pause : button.dataset.play;
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[id]");
  if (!button) return;
  if (button.id === "film-play") play(readFilm());
  else if (button.id === "film-skip") end();
  else if (button.id === "film-pause") pause(!playing?.paused);
  else if (button.id === "film-step") pause(true, true);
  else if (button.id === "tour-play") tour(!touring);
  else if (button.id === "share") share(button);
});

/** Open the share sheet of the device; without one, copy the link. */
async function share(button) {
  const { at } = button.dataset; // the result is shared without it
  const url = `${location.origin}${location.pathname}${at ? `?at=${at}` : ""}`;
  try {
    if (navigator.share) return await navigator.share({ title: document.title, url });
    await navigator.clipboard.writeText(url);
    button.textContent = button.dataset.done;
  } catch {
    // the reader closed the sheet, or the browser does not allow it: the address bar has the link too
  }
}

function pause(paused, once = false) {
  if (!playing) return;
  Object.assign(playing, { paused, once });
  playing.resume?.();
  labelButtons();
}

// A tap on the table ends the film and does what it says; so does Escape

const ACTING = "#table :is(a, button, input, select, label, summary), .map-sheet";
for (const [gesture, acting] of [["pointerdown", ".map-sheet .target"], ["click", ACTING]]) {
  document.addEventListener(
    gesture,
    ({ target, isTrusted }) => {
      if (isTrusted && target.closest?.(acting) && !target.closest("#film-bar, #film-play, #tour")) stop();
    },
    true,
  );
}

document.addEventListener(
  "keydown",
  (event) => {
    if (!(playing || touring) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector("dialog[open]")) return; // Escape closes the list of keys
    if (event.target.closest?.("#film-bar, #tour, select") && event.key !== "Escape") return;
    if (["Escape", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) stop();
    if (event.key === "Escape" && pastEntry() === null) event.preventDefault();
  },
  true,
);

// So does the keyboard when it reaches what the bar of the film covers

document.addEventListener("focusin", ({ target }) => {
  const cover = playing && byId("film-bar");
  if (!cover || cover.contains(target) || !target.matches(":focus-visible")) return;
  const [over, box] = [cover, target].map((one) => one.getBoundingClientRect());
  if (box.top < over.bottom && over.top < box.bottom && box.left < over.right && over.left < box.right) stop();
});

function stop() {
  untilInSight?.disconnect();
  tour(false);
  end();
}

// The history: play from entry to entry. The next position is fetched while this one plays.

let touring = false;
let fetchedAhead = null; // the address and the page of the next position

const SPEED = "film-speed"; // key in the browser's storage
let speed = 1;
try {
  speed = Number(localStorage.getItem(SPEED)) || 1;
} catch {
  // storage is off: the speed holds for this page
}
const nextLink = () => byId("go-next");
/** Return the entry of the history that the page shows, or null for the current table. */
const pastEntry = () => (table() && "past" in table().dataset ? Number(table().dataset.past) : null);

/** Start or stop playing the history from entry to entry. */
function tour(on) {
  if (touring === on) return;
  touring = on;
  labelButtons();
  if (on) playEntry();
  else if (pastEntry() !== null) end();
}

async function playEntry() {
  const here = pastEntry();
  const film = readFilm();
  fetchAhead();
  if (film && !prefersStillness.matches) await play(film);
  else await new Promise((resolve) => setTimeout(resolve, NOTHING_TO_PLAY / speed));
  if (!touring || pastEntry() !== here) return;
  if (nextLink()?.getAttribute("href").startsWith("?at=")) nextLink().click();
  else tour(false);
}

function fetchAhead() {
  const address = nextLink()?.getAttribute("href");
  if (!address?.startsWith("?at=") || fetchedAhead?.address === address) return;
  const fetched = { address, page: "" };
  fetchedAhead = fetched;
  const headers = { "HX-Request": "true", "HX-Target": "table", "HX-Current-URL": location.href };
  fetch(address, { headers, cache: "no-store" })
    .then(async (answer) => answer.ok && !answer.redirected && (fetched.page = await answer.text()))
    .catch(() => {}); // htmx asks again and says what is wrong
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== nextLink() || fetchedAhead?.address !== nextLink().getAttribute("href") || !fetchedAhead.page) return;
  event.preventDefault();
  const { address, page } = fetchedAhead;
  const target = table();
  const xhr = { status: 200, responseText: page, getResponseHeader: () => null };
  htmx.trigger(target, "htmx:beforeSwap", { target, xhr, shouldSwap: true, requestConfig: {} });
  htmx.swap(target, page, { swapStyle: "parts", swapDelay: 0, settleDelay: 0 });
  history.pushState({ htmx: true }, "", address);
});

// When to play: news as the page opens and as it arrives, and in the history a step forward

let lastShown = null; // the last entry of the game that this page has shown
let lastPast = null; // the entry of the history that it showed before

/** Fetch the film of what others did in answer to a decision: the answer comes without it, so that it comes sooner. */
async function fetchFilm(place, from) {
  const headers = { "HX-Request": "true", "HX-Target": "film" };
  const answer = await fetch(location.pathname, { headers, cache: "no-store" }).catch(() => null);
  const page = answer?.ok && !answer.redirected && (await answer.text());
  if (!page || !place.isConnected) return;
  place.outerHTML = page;
  lastShown = from;
  onTable();
}

/** Play what is new when a table has come or changed. */
function onTable() {
  const film = readFilm();
  const past = pastEntry();
  const from = lastShown;
  if (byId("film-later")) fetchFilm(byId("film-later"), from);
  updateBar();
  if (byId("tour-speed")) byId("tour-speed").value = String(speed);
  if (past !== null) return onPast(past, film);
  touring = false;
  lastPast = null;
  const upto = Number(document.querySelector("#table [data-seq]")?.dataset.seq);
  if (Number.isInteger(upto)) lastShown = upto;
  if (!film || film.past || prefersStillness.matches) return;
  if (byId("result") && byId("realm")) return; // a copy of the realm would hide who won
  const isNews = from === null ? "auto" in (byId("film-play")?.dataset ?? {}) : film.moves.some((one) => one.seq > from && !one.own);
  if (isNews) whenInSight(() => play(film, from ?? -1));
}

/** In the history: continue the tour, or play a step forward. */
function onPast(past, film) {
  const isNext = lastPast !== null && past === lastPast + 1;
  lastPast = past;
  if (touring) playEntry();
  else if (isNext && film) {
    fetchAhead();
    play(film);
  }
}

let untilInSight = null; // the observer of a film that waits for the board to be in sight

/** Wait until the reader can see the board. A tap, a swap or the like before that cancels the film. */
function whenInSight(then) {
  const map = document.querySelector(".map-window");
  const board = map ?? table(); // the realm plays in a copy if it is out of sight
  untilInSight?.disconnect();
  untilInSight = new IntersectionObserver((entries) => {
    if (document.visibilityState === "hidden" || !entries.some((one) => one.isIntersecting)) return;
    untilInSight.disconnect();
    if (board.isConnected && readFilm()) then();
  }, { threshold: map ? 0.4 : 0 });
  if (board) untilInSight.observe(board);
}

document.addEventListener("change", ({ target }) => {
  if (target.id !== "tour-speed") return;
  speed = Number(target.value);
  try {
    localStorage.setItem(SPEED, target.value);
  } catch {
    // storage is off
  }
});
document.addEventListener("htmx:beforeSwap", () => {
  untilInSight?.disconnect();
  end();
});
document.addEventListener("htmx:afterSettle", ({ target }) => target.id === "table" && onTable());
window.addEventListener("pagehide", stop);
document.documentElement.classList.add("plays"); // shows the controls
onTable();
