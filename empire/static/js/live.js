// An open page follows its game: by the live stream if possible, else by polling. It dispatches "table:news" with the
// newest version and "table:chat" with the last message; table.js and chat.js decide what to do.
//
// A stream that is silent for 45 seconds is dead, because the server sends something every 20. A page that becomes
// visible polls at once. Delays are random, so that thousands of pages do not reconnect in the same second.

const SILENT = 45_000;
const ASK = [20_000, 30_000]; // between polls without a stream
const SOON = [500, 3_000]; // before polling for what was missed when a stream broke
const AGAIN = [2_000, 6_000]; // before reconnecting a broken stream; longer each time
const LONGEST = 120_000;

const address = () => document.getElementById("table")?.dataset.live;
const between = ([least, most]) => least + Math.random() * (most - least);
const isShown = () => document.visibilityState === "visible";

let stream = null;
let failures = 0;
const clocks = {};

function wait(what, delay, then) {
  clearTimeout(clocks[what]);
  clocks[what] = setTimeout(then, delay);
}

function tell(version) {
  if (Number.isInteger(version)) document.dispatchEvent(new CustomEvent("table:news", { detail: { version } }));
}

// A player who has used the page lately says about once a minute that they are still there, so that they get no email
// about each turn. To anyone else, the server answers with another status than 204 or 205, and the page stops asking. With
// 205 it says that a sealed bid, which is no news for others, was made in another tab or on another device; table.js then
// looks again.

const STAY = 50_000; // between two such requests
const AWAY = 300_000; // without a touch or a key; the player counts as away
let used = Date.now();
for (const sign of ["pointerdown", "pointermove", "keydown", "scroll"]) {
  document.addEventListener(sign, () => (used = Date.now()), { capture: true, passive: true });
}

let isPlayer = true;

async function stay() {
  if (!isPlayer || !address() || !isShown() || Date.now() - used > AWAY) return;
  const { owes } = document.getElementById("table").dataset;
  try {
    const answer = await fetch(new URL(owes ? `here?owes=${owes}` : "here", document.baseURI), { cache: "no-store" });
    if (answer.status === 205) document.dispatchEvent(new Event("table:elsewhere"));
    else isPlayer = !answer.ok || answer.status === 204;
  } catch {
    // the server is unreachable now; say it again later
  }
}

setInterval(stay, STAY);

// The stream

function listen() {
  if (stream || !address() || !navigator.onLine) return;
  stream = new EventSource(address());
  wait("silence", SILENT, lose);
  stream.addEventListener("here", heard);
  stream.addEventListener("game", (event) => {
    heard();
    tell(Number(event.data.split(" ")[1]));
  });
  stream.addEventListener("chat", (event) => {
    heard();
    document.dispatchEvent(new CustomEvent("table:chat", { detail: { last: Number(event.data) } }));
  });
  stream.addEventListener("error", lose);
}

function heard() {
  failures = 0;
  clearTimeout(clocks.ask);
  clearTimeout(clocks.again);
  wait("silence", SILENT, lose);
}

function hangUp() {
  stream?.close();
  stream = null;
  clearTimeout(clocks.silence);
}

function lose() {
  hangUp();
  failures += 1;
  wait("again", Math.min(LONGEST, between(AGAIN) * 2 ** (failures - 1)), listen);
  wait("ask", between(failures > 1 ? ASK : SOON), ask);
}

// Polling, until a stream works and while the page is visible

async function ask() {
  if (!address() || !isShown()) return;
  wait("ask", between(ASK), ask);
  try {
    const answer = await fetch(`${address()}?now`, { cache: "no-store" });
    if (answer.ok) tell(Number(await answer.text()));
  } catch {
    // the server is unreachable now; poll again later
  }
}

// Coming back: from another tab, sleep, the back button or a lost network

function comeBack() {
  ask();
  if ("owes" in document.getElementById("table").dataset) stay();
  if (stream?.readyState === EventSource.OPEN) return;
  hangUp();
  wait("again", between([0, 1_500]), listen);
}

function follow() {
  if (address()) listen();
  else if (!("past" in document.getElementById("table").dataset)) hangUp(); // the game is over
}

const BEAT = 5_000;
let beat = Date.now();
setInterval(() => {
  const slept = Date.now() - beat > 4 * BEAT;
  beat = Date.now();
  if (slept) ask(); // the machine or the tab was asleep
}, BEAT);

for (const back of ["visibilitychange", "resume"]) document.addEventListener(back, comeBack);
window.addEventListener("online", comeBack);
window.addEventListener("pageshow", (event) => event.persisted && comeBack());
for (const end of ["pagehide", "offline"]) window.addEventListener(end, hangUp);
document.addEventListener("freeze", hangUp);
document.addEventListener("htmx:afterSettle", follow); // back from the history, or at the end of the game

listen();
