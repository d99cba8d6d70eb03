// Moving and placing armies without waiting: a tap on an army and one on a region far away, or a drag, lay out the steps
// at once. The plan that comes with the page has the regions in reach, the costs and the words; the server checks each
// batch of steps, and its answer, with the next plan, replaces what was drawn here.

const SVG = "http://www.w3.org/2000/svg";
const table = () => document.getElementById("table");
const byId = (id) => document.getElementById(id);
const regionOf = (thing) => {
  const found = thing?.closest(".map-sheet :is([data-region], [data-of])");
  return found?.dataset.region ?? found?.dataset.of ?? "";
};
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_all, name) => values[name]);

let plan = null;
let kit = null; // what every turn needs: drawings of armies, and words
let chosen = "";
let waiting = []; // steps that are laid out here and not yet sent
let sent = []; // steps on their way to the server
let base = ""; // the draft that the server had before them
let isStuck = false; // the last request failed; its steps wait again
let isBusyElsewhere = false; // a request of another part of the table is under way, such as an undo
let decision = ""; // the entry that the plan was made on

// What the plan says

const partOf = (action) => plan.parts.find((part) => part.kind === action.split(" ")[0]);
const movesLeft = () => Math.max(0, ...plan.parts.filter((part) => part.kind === "move" && part.open).map((part) => part.left));

function waysFrom(region) {
  const left = movesLeft();
  const ways = plan.regions[region]?.armies > 0 ? (plan.ways[region] ?? {}) : {};
  return new Map(Object.entries(ways).filter(([, [cost]]) => cost <= left));
}

/** Return the buttons of the list of moves for what can be done in a region itself. */
function choicesIn(region) {
  const buttons = [...document.querySelectorAll(`#moves fieldset[data-region="${region}"] button`)];
  return buttons.filter((button) => {
    const part = partOf(button.value);
    return part && part.kind !== "move" && part.open && (part.kind !== "place" || part.left > 0 || button.matches(".costly"));
  });
}

/** Return the button of what a tap on a region does at once: the only choice, or the only one that gives nothing up. */
function onlyChoice(region) {
  const here = choicesIn(region);
  const free = here.length > 1 ? here.filter((button) => !button.matches(".costly")) : here;
  return free.length === 1 && !waysFrom(region).size ? free[0] : null;
}

const isSpot = (region) => choicesIn(region).length > 0 || waysFrom(region).size > 0;

function march(origin, target) {
  const ways = plan.ways[origin];
  const stops = [target];
  while (stops[0] !== origin) stops.unshift(ways[stops[0]][1]);
  const actions = stops.slice(1).map((stop, n) => `move ${stops[n]} ${stop}`);
  lay({ actions, stops, cost: ways[target][0] });
}

function take(action) {
  const [verb, region] = action.split(" ");
  lay(verb === "place" && partOf(action).left > 0 ? { actions: [action], stops: [region], cost: 1 } : { actions: [action], stops: [] });
}

// Laying out

function lay(step) {
  keepInPlace(() => {
    draw(step);
    if (chosen && !(waysFrom(chosen).size || choicesIn(chosen).length > 1)) chosen = "";
    if (!step.stops.length) chosen = "";
    mark();
  });
  waiting.push(step);
  send();
}

/** Make a change that can resize the dock, and keep the map where it is on a page that is scrolled. */
function keepInPlace(change) {
  const box = (part = byId("board")) => part.getBoundingClientRect();
  const before = box().top;
  change();
  if (!window.scrollY) return;
  const off = () => box().top - before;
  window.scrollBy({ top: off(), behavior: "instant" });
  if (off() < 1) return;
  // Next to a longer dock the map is sticky: it goes higher only where the end of its place pushes it
  window.scrollBy({ top: box(byId("board").parentElement).bottom - box().bottom + off(), behavior: "instant" });
}

