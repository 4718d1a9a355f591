// @ts-nocheck: the checks of this repository know no browser. test/external/page/browser.test.ts runs it.
// Folds, finds, and filters what the page already shows. The page contains all data as text; here are only the words of the script.
import { example, search, sentenceOf } from "./search.js";

const all = (selector, below = document) => [...below.querySelectorAll(selector)];
const forms = all("form");
const [form, filters] = forms;
const [query, kind, namespace, service, cluster] = all("input, select");
const [told, counted] = all("output");
const list = form.querySelector("ul");
const cards = all("article");
const exact = all("details details");
const parts = all("#identities .c");
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

// How many clusters a group has. A page about one cluster has no groups.
const sizes = new Map();
for (const group of groups.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
const groupsOf = cards.map((card) => facts.get(card).clusters);
const countsOf = (index) =>
  groupsOf[index]
    .filter((id) => !cluster.value || id === groups.get(cluster.value))
    .map((id) => ({ id, count: cluster.value ? 1 : (sizes.get(id) ?? 1) }));
const total = (some) => some.reduce((sum, count) => sum + count, 0);

// The answer about the identities that the other fields leave, in the words of the command line.
const answerText = ({ said, answers }, isLeft) => {
  const weighed = answers.flatMap((one, index) => {
    const isAnswer = one.answer && one.answer !== "named";
    return isAnswer && isLeft[index] ? [{ ...one, clusters: countsOf(index) }] : [];
  });
  const identities = total(isLeft.flatMap((is, index) => (is ? countsOf(index).map(({ count }) => count) : [])));
  const packages = cluster.value ? 1 : Math.max(1, total([...sizes.values()]));
  const named = answers.filter(({ answer }, index) => answer === "named" && isLeft[index]).length;
  const more = named === 0 ? "" : ` The word is in ${named === 1 ? "a name" : "names"} of ${named} more.`;
  return sentenceOf(said, weighed, { packages, identities }) + more;
};

// What an identity answers, beside its name.
const pillOf = ({ answer, steps }) =>
  answer === "step"
    ? `by ${[...new Set(steps.map(({ by }) => by))].join(", ")}`
    : { allowed: "can", undecided: "undecided" }[answer];
const mark = (card, text) => {
  const summary = card.querySelector("summary");
  summary.querySelector("[data-p]")?.remove();
  if (!text) return;
  const pill = document.createElement("span");
  pill.className = "a";
  pill.dataset.p = "";
  pill.textContent = text;
  summary.append(pill);
};

const marked = (text) => {
  const one = document.createElement("mark");
  one.textContent = text;
  return one;
};

// Marks actions where the section of an identity lists them: "s3:Get*" is "Get*" of "s3", and a role is only a name.
const markActions = (card, actions) => {
  const wanted = new Set(actions.map((action) => action.toLowerCase()));
  for (const line of all("[data-s]", card)) {
    const service = line.firstElementChild.textContent;
    const isWanted = (name) => wanted.has(name.toLowerCase()) || wanted.has(`${service}:${name}`.toLowerCase());
    for (const code of all("code", line)) {
      const names = code.textContent.split(", ");
      if (code.childElementCount === 0 && names.some(isWanted))
        code.replaceChildren(
          ...names.flatMap((name, index) => [index > 0 ? ", " : "", isWanted(name) ? marked(name) : name]),
        );
    }
  }
};
const unmark = () => {
  for (const one of all("code mark")) {
    const code = one.parentNode;
    one.replaceWith(one.textContent);
    code.normalize();
  }
};

// Who it is, below the sentence: nobody has to look for the sections.
const answerItem = (card, { actions = [], serviceAccounts = [], ...answer } = {}) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#${encodeURIComponent(card.id)}`;
  link.textContent = card.querySelector("summary").firstElementChild.textContent;
  const users = serviceAccounts.map((one) => one.split(":").slice(-2).join("/"));
  const more = actions.length > maxListed ? ` and ${actions.length - maxListed} more` : "";
  const pill = pillOf(answer);
  item.append(
    link,
    pill ? `: ${pill}` : "",
    ...actions.slice(0, maxListed).flatMap((action) => [" ", marked(action)]),
    more,
  );
  if (pill && users.length > 0) item.append(`, used by ${users.join(", ")}`);
  return item;
};
const maxListed = 5;
const maxAnswers = 8;

