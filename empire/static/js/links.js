// Links can be copied or shared with a click, and the page of an open table shows who has joined.

const shown = "data-shown";

const showButtons = (root) => {
  const possible = [navigator.clipboard && "[data-copy]", navigator.share && "[data-share]"].filter(Boolean);
  for (const button of possible.flatMap((kind) => [...root.querySelectorAll(`${kind}:not([${shown}])`)])) {
    button.setAttribute(shown, "");
    button.hidden = false;
  }
};

const copy = async (button) => {
  const link = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    return link.select(); // the browser does not allow it: the reader can copy what is marked
  }
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = words), 2000);
};

// The phone's share sheet; where it fails, the link is copied
const share = async (button) => {
  const { share: place, title } = button.dataset;
  try {
    await navigator.share({ title, url: document.getElementById(place).value });
  } catch (error) {
    const other = document.querySelector(`[data-copy="${place}"]`);
    if (error.name !== "AbortError" && other) copy(other);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (button) (button.dataset.share ? share : copy)(button);
  else if (event.target.matches("[data-select]")) event.target.select();
});

showButtons(document);
document.addEventListener("htmx:afterSwap", (event) => showButtons(event.target));

const live = document.querySelector("[data-live]");

// Show the news of an open table. While names of players are being typed there, the section with their form stays.
async function refresh() {
  const names = live.querySelector(".invite-by-name [type=text]");
  if (!names || (!names.value && names !== document.activeElement)) return location.reload();
  const kept = names.closest("section");
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const place = page.querySelector(".invite-by-name")?.closest("section");
  if (!place) return location.reload(); // the game has begun, or the table is closed
  const parts = [...place.parentElement.children].map((part) => document.adoptNode(part));
  const at = parts.indexOf(place);
  for (const old of [...live.children]) if (old !== kept) old.remove();
  kept.before(...parts.slice(0, at));
  kept.after(...parts.slice(at + 1));
}

if (live) {
  const stream = new EventSource(live.dataset.live);
  stream.addEventListener("game", refresh);
  stream.addEventListener("error", async () => {
    if (stream.readyState !== EventSource.CLOSED) return;
    // The server has refused it: perhaps the reader was removed from a private table, which now leads elsewhere
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.redirected || answer?.status === 404) location.reload();
  });
}
