// Links to hand on: a click marks the whole link, and where the browser can copy there is a button for it.

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
