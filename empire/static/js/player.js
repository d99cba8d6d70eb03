// What happened plays on the board: pieces travel, cards fly to their owner, points count up. The page carries the steps
// with finished drawings (#film, see games/boards/eight_minute/film.py); this module moves them and knows no rule.
//
// It plays over the picture that the server drew, which is hidden meanwhile and never changes. When the film ends, by a
// tap, a key, a swap or an error, that picture is shown again.

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const plural = new Intl.PluralRules(document.documentElement.lang);
const CARD = 900; // milliseconds for a card
const MOVE = 1_100; // for all other steps of an entry together
const [QUICKEST, SLOWEST] = [160, 600]; // for one of them
const BETWEEN = 350; // between entries
const NOTHING_TO_PLAY = 900; // for an entry of the history without a film
const EASE = "cubic-bezier(.3, 0, .2, 1)";

const table = () => document.getElementById("table");
const part = (id) => document.getElementById(id);

function film() {
  try {
    return JSON.parse(part("film").textContent);
  } catch {
    return null; // no film on this page
  }
}

// The stage: a copy of the pieces above the hidden ones

let showing = null; // the film that is playing: its stage, its animations, and whether it is paused

class Ended extends Error {}

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
  for (const [region, holder] of Object.entries(held)) hold(stage, part(`region-${region}`), holder);
  for (const [place, n] of numbers({ points, counts })) setPoints(stage, place, n);
}

function hold({ holders }, land, holder) {
  const hit = land.querySelector(".hit");
  if (!holders.has(land)) holders.set(land, [land.getAttribute("class"), hit.getAttribute("fill")]);
  land.classList.remove(...[...land.classList].filter((name) => name.startsWith("seat-")));
  if (holder) land.classList.add(holder);
  land.classList.toggle("unheld", !holder);
  hit.setAttribute("fill", holder ? `url(#b-${holder}-wash)` : "none");
}

/** The elements that show points and counts, such as coins or the cards of a pile, each with its number. */
function numbers({ points = [], counts = {} }) {
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
  if (!showing) return;
  const { stage, animations, fliers, go } = showing;
  showing = null;
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
  go?.();
  offer();
}

/** The picture of the realm to play on. If little of it is in sight, it is a copy over the bar, so that nothing moves. */
function pictureInSight() {
  let realm = [...document.querySelectorAll(".k-realm")].find((one) => one.getClientRects().length);
  const bar = part("film-bar");
  if (!realm || !bar) return realm;
  const { top, bottom, height } = realm.getBoundingClientRect();
  const dock = part("hand");
  const end = dock && getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
  if (Math.min(bottom, end) - Math.max(top, 0) > 0.7 * height) return realm;
  if (realm && innerHeight < 512) realm = document.querySelector(".k-realm.k-wide") ?? realm; // a phone in landscape
  const stage = document.createElement("div");
  stage.className = "film-stage";
  stage.setAttribute("aria-hidden", "true");
  const copy = realm.cloneNode(true);
  const piles = document.createElement("div");
  piles.className = "film-piles";
  piles.append(...[...document.querySelectorAll(STAGED)].map((one) => one.cloneNode(true)));
  stage.append(copy, piles);
  for (const link of stage.querySelectorAll("a")) link.removeAttribute("href");
  bar.prepend(stage);
  return copy;
}

// Playing

async function play({ moves, ...film }, from = -1) {
  end();
  if (still.matches) return;
  const svg = document.querySelector(".map-sheet .pieces") ?? pictureInSight();
  if (film.before && !svg) return;
  const shown = { stage: prepare(film, svg), animations: new Set(), fliers: new Set(), paused: false, go: null };
  showing = shown;
  offer();
  try {
    for (const move of moves) {
      if (move.seq <= from || move.own) for (const step of move.steps) change(shown.stage, step);
      else await playMove(shown, move);
    }
    if (showing === shown) end();
  } catch (error) {
    if (showing === shown) end();
    if (!(error instanceof Ended) && error.name !== "AbortError") console.warn(error);
  }
}

