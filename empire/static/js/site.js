// Enhancements of every page: the browser's time zone is remembered, menus close as expected, and a link to a place in a
// folded part unfolds it in browsers that do not.

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

// Show the sentence of a 429 or 503 response above the page, which keeps what was typed.
document.addEventListener("htmx:responseError", ({ defaultPrevented, detail: { xhr } }) => {
  if (defaultPrevented || ![429, 503].includes(xhr.status)) return; // the table shows it itself
  const note = document.getElementById("too-often") ?? document.createElement("p");
  note.id = "too-often";
  note.className = "note error";
  note.setAttribute("role", "alert");
  note.textContent = xhr.responseText;
  document.getElementById("content").prepend(note);
  note.scrollIntoView({ block: "nearest" });
});

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

function unfold() {
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = place && place.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  place.scrollIntoView();
}
unfold();
window.addEventListener("hashchange", unfold);