/** Draw a step, and count it in the plan. Steps that the browser cannot foresee only wait for the server. */
function draw({ actions, stops, cost }) {
  if (!stops.length) return;
  const part = partOf(actions[0]);
  const target = stops[stops.length - 1];
  const points = stops.map(middle);
  part.left -= cost;
  for (const [number, other] of plan.parts.entries()) other.open = part.then.includes(number);
  plan.regions[target].armies += 1;
  if (stops.length > 1) {
    plan.regions[stops[0]].armies -= 1;
    drawWay(points);
    drawArmies(stops[0]);
  }
  drawArmies(target);
  count();
  for (const [n, action] of actions.entries()) addChip(action, stops, n);
}

const armiesIn = (region) => document.querySelector(`.tokens [data-of="${region}"] .army.${plan.colour}`);

/** Return where the reader's armies in a region are, or would be. */
function middle(region) {
  const [, x, y] = /translate\((\S+) (\S+)\)/.exec(armiesIn(region)?.getAttribute("transform") ?? "") ?? [];
  return x ? [Number(x), Number(y)] : plan.regions[region].at;
}

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

function drawArmies(region) {
  const n = plan.regions[region].armies;
  let army = armiesIn(region);
  if (!n) return army?.remove();
  if (!army) {
    const pieces = document.querySelector(`.tokens [data-of="${region}"]`);
    const around = pieces ?? element("g", { "data-of": region, "pointer-events": "none" }, document.querySelector(".tokens"));
    const [x, y] = plan.regions[region].at;
    army = element("g", { class: `army ${plan.colour}`, transform: `translate(${x} ${y}) scale(${plan.scale})` }, around);
  }
  army.innerHTML = kit.armies[n - 1] ?? "";
}

function drawWay(points) {
  const d = `M${points.map((point) => point.join(" ")).join("L")}`;
  const way = element("g", { class: `laid-way ${plan.colour}`, "pointer-events": "none", fill: "none" });
  for (const kind of ["rim", "line"]) element("path", { class: kind, d }, way);
  document.querySelector(".tokens").before(way);
}

function count() {
  for (const [n, counter] of [...document.querySelectorAll("#hand .counter")].entries()) {
    const part = plan.parts[n];
    if (!part?.open || !(part.left in part.words) || !["place", "move"].includes(part.kind)) continue;
    for (const [place, pip] of [...counter.querySelectorAll(".pips i")].entries()) pip.classList.toggle("left", place < part.left);
    counter.lastChild.textContent = ` ${part.words[part.left]}`;
    counter.classList.toggle("used", !part.left);
  }
}

function addChip(action, stops, n) {
  let steps = byId("steps");
  if (!steps) {
    steps = document.createElement("ol");
    steps.id = "steps";
    steps.className = "steps plain";
    document.querySelector("#hand .hint")?.replaceWith(steps);
    if (!steps.isConnected) document.querySelector("#hand .dock-head").after(steps);
  }
  const chip = document.createElement("li");
  chip.className = "chip";
  const name = (region) => plan.regions[region].name;
  chip.textContent = action.startsWith("move") ? `${name(stops[n])} → ${name(stops[n + 1])}` : `+ ${name(stops[0])}`;
  steps.append(chip);
  steps.scrollTo(9999, 0);
}

// What can be tapped now

function mark() {
  const focus = document.activeElement?.id;
  const before = document.querySelector(".region.chosen")?.dataset.region;
  const targets = new Map();
  const ways = chosen ? waysFrom(chosen) : new Map();
  const name = (region) => plan.regions[region].name;
  for (const region of Object.keys(plan.regions)) {
    const here = choicesIn(region);
    if (!here.length && !waysFrom(region).size) continue;
    const only = onlyChoice(region);
    const words = only?.getAttribute("aria-label") ?? fill(here.length ? kit.say.choose : kit.say.from, { region: name(region) });
    targets.set(region, { words, kind: only ? "act" : "choose", action: only?.value });
  }
  const left = movesLeft();
  for (const [region, [cost, before]] of ways) {
    const words = fill(kit.say.move, { origin: name(chosen), target: name(region), cost, left, after: left - cost });
    targets.set(region, { words, kind: "act", cost, action: before === chosen ? `move ${chosen} ${region}` : "" });
  }
  if (chosen) targets.set(chosen, { words: fill(kit.say.cancel, { region: name(chosen) }), kind: "cancel" });
  for (const region of Object.keys(plan.regions)) setTarget(region, targets.get(region));
  drawEdges(targets);
  showChoices();
  if (!focus || document.activeElement !== document.body) return;
  (byId(focus) ?? (isInSight(byId(`tap-${before}`)) ? byId(`tap-${before}`) : byId("hand")))?.focus({ preventScroll: true });
}