// What the fields besides the search leave.
const isChosen = (card) => {
  const { kinds, services, clusters } = facts.get(card);
  return (
    (!namespace.value || card.dataset.n === namespace.value) &&
    (!kind.value || kinds.includes(kind.value)) &&
    (!service.value || services.includes(service.value)) &&
    (!cluster.value || clusters.includes(groups.get(cluster.value)))
  );
};

// People also ask in a sentence.
const wordsOf = (text) =>
  (/^\s*who (?:can|may) (?:do |use )?(.*?)\??\s*$/i.exec(text)?.[1] ?? text).split(/\s+/).filter(Boolean);

// The answer: a sentence, who it is, and the marked actions.
const tell = (found, isLeft, count) => {
  const only = found.length === 1 ? found[0] : undefined;
  const shown = [...cards.entries()].filter(([, card]) => !card.hidden);
  unmark();
  for (const card of cards) mark(card, "");
  if (found.length === 0) {
    told.textContent = "";
    list.replaceChildren();
    return;
  }
  for (const [index, card] of shown) {
    if (only) mark(card, pillOf(only.answers[index]));
    for (const { answers } of found) markActions(card, answers[index].actions);
  }
  const isAnswered = only && (shown.length === 0 || !only.isName);
  told.textContent = (isAnswered && answerText(only, isLeft)) || (shown.length === 0 ? `${count}. ${advice}` : count);
  // What certainly can is first; the rest is by risk, as on the page.
  const rank = ([index]) => ["allowed", "step", "undecided", "named"].indexOf(only?.answers[index].answer);
  const items = shown
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxAnswers)
    .map(([index, card]) => answerItem(card, only?.answers[index]));
  const more = shown.length > maxAnswers ? [textItem(`and ${shown.length - maxAnswers} more below`)] : [];
  list.replaceChildren(...items, ...more);
};
const advice = `Ask for one thing at a time${example ? `, such as ${example}` : ""}.`;
const textItem = (text) => {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
};

const filter = () => {
  const found = wordsOf(query.value).map((word) => search(word, groupsOf));
  const isFiltered = found.length > 0 || kind.value || namespace.value || service.value || cluster.value;
  const isLeft = cards.map(isChosen);
  hidden.clear();
  for (const [index, card] of cards.entries()) {
    card.hidden = !isLeft[index] || !found.every(({ answers }) => answers[index].answer);
    if (card.hidden) hidden.add(card.id);
  }
  for (const part of parts) part.hidden = all("article", part).every((card) => card.hidden);
  for (const row of all("#summary tr[data-i]")) row.hidden = hidden.has(row.dataset.i);
  for (const picture of all("svg")) layOut(picture);
  for (const drawing of all("#picture details"))
    drawing.hidden = all("svg", drawing).every((one) => one.classList.contains("off"));
  if (isFiltered) fold(true);
  else if (wasFiltered) foldAtFirst();
  wasFiltered = isFiltered;
  const count = `${cards.length - hidden.size} of ${cards.length} identities`;
  counted.textContent = isFiltered ? count : "";
  tell(found, isLeft, count);
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
if (example) query.placeholder = example;
for (const one of forms) {
  one.hidden = cards.length === 0;
  one.addEventListener("input", filter);
  one.addEventListener("submit", (event) => event.preventDefault());
}
filters.addEventListener("click", ({ target }) => {
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
// Exact files, and lists of IDs, are printed only if the reader has opened them.
let folded = [];
addEventListener("beforeprint", () => {
  folded = all("details:not([open])").filter((one) => !exact.includes(one));
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});
follow();