async function playMove(shown, { said, steps }) {
  const words = part("film-said");
  if (words) words.textContent = said;
  const others = steps.filter((step) => !["take", "draw"].includes(step.do)).length;
  const time = Math.min(SLOWEST, Math.max(QUICKEST, MOVE / Math.max(1, others))) / speed();
  for (const step of steps) {
    await turn(shown);
    const act = ACTS[step.do];
    if (act) await act(shown, step, time);
    if (showing !== shown) throw new Ended();
    change(shown.stage, { ...step, points: [], counts: {} });
    await count(shown, step);
  }
  await rest(shown, BETWEEN / speed());
}

/** Wait while the film is paused. */
async function turn(shown) {
  if (showing !== shown) throw new Ended();
  while (shown.paused) {
    await new Promise((resolve) => (shown.go = resolve));
    shown.go = null;
    if (showing !== shown) throw new Ended();
    if (shown.once) {
      shown.once = false;
      return;
    }
  }
}

async function animate(shown, element, frames, duration) {
  const animation = element.animate(frames, { duration, easing: EASE, fill: "both" });
  shown.animations.add(animation);
  await animation.finished;
  shown.animations.delete(animation);
  animation.cancel();
}

const rest = (shown, duration) => animate(shown, table(), {}, duration);

const ACTS = { move, place, fall, gain, take, draw: deal, cards, rise, stir };

function flier({ stage, fliers }, piece) {
  const drawing = document.createElementNS(SVG, "use");
  drawing.setAttribute("href", `#${piece}`);
  stage.layer.append(drawing);
  fliers.add(drawing);
  return drawing;
}

const at = ([x, y], size) => ({ transform: `translate(${x}px, ${y}px) scale(${size})` });

async function move(shown, { piece, from, to, origin, regions }, time) {
  if (!from || !to) return;
  const drawing = flier(shown, piece);
  const { scale } = shown.stage;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - 12];
  draw(shown.stage, { [origin]: regions?.[origin] ?? "" });
  await animate(shown, drawing, [at(from, scale), at(middle, scale * 1.35), at(to, scale)], time);
  drawing.remove();
}

async function place(shown, { piece, to }, time) {
  if (!to) return;
  const { scale } = shown.stage;
  const drawing = flier(shown, piece);
  const above = [to[0], to[1] - 34];
  await animate(shown, drawing, [{ ...at(above, scale * 1.5), opacity: 0 }, { ...at(above, scale * 1.5), opacity: 1, offset: 0.3 }, at(to, scale)], time);
  drawing.remove();
}

async function fall(shown, { piece, from, regions, seat }, time) {
  if (seat !== undefined) return shake(shown, seat, time);
  if (!from) return;
  const { scale } = shown.stage;
  const drawing = flier(shown, piece);
  draw(shown.stage, regions ?? {});
  await animate(shown, drawing, [at(from, scale), { ...at([from[0], from[1] - 8], scale * 1.4), offset: 0.3 }, { ...at([from[0], from[1] + 16], scale * 0.3), opacity: 0 }], time);
  drawing.remove();
}

async function gain(shown, { piece, from, regions }, time) {
  if (!from) return;
  const { scale } = shown.stage;
  const drawing = flier(shown, piece);
  draw(shown.stage, regions ?? {});
  await animate(shown, drawing, [at(from, scale), { ...at([from[0], from[1] - 30], scale * 2), opacity: 1, offset: 0.6 }, { ...at([from[0], from[1] - 60], scale * 2.2), opacity: 0 }], time * 1.5);
  drawing.remove();
}

// Cards fly above the page, from the row over the map to the panel of their owner

const middleOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