function isInSight(region) {
  const { top, bottom } = region?.getBoundingClientRect() ?? {};
  return 0 < bottom && top < window.innerHeight;
}

function setTarget(region, target) {
  const group = byId(`region-${region}`);
  let link = group.querySelector(":scope > a");
  for (const pieces of document.querySelectorAll(`.tokens [data-of="${region}"]`)) {
    const isMovable = target && waysFrom(region).size > 0;
    pieces.setAttribute("pointer-events", target ? "auto" : "none");
    pieces.querySelector(`.army.${plan.colour}`)?.classList.toggle("movable", isMovable);
  }
  group.classList.toggle("chosen", region === chosen);
  // Without a link the region is a picture for screen readers, whose name is its title
  if (target) group.removeAttribute("role");
  else group.setAttribute("role", "img");
  if (!target) return link?.replaceWith(...link.childNodes);
  if (!link) {
    link = element("a", { id: `tap-${region}` });
    link.append(...group.childNodes);
    const glow = { class: "glow", href: `#b-${region}`, "clip-path": `url(#b-in-${region})`, opacity: 0, fill: "#fff8dc",
      "fill-opacity": 0.3, stroke: "#fff8dc", "stroke-width": 14, "stroke-opacity": 0.8 };
    element("use", glow, element("g", { "pointer-events": "none", fill: "none" }, link));
    group.append(link);
  }
  link.setAttribute("class", `target ${target.kind}`);
  link.setAttribute("href", `?region=${region}#board`);
  link.setAttribute("aria-label", target.words);
  if (target.action) link.dataset.action = target.action;
  else delete link.dataset.action;
}

function drawEdges(targets) {
  const edges = document.querySelector("#on-land .edges");
  edges.replaceChildren();
  document.querySelector("#on-land .costs")?.remove();
  const costs = element("g", { class: "costs", "pointer-events": "none", "aria-hidden": "true" }, byId("on-land"));
  for (const [region, { cost }] of targets) {
    const edge = element("g", { class: `edge ${region === chosen ? "chosen" : "live still"}`, "pointer-events": "none", fill: "none" }, edges);
    for (const line of ["under", "dash"]) element("use", { class: line, href: `#b-${region}` }, edge);
    if (!(cost > 1)) continue;
    const [x, y] = plan.regions[region].at;
    const badge = element("g", { transform: `translate(${x} ${y}) scale(${plan.scale})` }, costs);
    element("circle", { r: 9 }, badge);
    element("text", { y: 4.6, "text-anchor": "middle" }, badge).textContent = cost;
  }
}

/** Show in the dock what can be done in the chosen region, with the buttons of the list of moves. */
function showChoices() {
  document.querySelector("#hand .chosen")?.remove();
  if (!chosen) return;
  const form = byId("chosen-form").content.firstElementChild.cloneNode(true);
  form.prepend(...[...document.querySelectorAll("#moves form > [type=hidden]")].map((input) => input.cloneNode()));
  const [here, away] = [form.querySelector(".here"), form.querySelector(".away-to")];
  const again = (button, words) => {
    const copy = button.cloneNode(true);
    copy.classList.toggle("sea", !button.matches(".costly, [value^='move ']"));
    copy.id = `here-${button.id}`;
    copy.textContent = words ?? button.textContent;
    return copy;
  };
  form.querySelector("h3").textContent = plan.regions[chosen].name;
  form.querySelector(".let-go").id = "let-go";
  here.append(...choicesIn(chosen).map((button) => again(button)));
  const ways = waysFrom(chosen);
  const next = [...document.querySelectorAll(`#moves fieldset[data-region="${chosen}"] button[value^="move "]`)];
  const left = movesLeft();
  for (const button of next.filter(({ value }) => ways.has(value.split(" ")[2]))) {
    const target = button.value.split(" ")[2];
    const cost = ways.get(target)[0];
    away.append(again(button, cost > 1 ? fill(kit.say.button, { target: plan.regions[target].name, cost, left }) : null));
  }
  if (!here.children.length) here.remove();
  if (away.children.length < 2) away.remove();
  document.querySelector("#hand .dock-head").after(form);
  byId("hand").scrollTop = 0; // a dock that is longer than its place shows what has come
}

