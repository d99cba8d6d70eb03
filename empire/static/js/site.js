// Enhancements of every page: the browser's time zone is remembered, menus close as expected, slow and failed requests are
// announced, pictures that were refused are requested again, and a link to a place in a folded part unfolds it in browsers
// that do not.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`time_zone=${encodeURIComponent(zone)}`)) {
  document.cookie = `time_zone=${encodeURIComponent(zone)};path=/;max-age=31536000;samesite=lax`;
}

const menus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Slow requests. The sentences are in _waiting.html.

const SLOW = 300; // milliseconds until a request says that it is waiting
const PATIENCE = 15_000; // milliseconds until a form can be sent again; htmx gives up at the same time
const waiting = document.getElementById("wait-note");
let slow = 0;

function wait() {
  clearTimeout(slow);
  slow = setTimeout(() => (waiting.textContent = waiting.dataset.words), SLOW);
}

function stopWaiting() {
  clearTimeout(slow);
  waiting.textContent = "";
}

// A form without htmx is sent once: the second tap of two would start a second game

let sent = null;
let patience = 0;

function allowAgain() {
  sent = null;
  clearTimeout(patience);
  stopWaiting();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") === "dialog") return; // htmx sends it, or nothing is sent
  if (form === sent) return event.preventDefault();
  sent = form;
  if (!("download" in form.dataset)) wait(); // after a download, the page stays as it is
  clearTimeout(patience);
  patience = setTimeout(allowAgain, PATIENCE);
});

window.addEventListener("pageshow", (event) => event.persisted && allowAgain()); // back to a page whose form was sent

// Requests of htmx, except those of the table, which announces its own (sending.js), and those that a page makes by itself

const isTable = Boolean(document.getElementById("sending"));
const underWay = new Set();
let hadFocus = false;
const isAsked = ({ verb, triggeringEvent }) => !isTable && (verb !== "get" || ["change", "click"].includes(triggeringEvent?.type));

document.addEventListener("htmx:beforeRequest", ({ defaultPrevented, detail: { xhr, requestConfig } }) => {
  if (defaultPrevented || !isAsked(requestConfig)) return;
  document.getElementById("failed-request")?.remove();
  hadFocus = document.activeElement !== document.body;
  underWay.add(xhr);
  wait();
});

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => underWay.delete(xhr) && !underWay.size && stopWaiting());

// An answer that replaces what had the focus gives it to the same button, or to what has come
document.addEventListener("htmx:afterSettle", ({ target, detail: { requestConfig } }) => {
  if (!hadFocus || !isAsked(requestConfig) || document.activeElement !== document.body) return;
  const button = document.querySelector(`form[action="${requestConfig.path}"] [type=submit]`);
  if (!button) target.tabIndex = -1;
  (button ?? target).focus({ preventScroll: true });
});

/** Say above the form why its request failed. The form keeps what was typed. */
function fail({ detail: { elt, requestConfig, xhr } }, why) {
  const isSentence = [401, 403, 429, 503].includes(xhr.status) && xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  if (!isAsked(requestConfig)) return;
  const note = document.getElementById("failed-request") ?? document.createElement("p");
  note.id = "failed-request";
  note.className = "note error";
  note.setAttribute("role", "alert");
  note.textContent = isSentence ? xhr.responseText : waiting.dataset[why];
  (elt.closest("form") ?? elt).before(note);
  note.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:responseError", (event) => fail(event, event.detail.xhr.status < 500 ? "old" : "error"));
document.addEventListener("htmx:sendError", (event) => fail(event, navigator.onLine ? "lost" : "offline"));
document.addEventListener("htmx:timeout", (event) => fail(event, "lost"));

// A picture that a busy server has refused is requested again: without its land, a map can't be read. Browsers that do not
// know the status of a picture leave it missing.

const LATER = [5_000, 15_000, 45_000]; // milliseconds
const refusals = new Map(); // how often each address was refused

const addressOf = (element) => new URL((element.currentSrc ?? element.getAttribute("href")).split("#")[0], document.baseURI).href;

/** Request the address again for each picture that has it. If it is not that of a picture, nothing happens. */
function requestAgain(address) {
  for (const one of document.querySelectorAll("img")) if (addressOf(one) === address) one.src = one.src;
  for (const one of document.querySelectorAll("use[href]")) if (addressOf(one) === address) one.setAttribute("href", one.getAttribute("href"));
}

new PerformanceObserver((list) => {
  for (const { name, responseStatus } of list.getEntries()) {
    const address = name.split("#")[0];
    const n = refusals.get(address) ?? 0;
    if (![429, 503].includes(responseStatus) || n === LATER.length) continue;
    refusals.set(address, n + 1);
    setTimeout(() => requestAgain(address), LATER[n]);
  }
}).observe({ type: "resource", buffered: true });

// A form that came back with errors begins at the first of them, which screen readers then read with what is wrong.
// If no field is wrong, it begins at the refusal, which may be far down a page with several forms
const wrong = document.querySelector("main [aria-invalid='true']");
const refusal = document.querySelector("main form .note.error[role='alert']");
if (wrong) wrong.focus();
else if (refusal) {
  refusal.tabIndex = -1;
  refusal.focus({ preventScroll: true });
  refusal.scrollIntoView({ block: "center" });
}

// Details that the reader has opened stay open when an answer replaces them. For tables, table.js does this.

const unfolded = new Set(); // ids
if (!isTable) {
  document.addEventListener("click", ({ target, defaultPrevented }) => {
    const fold = target.closest?.("summary")?.parentElement;
    if (!fold?.id || defaultPrevented) return;
    fold.open ? unfolded.delete(fold.id) : unfolded.add(fold.id); // the browser changes it after this
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  });
}

function unfold() {
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = place && place.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  place.scrollIntoView();
}
unfold();
window.addEventListener("hashchange", unfold);