async function take(shown, { card, seat }) {
  const owner = part(`player-${seat}`);
  const face = owner?.querySelector(`[data-card="${CSS.escape(card)}"]`);
  if (!face) return;
  const flying = document.createElement("div");
  flying.className = `film-card seat-${seat}`;
  flying.setAttribute("aria-hidden", "true");
  flying.append(face.cloneNode(true));
  document.body.append(flying);
  shown.fliers.add(flying);
  const over = middleOf(document.querySelector(".map-window"));
  const row = document.querySelector("#table .row");
  const [from, to] = [row ? middleOf(row) : over, middleOf(owner.querySelector("header") ?? owner)];
  const here = ([x, y], size, more) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${size})`, ...more });
  const frames = [here(from, 0.3, { opacity: 0 }), here(over, 1, { opacity: 1, offset: 0.3 }), here(over, 1.04, { opacity: 1, offset: 0.7 }), here(to, 0.12, { opacity: 0 })];
  await animate(shown, flying, frames, CARD / speed());
  flying.remove();
}

function deal(shown, { card }) {
  const drawn = document.querySelector(`#table .row [data-card="${CSS.escape(card)}"]`);
  if (drawn) animate(shown, drawn, [{ opacity: 0, transform: "translateY(-14px) scale(.9)" }, { opacity: 1, transform: "none" }], 400 / speed()).catch(() => {});
}

// Kingdoms: cards go from place to place, Towers rise and fall, and a kingdom stirs

const PILES = { deck: ".k-piles > :nth-child(1)", burn: ".k-piles > :nth-child(2)", flop: ".k-cloth", battle: "#battle" };
const STAGED = ".k-piles > svg, .k-stall > .k-awning"; // the piles and the awning of the Flop, as the stage has them
const STAGED_PILES = { deck: ":nth-child(2)", flop: ":nth-child(1)", burn: ":nth-child(3)" };

function elementOf(place) {
  const castle = `.kingdom.seat-${place} .stronghold`;
  const staged = place in STAGED_PILES && document.querySelector(`.film-piles > ${STAGED_PILES[place]}`);
  if (staged) return staged;
  const found = document.querySelectorAll(place in PILES ? PILES[place] : `.k-realm .film ${castle}`);
  return [...found].find((one) => one.getClientRects().length) ?? part(`player-${place}`) ?? part("realm");
}

/** The middle of an element, moved to the edge of the window if it is out of sight. */
function inWindow(element) {
  const [x, y] = middleOf(element);
  return [Math.min(Math.max(x, 0), innerWidth), Math.min(Math.max(y, 0), innerHeight)];
}

async function cards(shown, { from, to, n, faces = [] }, time) {
  const [start, end] = [elementOf(from), elementOf(to)];
  if (!start || !end || start === end) return;
  const [[x, y], [right, down]] = [inWindow(start), inWindow(end)];
  const flights = Array.from({ length: n }, (_none, number) => {
    const back = document.createElement("div");
    back.className = "film-back";
    back.setAttribute("aria-hidden", "true");
    back.innerHTML = faces[number] ?? "";
    document.body.append(back);
    shown.fliers.add(back);
    const here = (left, top, size, opacity) => ({ transform: `translate(${left + 9 * number}px, ${top}px) translate(-50%, -50%) scale(${size})`, opacity });
    const frames = [here(x, y, 0.5, 0), here(x, y - 12, 1.1, 1), here((x + right) / 2, (y + down) / 2 - 24, 1.2, 1), here(right, down, 1, 1), here(right, down, 0.4, 0)];
    return animate(shown, back, frames, Math.max(time, 320) + 70 * number).then(() => back.remove());
  });
  await Promise.all(flights);
}

/** Show the kingdom with its new Tower, and let it grow from the ground. */
async function rise(shown, step, time) {
  change(shown.stage, { realm: step.realm });
  await animate(shown, elementOf(step.seat), [{ transform: "scaleY(.8)" }, { transform: "scaleY(1.05)", offset: 0.7 }, { transform: "none" }], time);
}

