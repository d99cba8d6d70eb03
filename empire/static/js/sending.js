// Between a button at the table and the server: a confirmed turn waits a few seconds, slow requests are announced, and
// failed ones can be tried again. The sentences are in _sending.html, outside the table, so that a swap doesn't remove them.

const SECONDS = 5;
const SLOW = 300; // milliseconds until a request says that it is waiting
const UNSURE = /\/(step|undo)$/; // repeated, these would count twice: without an answer, the page looks again instead

const bar = document.getElementById("sending");
const part = (state) => bar.querySelector(`[data-sending="${state}"]`);
const show = (state, isShown) => (part(state).hidden = !isShown);
const table = () => document.getElementById("table");

const DOUBLE_TAP = 400; // milliseconds
let asked = null; // the question on the page

/** Ignore taps on an element that has just appeared, which may be the second tap of two on the button before it. */
function ignoreDoubleTap(appeared) {
  appeared.classList.add("just-appeared");
  setTimeout(() => appeared.classList.remove("just-appeared"), DOUBLE_TAP);
}

document.addEventListener("htmx:afterSwap", () => {
  const question = document.querySelector("#table .sure");
  if (question && question !== asked) ignoreDoubleTap(question);
  asked = question;
  table().inert = Boolean(held); // news replaces the attributes of the table
});

function say(words) {
  document.getElementById("sending-said").textContent = words;
}

// What is sent: kept apart from its form, because news may replace the table meanwhile

const swapOf = (element, etc) => etc.swapOverride ?? element.closest("[hx-swap]")?.getAttribute("hx-swap") ?? "parts";

function fields(element, event) {
  const form = element.form ?? element;
  const found = new FormData(form);
  const button = element.form ? element : event?.submitter;
  if (button?.name) found.set(button.name, button.value);
  return found;
}

function send({ verb, path, values, target, swap }) {
  const isHere = bar.contains(document.activeElement); // which is about to go
  if (isHere) (document.querySelector("#hand:not(.empty)") ?? document.getElementById("headline"))?.focus({ preventScroll: true });
  show("failed", false);
  return htmx.ajax(verb, path, { source: bar, target, swap, values }).catch(() => {}); // a failure shows itself
}

const look = () => send({ verb: "get", path: location.pathname, values: {}, target: "#table", swap: "parts" });

// A confirmed turn waits, so that a slip of the thumb can be undone before anything is decided. If its button scrolls the
// page, that happens at once: when the turn is sent, the reader may be looking at something else. Undo scrolls back.

let held = null;
let timer = 0;

document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb, path, target, etc, triggeringEvent } = event.detail;
  if (!("hold" in bar.dataset) || elt === bar || verb === "get" || !elt.closest("[data-hold]")) return; // get: "Keep playing"
  event.preventDefault();
  if (held) return;
  const values = fields(elt, triggeringEvent);
  for (const [name, value] of Object.entries(etc.values ?? {})) values.set(name, value);
  const [swap, shown] = swapOf(elt, etc).split(" show:");
  const before = window.scrollY;
  if (shown) document.querySelector(shown.split(":")[0]).scrollIntoView({ behavior: "instant" });
  const scrolled = { from: before, to: window.scrollY };
  hold({ verb, path, values, target: `#${target.id}`, swap, scrolled, from: document.activeElement?.id });
});

function hold(turn) {
  held = { ...turn, until: Date.now() + SECONDS * 1000 };
  table().inert = true;
  show("failed", false);
  show("hold", true);
  ignoreDoubleTap(part("hold"));
  part("hold").focus({ preventScroll: true });
  say(part("hold").dataset.said);
  count();
  timer = setInterval(count, 200);
}

function count() {
  const left = Math.ceil((held.until - Date.now()) / 1000);
  part("hold").querySelector("[data-left]").textContent = Math.max(left, 1);
  if (left <= 0) send(release());
}

/** End the wait, and return the turn that waited. */
function release() {
  const turn = held;
  held = null;
  clearInterval(timer);
  table().inert = false;
  show("hold", false);
  say("");
  (document.getElementById(turn.from) ?? document.getElementById("hand"))?.focus({ preventScroll: true });
  return turn;
}

