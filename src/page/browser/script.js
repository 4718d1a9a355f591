// @ts-nocheck: the checks of this repository know no browser. test/external/report/browser.test.ts runs it.
// Folds, finds, and filters what the page already shows. The page contains all data as text; here are only the words of the script.
const all = (selector, below = document) => [...below.querySelectorAll(selector)];
const form = document.querySelector("form");
const [query, kind, namespace, service] = all("input, select", form);
const told = document.querySelector("output");
const cards = all("article");
const exact = all("details details");
const rows = new Map();
for (const row of all("svg [data-i]")) rows.set(row.dataset.i, [...(rows.get(row.dataset.i) ?? []), row]);

const facts = new Map();
const factsOf = (card) => {
  const known = facts.get(card) ?? {
    text: card.textContent.toLowerCase(),
    kinds: card.dataset.k.split(" "),
    namespace: card.dataset.n,
    services: all("[data-s]", card).map(({ dataset }) => dataset.s),
  };
  facts.set(card, known);
  return known;
};

const fold = (isOpen) => {
  for (const card of cards) card.firstElementChild.open = isOpen;
};

const fill = (select, texts) => {
  for (const text of [...new Set(texts)].sort()) select.add(new Option(text, text));
};

const filter = () => {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = words.length > 0 || kind.value || namespace.value || service.value;
  let shown = 0;
  for (const card of cards) {
    const fits =
      !isFiltered ||
      ((!namespace.value || card.dataset.n === namespace.value) &&
        (!kind.value || factsOf(card).kinds.includes(kind.value)) &&
        (!service.value || factsOf(card).services.includes(service.value)) &&
        words.every((word) => factsOf(card).text.includes(word)));
    card.hidden = !fits;
    if (fits) shown += 1;
    for (const row of rows.get(card.id) ?? []) row.classList.toggle("off", !fits);
  }
  told.textContent = isFiltered ? `${shown} of ${cards.length} identities` : "";
};

const clear = () => {
  for (const field of [query, kind, namespace, service]) field.value = "";
  filter();
};

const follow = () => {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {}
  const target = id && document.getElementById(id);
  if (!target) return;
  if (target.hidden) clear();
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target.tagName === "ARTICLE") target.firstElementChild.open = true;
  target.scrollIntoView();
};

for (const one of exact) one.open = false;
if (cards.length > 8) fold(false);
fill(
  namespace,
  cards.map((card) => card.dataset.n),
);
fill(
  service,
  all("[data-s]").map(({ dataset }) => dataset.s),
);
form.hidden = cards.length === 0;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("click", ({ target }) => {
  if (target.name === "open") fold(true);
  if (target.name === "close") fold(false);
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && !form.hidden) {
    event.preventDefault();
    query.focus();
  }
  if (event.key === "Escape" && event.target === query) clear();
});
document.addEventListener("click", ({ target }) => {
  const row = target.closest?.("svg [data-i]");
  if (row) location.hash = encodeURIComponent(row.dataset.i);
});
addEventListener("hashchange", follow);
let folded = [];
addEventListener("beforeprint", () => {
  folded = all("details:not([open])");
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});
follow();
