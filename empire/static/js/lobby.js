// Enhancements around the table: links can be copied with a click, and an open table shows who has joined.

const dressed = "data-dressed";

const dress = (root) => {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll(`[data-copy]:not([${dressed}])`)) {
    button.setAttribute(dressed, "");
    button.hidden = false;
  }
};

const copy = async (button) => {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = words), 2000);
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  else if (event.target.matches("[data-select]")) event.target.select();
});

dress(document);
document.addEventListener("htmx:afterSwap", (event) => dress(event.target));

const live = document.querySelector("[data-live]");
if (live) new EventSource(live.dataset.live).addEventListener("game", () => location.reload());