async function shake(shown, seat, time) {
  await animate(shown, elementOf(seat), [{ translate: "0 0" }, { translate: "-5px 0" }, { translate: "5px 0" }, { translate: "-4px 0" }, { translate: "0 0" }], time);
}

async function stir(shown, { seat, realm }, time) {
  change(shown.stage, { realm });
  await animate(shown, elementOf(seat), [{ translate: "0 0" }, { translate: "0 -7px" }, { translate: "0 0" }, { translate: "0 -4px" }, { translate: "0 0" }], time);
}

/** Count points and other numbers up or down to their values after a step. */
async function count(shown, step) {
  const changed = numbers(step).filter(([place, n]) => Number(place.textContent) !== n);
  for (const [place] of changed) animate(shown, place, [{ scale: 1 }, { scale: 1.6 }, { scale: 1 }], 500 / speed()).catch(() => {});
  for (let left = true; left; ) {
    left = false;
    for (const [place, n] of changed) {
      const now = Number(place.textContent);
      if (now !== n) setPoints(shown.stage, place, now + Math.sign(n - now));
      left ||= Number(place.textContent) !== n;
    }
    if (left) await rest(shown, 70 / speed());
    if (showing !== shown) throw new Ended();
  }
}

// The bar with the sentence and the buttons, and the button that plays again

function offer() {
  const bar = part("film-bar");
  const again = part("film-play");
  const had = bar?.contains(document.activeElement);
  if (bar) bar.hidden = !showing;
  if (again) again.disabled = Boolean(showing); // it keeps its place, so that nothing moves
  if (had && !showing) again?.focus({ preventScroll: true });
  label();
}

function label() {
  for (const [button, isPlaying] of [[part("film-pause"), !showing?.paused], [part("tour-play"), touring]]) {
    if (!button) continue;
    button.firstElementChild.textContent = isPlaying ? "❚❚" : "▶";
    button.title = isPlaying ? button.dataset.pause : button.dataset.play;
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[id]");
  if (!button) return;
  if (button.id === "film-play") play(film());
  else if (button.id === "film-skip") end();
  else if (button.id === "film-pause") pause(!showing?.paused);
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
  if (!showing) return;
  Object.assign(showing, { paused, once });
  showing.go?.();
  label();
}

// A tap on the table ends the film and does what it says; so does Escape

const ACTING = "#table :is(a, button, input, select, label, summary), .map-sheet";
for (const [gesture, acting] of [["pointerdown", ".map-sheet .target"], ["click", ACTING]]) {
  document.addEventListener(
    gesture,
    ({ target, isTrusted }) => {
      if (isTrusted && target.closest?.(acting) && !target.closest("#film-bar, #film-play, #tour")) halt();
    },
    true,
  );
}

document.addEventListener(
  "keydown",
  (event) => {
    if (!(showing || touring) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("#film-bar, #tour, select") && event.key !== "Escape") return;
    if (["Escape", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) halt();
    if (event.key === "Escape" && past() === null) event.preventDefault();
  },
  true,
);

function halt() {
  waiting?.disconnect();
  tour(false);
  end();
}

// The history: play from entry to entry. The next position is fetched while this one plays.

let touring = false;
let next = null; // the address that was fetched ahead, and its page

const KEPT_SPEED = "film-speed";
let chosenSpeed = 1;
try {
  chosenSpeed = Number(localStorage.getItem(KEPT_SPEED)) || 1;
} catch {
  // storage is off: the speed holds for this page
}
const speed = () => chosenSpeed;
const onward = () => part("go-next");
const past = () => (table() && "past" in table().dataset ? Number(table().dataset.past) : null);

function tour(on) {
  if (touring === on) return;
  touring = on;
  label();
  if (on) goOn();
  else if (past() !== null) end();
}

async function goOn() {
  const here = past();
  const reel = film();
  fetchAhead();
  if (reel && !still.matches) await play(reel);
  else await new Promise((resolve) => setTimeout(resolve, NOTHING_TO_PLAY / speed()));
  if (!touring || past() !== here) return;
  if (onward()?.getAttribute("href").startsWith("?at=")) onward().click();
  else tour(false);
}

function fetchAhead() {
  const address = onward()?.getAttribute("href");
  if (!address?.startsWith("?at=") || next?.address === address) return;
  const fetched = { address, page: "" };
  next = fetched;
  const headers = { "HX-Request": "true", "HX-Target": "table", "HX-Current-URL": location.href };
  fetch(address, { headers, cache: "no-store" })
    .then(async (answer) => answer.ok && !answer.redirected && (fetched.page = await answer.text()))
    .catch(() => {}); // htmx asks again and says what is wrong
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== onward() || next?.address !== onward().getAttribute("href") || !next.page) return;
  event.preventDefault();
  const { address, page } = next;
  const target = table();
  const xhr = { status: 200, responseText: page, getResponseHeader: () => null };
  htmx.trigger(target, "htmx:beforeSwap", { target, xhr, shouldSwap: true, requestConfig: {} });
  htmx.swap(target, page, { swapStyle: "parts", swapDelay: 0, settleDelay: 0 });
  history.pushState({ htmx: true }, "", address);
});