function choose(region) {
  chosen = region;
  keepInPlace(mark);
  const choices = [...document.querySelectorAll("#hand .chosen :is(h3, button)")].map((one) => one.ariaLabel ?? one.textContent);
  byId("said").textContent = region ? choices.join(". ") : byId("headline").textContent;
}

function tap(region) {
  if (region === chosen) return choose("");
  if (chosen && waysFrom(chosen).has(region)) return march(chosen, region);
  const only = onlyChoice(region);
  if (only) take(only.value);
  else if (isSpot(region)) choose(region);
  else if (waiting.length || sent.length) return false; // an army has just arrived: the answer says what it can do
  return true;
}

// Taps, before table.js sees them. It keeps those that are made during a request of another part of the table, whose
// answer can change the plan.

window.addEventListener(
  "click",
  (event) => {
    if (!plan || isBusyElsewhere || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest) return;
    if (isStuck && event.target.closest("#table :is(a, button)")) send(true);
    const region = regionOf(event.target);
    const button = event.target.closest(":is(#moves, #hand .chosen) button[name=action]");
    if (region) {
      if (hasDragged || (byId(`tap-${region}`) && tap(region) !== false)) stop(event);
    } else if (event.target.closest("#let-go") && !byId("sure-words")) {
      choose("");
      stop(event);
    } else if (button) {
      const [verb, origin, target] = button.value.split(" ");
      if (verb === "move" && waysFrom(origin).get(target)?.[1] === origin) march(origin, target);
      else take(button.value);
      stop(event);
    }
    hasDragged = false;
  },
  true,
);

/** Point out where something can be done after a tap on a region that offers nothing. */
document.addEventListener("click", ({ target }) => {
  const region = regionOf(target);
  if (!region || byId(`tap-${region}`)) return;
  const map = target.closest(".map-sheet");
  map.classList.remove("pointing");
  void map.offsetWidth; // so that the animation begins again
  map.classList.add("pointing");
});

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// Drags begin only on the reader's own armies that can move; elsewhere a finger scrolls the map as usual

const FAR = 8; // pixels before a press is a drag
let drag = null;
let hasDragged = false;

document.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) return; // another finger
  letGo();
  hasDragged = false;
  const army = plan && !isBusyElsewhere && event.button === 0 && event.target.closest?.(".army.movable");
  if (!army) return;
  const { pointerId, clientX, clientY } = event;
  drag = { army, origin: army.closest("[data-of]").dataset.of, pointerId, x: clientX, y: clientY, was: chosen };
  army.addEventListener("touchmove", hold, { passive: false }); // a swap can take the army out of the map
});

document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointerId) return;
  const { army, origin, x, y } = drag;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - x, event.clientY - y) < FAR) return;
    hasDragged = true;
    choose(origin);
    drag.ghost = element("g", { class: `ghost ${plan.colour}`, "pointer-events": "none" }, byId("on-land"));
    drag.ghost.innerHTML = kit.armies[0];
    army.classList.add("dragged");
  }
  const matrix = byId("on-land").getScreenCTM().inverse();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  drag.ghost.setAttribute("transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${plan.scale * 1.25})`);
  const over = regionAt(event);
  for (const one of document.querySelectorAll(".region.over")) one.classList.remove("over");
  if (waysFrom(origin).has(over)) byId(`region-${over}`).classList.add("over");
});

const regionAt = ({ clientX, clientY }) => regionOf(document.elementFromPoint(clientX, clientY));