function undo() {
  if (!held) return; // a key that was pressed before the turn was sent and released after it
  const { scrolled } = release();
  if (window.scrollY === scrolled.to) window.scrollTo({ top: scrolled.from, behavior: "instant" });
  say(part("hold").dataset.undone);
}

document.addEventListener(
  "keydown",
  (event) => {
    if (!held || event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    undo();
  },
  true,
);

// Leaving sends the turn at once. Phones may stop a hidden page without another word, so hiding counts as leaving.
// A refusal is a message on the next page.

async function leave() {
  if (!held) return;
  const turn = release();
  const values = new URLSearchParams(turn.values);
  values.set("left", "1");
  try {
    const answer = await fetch(turn.path, {
      method: "POST",
      body: values,
      headers: { ...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true" },
      keepalive: true,
    });
    if (answer.headers.has("Refused")) location.replace(location.pathname); // at its top, where messages are
    else if (answer.ok) look();
    else fail(turn, "error");
  } catch {
    fail(turn, "lost");
  }
}

window.addEventListener("pagehide", leave);
document.addEventListener("freeze", leave);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
window.addEventListener("pageshow", (event) => event.persisted && look());

// Slow requests. The table's own refresh after news is not announced.

const isQuiet = ({ elt, verb }) => elt === table() && verb === "get";
const underWay = new Set();
let slow = 0;

document.addEventListener("htmx:beforeRequest", ({ defaultPrevented, detail: { xhr, requestConfig } }) => {
  if (defaultPrevented || isQuiet(requestConfig)) return; // player.js has the page already
  underWay.add(xhr);
  show("failed", false);
  clearTimeout(slow);
  slow = setTimeout(() => {
    show("wait", true);
    table().setAttribute("aria-busy", "true");
    say(part("wait").textContent.trim());
  }, SLOW);
});

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (!underWay.delete(xhr) || underWay.size) return;
  clearTimeout(slow);
  if (!part("wait").hidden) say("");
  show("wait", false);
  table()?.removeAttribute("aria-busy");
});

// Failures: nothing on the page is lost, and the same request can be sent again, because it names the entry it acts on

let failed = null;

function fail(request, why, words = "", does = { old: "reload", unsure: "look" }[why] ?? "again") {
  failed = request;
  for (const line of part("failed").querySelectorAll("[data-why]")) line.hidden = line.dataset.why !== why;
  if (words) part("failed").querySelector(`[data-why="${why}"]`).textContent = words;
  for (const button of part("failed").querySelectorAll("[data-do]")) {
    button.hidden = ![does, "close"].includes(button.dataset.do);
  }
  show("failed", true);
}

function caught(event, why) {
  const { requestConfig, xhr, etc } = event.detail;
  event.preventDefault(); // the note of site.js, above the table, would move the page
  if (isQuiet(requestConfig)) return;
  const { verb, path, formData, target, elt } = requestConfig;
  const request = { verb, path, values: formData, target: `#${target.id}`, swap: swapOf(elt, etc) };
  const isSentence = [401, 403, 429, 503].includes(xhr.status) && xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  if (why === "error" && isSentence) fail(request, "said", xhr.responseText, xhr.status < 429 ? "reload" : "again");
  else if (why === "error" && xhr.status < 500) fail(request, "old");
  else if (why === "lost" && !navigator.onLine) fail(request, "offline");
  else if (why !== "error" && verb === "post" && UNSURE.test(path)) fail(request, "unsure");
  else fail(request, why);
}

// With DEBUG, django-htmx would put Django's error page in place of the table, and what is laid out would be lost.
document.addEventListener("htmx:beforeOnLoad", (event) => event.detail.xhr.status >= 400 && event.stopImmediatePropagation(), true);
document.addEventListener("htmx:responseError", (event) => caught(event, "error"), true);
document.addEventListener("htmx:sendError", (event) => caught(event, "lost"), true);
document.addEventListener("htmx:timeout", (event) => caught(event, "late"), true);

const ACTIONS = {
  undo,
  send: () => held && send(release()),
  again: () => document.dispatchEvent(new CustomEvent("table:again", { cancelable: true })) && send(failed),
  look,
  reload: () => location.reload(),
  close: () => show("failed", false),
};

bar.addEventListener("click", (event) => ACTIONS[event.target.closest("[data-do]")?.dataset.do]?.());
