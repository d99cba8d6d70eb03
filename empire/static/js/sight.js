// When it becomes the reader's turn, a card is returned, something is refused or the game ends, the page does not scroll.
// If the cards, the refusal or the result are out of sight, a link at the edge of the window says so and leads to them,
// until they have been seen. In a lesson the teacher answers at once, so the answer to a turn may already begin the next
// one. A phone that loads the page again scrolls to where it was, which may be below the cards.

const table = () => document.getElementById("table");
const link = document.getElementById("to-news");
const isOver = () => Boolean(document.getElementById("result"));
const isMine = () => Boolean(table()?.querySelector(".status.mine"));
const isCardDue = () => Boolean(table()?.matches(".table-take"));
const refusal = () => table()?.querySelector(".status #alert");

let before = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  before = detail.target === table() && !("past" in table().dataset) ? { isMine: isMine(), isOver: isOver(), isCardDue: isCardDue(), refusal: refusal() } : null;
});

document.addEventListener("htmx:afterSwap", () => {
  if ("past" in table().dataset) return;
  const isNews = before && ((isMine() && (!before.isMine || (isCardDue() && !before.isCardDue))) || (isOver() && !before.isOver));
  const isRefused = before && Boolean(refusal()); // perhaps again, with the same sentence
  const isPast = before && (before.refusal || (!isMine() && !isOver()));
  before = null;
  if (isNews || isRefused) offer();
  else if (isPast) withdraw();
  else if (!link.hidden) offer(); // readers who continued without the link have another headline, and perhaps another part
});

// What has been seen needs no link. If the answer to a step replaces the part, the link is not shown again.
const sight = new IntersectionObserver((entries) => (entries.at(-1).isIntersecting ? withdraw() : (link.hidden = false)), {
  rootMargin: "-80px 0px -48px", // the dock of a phone in landscape is 70 pixels high
});

const due = () => refusal() ?? document.querySelector(isOver() ? "#lesson, #result" : "#hand .pointed, #hand:not(:has(.pointed))");

function offer() {
  sight.disconnect();
  link.textContent = (refusal() ?? table().querySelector("h1")).textContent;
  if (due()) sight.observe(due());
}

function withdraw() {
  sight.disconnect();
  link.hidden = true;
}

function offerIfAbove() {
  if (isMine() && !("past" in table().dataset) && due()?.getBoundingClientRect().bottom < 0) offer();
}

if (document.readyState === "complete") offerIfAbove();
else window.addEventListener("load", () => setTimeout(offerIfAbove), { once: true });

link.addEventListener("click", (event) => {
  event.preventDefault();
  withdraw();
  document.getElementById("content").scrollIntoView({ block: "start" });
  table().querySelector("h1").focus({ preventScroll: true });
});