// When to play: news as the page opens and as it arrives, and in the history a step forward

let last = null; // the last entry that this page has shown
let lastPast = null;

/** Fetch the film of what others did in answer to a decision: the answer comes without it, so that it comes sooner. */
async function fetchFilm(place, from) {
  const headers = { "HX-Request": "true", "HX-Target": "film" };
  const answer = await fetch(location.pathname, { headers, cache: "no-store" }).catch(() => null);
  const page = answer?.ok && !answer.redirected && (await answer.text());
  if (!page || !place.isConnected) return;
  place.outerHTML = page;
  last = from;
  look();
}

function look() {
  const reel = film();
  const here = past();
  const upto = Number(document.querySelector("#table [data-seq]")?.dataset.seq);
  const from = last;
  if (part("film-later")) fetchFilm(part("film-later"), from);
  offer();
  const speeds = part("tour-speed");
  if (speeds) speeds.value = String(speed());
  if (here !== null) {
    const isNext = lastPast !== null && here === lastPast + 1;
    lastPast = here;
    if (touring) return goOn();
    if (isNext && reel) {
      fetchAhead();
      play(reel);
    }
    return;
  }
  touring = false;
  lastPast = null;
  if (Number.isInteger(upto)) last = upto;
  if (!reel || reel.past || still.matches) return;
  if (part("result") && part("realm")) return; // a copy of the realm would hide who won
  const isNews = from === null ? "auto" in (part("film-play")?.dataset ?? {}) : reel.moves.some((one) => one.seq > from && !one.own);
  if (isNews) whenInSight(() => play(reel, from ?? -1));
}

let waiting = null; // the observer of a film that waits for the board to be in sight

/** Wait until the reader can see the board. A tap, a swap or the like before that cancels the film. */
function whenInSight(then) {
  const map = document.querySelector(".map-window");
  const board = map ?? table(); // the realm plays in a copy if it is out of sight
  waiting?.disconnect();
  waiting = new IntersectionObserver((entries) => {
    if (document.visibilityState === "hidden" || !entries.some((one) => one.isIntersecting)) return;
    waiting.disconnect();
    if (board.isConnected && film()) then();
  }, { threshold: map ? 0.4 : 0 });
  if (board) waiting.observe(board);
}

document.addEventListener("change", ({ target }) => {
  if (target.id !== "tour-speed") return;
  chosenSpeed = Number(target.value);
  try {
    localStorage.setItem(KEPT_SPEED, target.value);
  } catch {
    // storage is off
  }
});
document.addEventListener("htmx:beforeSwap", () => {
  waiting?.disconnect();
  end();
});
document.addEventListener("htmx:afterSettle", ({ target }) => target.id === "table" && look());
window.addEventListener("pagehide", halt);
document.documentElement.classList.add("plays"); // shows the controls
look();
