// When it becomes the reader's turn: a mark in the title of a hidden tab, the number of waiting games on the icon of the
// installed app, and a sound for those who want one. These settings are kept in this browser, where they apply.

const SOUND = "turn-sound"; // off unless the reader turns it on
const BADGE = "turn-badge"; // on, except on phones, where the icon of an app can also show its notifications
const MARK = "● ";
const TUNE = [[523.25, 0], [783.99, 0.14]]; // two soft notes: hertz, and when each begins

const isHidden = () => document.visibilityState === "hidden";
const isPhone = matchMedia("(pointer: coarse)").matches;

function isOn(setting) {
  let kept = null;
  try {
    kept = localStorage.getItem(setting);
  } catch {
    // storage is off
  }
  return kept ? kept === "on" : setting === BADGE && !isPhone;
}

function chime() {
  const audio = new AudioContext();
  for (const [pitch, start] of TUNE) {
    const begins = audio.currentTime + start;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(0.16, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.6);
    tone.connect(volume).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + 0.65);
    tone.onended = () => start && audio.close();
  }
}

// The table: is it the reader's turn now, and was it not before?

const table = () => document.getElementById("table");
let wasMine = table() ? "mine" in table().dataset : false;

function look() {
  badge();
  if (!table() || "past" in table().dataset) return;
  const isMine = "mine" in table().dataset;
  if (isMine && !wasMine && isOn(SOUND) && !document.hasFocus()) chime();
  if (isHidden() && ((isMine && !wasMine) || isMarked)) mark();
  wasMine = isMine;
}

let isMarked = false;

function mark() {
  isMarked = true;
  if (!document.title.startsWith(MARK)) document.title = MARK + document.title;
}

function unmark() {
  isMarked = false;
  if (document.title.startsWith(MARK)) document.title = document.title.slice(MARK.length);
}

function badge() {
  const count = document.getElementById("waiting-count");
  if (!("setAppBadge" in navigator) || !count) return;
  const waiting = isOn(BADGE) && !count.hidden ? Number(count.textContent) : 0;
  (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {}); // not installed, or not allowed
}

document.addEventListener("htmx:afterSettle", look);
document.addEventListener("visibilitychange", () => isHidden() || unmark());
badge();

// The settings of this device

for (const choice of document.querySelectorAll("[data-setting]")) {
  choice.checked = isOn(choice.dataset.setting);
  choice.closest("[hidden]")?.removeAttribute("hidden");
  choice.addEventListener("change", () => {
    try {
      localStorage.setItem(choice.dataset.setting, choice.checked ? "on" : "off");
    } catch {
      choice.checked = isOn(choice.dataset.setting); // storage is off, so it stays as it was
    }
    if (choice.dataset.setting === SOUND && choice.checked) chime();
    badge();
  });
}