function drop(event) {
  if (event.pointerId !== drag?.pointerId) return;
  const { ghost, origin, was } = drag;
  letGo();
  if (!ghost) return;
  setTimeout(() => (hasDragged = false)); // after the click that may follow, which takes no step
  const target = event.type === "pointerup" && !isBusyElsewhere ? regionAt(event) : "";
  if (waysFrom(origin).has(target)) {
    chosen = "";
    march(origin, target);
  } else {
    choose(isSpot(was) ? was : "");
  }
}

function letGo() {
  drag?.ghost?.remove();
  drag?.army.classList.remove("dragged");
  for (const one of document.querySelectorAll(".region.over")) one.classList.remove("over");
  drag = null;
}

/** A finger that begins on an army that can move does not scroll the map. */
function hold(event) {
  if (drag && event.cancelable) event.preventDefault();
}

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, drop);
document.addEventListener("dragstart", (event) => event.target.closest?.(".map-sheet") && event.preventDefault());

// Sending: one request at a time, with all steps laid out since the last one. Steps that only the server can foresee are
// sent alone.

function send(again = false) {
  if (sent.length || (isStuck && !again) || !waiting.length) return;
  isStuck = false;
  const foreseen = waiting.findIndex((step) => !step.stops.length);
  sent = waiting.splice(0, foreseen < 0 ? waiting.length : Math.max(1, foreseen));
  const { step, seq, head } = document.querySelector(".map-sheet").dataset;
  const values = { action: sent.flatMap((one) => one.actions).join(";"), seq, head, laid: base };
  htmx.ajax("POST", step, { target: "#table", swap: "parts", source: table(), values }).catch(() => {}); // a failure shows itself
}

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  window.addEventListener(
    failure,
    ({ target }) => {
      if (!sent.length || target !== table()) return;
      waiting.unshift(...sent.splice(0));
      isStuck = true;
    },
    true,
  );
}
window.addEventListener("online", () => isStuck && send(true));

// "Try again" sends what failed and what was laid out after it
document.addEventListener("table:again", (event) => {
  if (!isStuck) return;
  event.preventDefault();
  send(true);
});

document.addEventListener("htmx:beforeRequest", () => (isBusyElsewhere = !sent.length));
document.addEventListener("table:free", (event) => {
  isBusyElsewhere = false;
  send();
  if (sent.length) event.preventDefault();
});

/** Whether the page still offers a step. Moves that the plan foresees need no button: `laid` has been compared. */
const isOffered = ({ stops, actions }) => stops.length || document.querySelector(`#moves button[value="${actions[0]}"]`);

/** Take over what the server drew: its plan, and on top of it the steps that it does not know yet. */
function adopt() {
  const { seq } = document.querySelector(".map-sheet")?.dataset ?? {};
  const laid = document.querySelector("#table input[name=laid]")?.value ?? "";
  const expected = [...(base ? [base] : []), ...sent.flatMap((one) => one.actions)].join(";");
  plan = JSON.parse(byId("plan")?.textContent ?? "null");
  kit = JSON.parse(byId("kit")?.textContent ?? "null");
  document.querySelector(".map-window")?.addEventListener("touchmove", hold, { passive: false });
  if (!plan || byId("alert") || laid !== expected || seq !== decision) waiting = [];
  const gone = waiting.findIndex((step) => !isOffered(step)); // such as a second tap on a button that is used up
  if (gone >= 0) waiting.length = gone;
  if (!plan || seq !== decision) letGo();
  else if (drag?.ghost) byId("on-land").append(drag.ghost);
  if (!sent.length || !plan) chosen = document.querySelector(".region.chosen")?.dataset.region ?? "";
  sent = [];
  base = laid;
  decision = seq;
  isStuck = false; // the server has answered, and lacks the steps that wait
  if (!plan) return;
  keepInPlace(() => {
    for (const step of waiting) draw(step);
    if (!isSpot(chosen)) chosen = "";
    mark();
  });
}

window.addEventListener("htmx:afterSwap", (event) => event.target.id === "table" && adopt(), true);
adopt();
