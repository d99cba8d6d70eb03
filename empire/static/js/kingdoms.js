// Comforts of the table of Kingdoms: a tap on a castle keeps the picked cards, and what they make is said aloud.

const picks = () => document.getElementById("board");

// A castle that can be pointed at. Its link works by itself, but knows only the cards that the page was drawn with.

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".k-realm a.target");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { action } = link.dataset;
  const swap = { target: "#table", swap: "outerHTML", source: document.getElementById("table") };
  if (action) {
    const { step, seq, head } = link.closest("[data-step]").dataset;
    return htmx.ajax("POST", step, { ...swap, values: { action, seq, head } });
  }
  htmx.ajax("GET", location.pathname + pointed(link.getAttribute("href")), swap);
});

function pointed(href) {
  const query = new URLSearchParams(href.split("#")[0]);
  query.delete("c");
  for (const card of picks()?.querySelectorAll("[name=c]:checked") ?? []) query.append("c", card.value);
  return `?${query}`;
}

// What the picked cards make

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "hand") return;
  document.getElementById("said").textContent = document.getElementById("hand").dataset.said;
});
