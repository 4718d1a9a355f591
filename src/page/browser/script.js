// @ts-nocheck: the checks of this repository know no browser. test/external/page/browser.test.ts runs it.
// Folds, finds, and filters what the page already shows. The page contains all data as text; here are only the words of the script.
import { isAction, search } from "./search.js";

const all = (selector, below = document) => [...below.querySelectorAll(selector)];
const form = document.querySelector("form");
const [query, kind, namespace, service, cluster] = all("input, select", form);
const told = document.querySelector("output");
const cards = all("article");
const exact = all("details details");
const parts = all("#identities > .c");
// The group of each cluster, by the row of the cluster.
const rows = all("#clusters tr[data-c]");
const groups = new Map(rows.map((row) => [row.id, row.dataset.c]));

const facts = new Map(
  cards.map((card) => [
    card,
    {
      kinds: card.dataset.k.split(" "),
      services: all("[data-s]", card).map(({ dataset }) => dataset.s),
      clusters: (card.dataset.c ?? "").split(" "),
    },
  ]),
);

const fold = (isOpen) => {
  for (const card of cards) card.firstElementChild.open = isOpen;
};
const foldAtFirst = () => fold(cards.length <= 8);

const fill = (select, texts) => {
  for (const text of [...new Set(texts)].sort()) select.add(new Option(text, text));
};

// The rows of a picture move up to where hidden ones were.
const layOut = (picture) => {
  const pieces = all("[data-h]", picture);
  let moved = 0;
  let isEmpty = true;
  for (const [index, piece] of pieces.entries()) {
    let isShown = !hidden.has(piece.dataset.i);
    if (!piece.dataset.i) {
      const next = pieces.slice(index + 1);
      const end = next.findIndex(({ dataset }) => !dataset.i);
      isShown = next.slice(0, end < 0 ? undefined : end).some(({ dataset }) => !hidden.has(dataset.i));
    }
    piece.classList.toggle("off", !isShown);
    if (isShown) isEmpty = false;
    else moved += Number(piece.dataset.h);
    piece.setAttribute("transform", `translate(0 ${-moved})`);
  }
  const [, , width, height] = boxes.get(picture);
  picture.setAttribute("viewBox", `0 0 ${width} ${height - moved}`);
  picture.classList.toggle("off", isEmpty);
};
const hidden = new Set();
const boxes = new Map(all("svg").map((picture) => [picture, picture.getAttribute("viewBox").split(" ")]));

const said = (word, count, undecided) => {
  const perhaps = undecided > 0 ? `; undecided for ${undecided} of them` : "";
  return isAction(word) ? `${count} of ${cards.length} identities may ${word}${perhaps}` : "";
};

const filter = () => {
  const words = query.value.split(/\s+/).filter(Boolean);
  const answers = words.map(search);
  const isFiltered = words.length > 0 || kind.value || namespace.value || service.value || cluster.value;
  let shown = 0;
  let undecided = 0;
  hidden.clear();
  for (const [index, card] of cards.entries()) {
    const { kinds, services, clusters } = facts.get(card);
    const fits =
      (!namespace.value || card.dataset.n === namespace.value) &&
      (!kind.value || kinds.includes(kind.value)) &&
      (!service.value || services.includes(service.value)) &&
      (!cluster.value || clusters.includes(groups.get(cluster.value))) &&
      answers.every((answer) => answer[index]);
    card.hidden = !fits;
    if (fits) shown += 1;
    else hidden.add(card.id);
    if (fits && answers.some((answer) => answer[index] === "undecided")) undecided += 1;
  }
  for (const part of parts) part.hidden = all("article", part).every((card) => card.hidden);
  for (const picture of all("svg")) layOut(picture);
  for (const drawing of all("#picture details"))
    drawing.hidden = all("svg", drawing).every((one) => one.classList.contains("off"));
  if (isFiltered) fold(true);
  else if (wasFiltered) foldAtFirst();
  wasFiltered = isFiltered;
  const may = words.length === 1 ? said(words[0], shown, undecided) : "";
  told.textContent = isFiltered ? may || `${shown} of ${cards.length} identities` : "";
};
let wasFiltered = false;

const clear = () => {
  for (const field of [query, kind, namespace, service, cluster]) field.value = "";
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
foldAtFirst();
fill(
  namespace,
  cards.map((card) => card.dataset.n),
);
fill(
  service,
  all("[data-s]").map(({ dataset }) => dataset.s),
);
for (const row of rows) cluster.add(new Option(row.firstElementChild.textContent, row.id));
cluster.parentElement.hidden = groups.size === 0;
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
