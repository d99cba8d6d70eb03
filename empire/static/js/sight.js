// When news make it the reader's turn or end the game, the headline with the cards or the result comes into sight.
// Readers who are below the map, at the players or the log, stay where they are.

const table = () => document.getElementById("table");
const isMine = () => Boolean(table()?.querySelector(".status.mine"));
const isOver = () => Boolean(table()?.querySelector("#result"));

let before = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const played = document.querySelector(".map, .k-board")?.getBoundingClientRect();
  const isAtBoard = Boolean(played) && played.bottom > 0;
  before = detail.target === table() && isAtBoard && !("past" in table().dataset) ? { isMine: isMine(), isOver: isOver() } : null;
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before || "past" in table().dataset) return;
  if ((isMine() && !before.isMine) || (isOver() && !before.isOver)) {
    document.getElementById("content").scrollIntoView({ block: "start", behavior: "instant" });
  }
  before = null;
});
