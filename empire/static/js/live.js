// An open page follows its game: by the stream while that works, else by asking now and then. What it hears it says as
// "table:news", with the newest version; table.js decides what becomes of it.
//
// A stream that says nothing for 45 seconds is not there: the server says something every 20. A page that is shown again
// asks at once, whatever it believes to know. Waits are spread by chance, so that thousands of pages do not come back
// in the same second.

const SILENT = 45_000;
const ASK = [20_000, 30_000]; // between two questions while there is no stream
const SOON = [500, 3_000]; // before the question what came while a stream broke
const AGAIN = [2_000, 6_000]; // before a stream that broke is tried again; longer each time
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

// Asking instead: goes on until a stream is heard, and rests while nobody looks

async function ask() {
  if (!address() || !isShown()) return;
  wait("ask", between(ASK), ask);
  try {
    const answer = await fetch(`${address()}?now`, { cache: "no-store" });
    if (answer.ok) tell(Number(await answer.text()));
  } catch {
    // no way to the server now; the next question will come
  }
}

// Coming back: from another tab, from sleep, from the way back, from a tunnel

function comeBack() {
  ask();
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
  if (slept) ask(); // the machine was asleep, or the tab
}, BEAT);

for (const back of ["visibilitychange", "resume"]) document.addEventListener(back, comeBack);
window.addEventListener("online", comeBack);
window.addEventListener("pageshow", (event) => event.persisted && comeBack());
for (const end of ["pagehide", "offline"]) window.addEventListener(end, hangUp);
document.addEventListener("freeze", hangUp);
document.addEventListener("htmx:afterSettle", follow); // from the history back to now, or at the end of the game

listen();
