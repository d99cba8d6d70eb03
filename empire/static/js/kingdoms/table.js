// Enhancements of the Kingdoms table: a tap on a castle keeps the selected cards, Enter
// selects one, and what they can do is announced.

const picks = () => document.getElementById("board");

// A selectable castle. Its link works without scripts, but only with the cards selected when the page was drawn.

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".k-realm a.target");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { action } = link.dataset;
  const swap = { target: "#table", swap: "parts", source: link };
  if (action) {
    const { step, seq, head, laid } = link.closest("[data-step]").dataset;
    return htmx.ajax("POST", step, { ...swap, values: { action, seq, head, laid } });
  }
  htmx.ajax("GET", location.pathname + pointed(link.getAttribute("href")), swap);
});

function pointed(href) {
  const query = new URLSearchParams(href.split("#")[0]);
  query.delete("c");
  for (const card of picks()?.querySelectorAll("[name=c]:checked") ?? []) query.append("c", card.value);
  query.set("seq", document.getElementById("realm").dataset.seq);
  query.set("laid", "");
  return `?${query}`;
}

// Enter selects a card, too. Otherwise it would submit the form with its first button, which sorts the hand.

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.(".k-play [name=c]")) return;
  event.preventDefault();
  event.target.click();
});

// Announce what the selected cards can do

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "hand") return;
  document.getElementById("said").textContent = document.getElementById("hand").dataset.said;
});
