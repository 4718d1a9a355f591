import type { Grouped, Kind } from "./groups.ts";
import { type Anchors, constant, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart, Difference, Differences } from "./page.ts";

/** In which clusters of a fleet something is the same: "The same in 80 of 90 clusters in AWS: Group 1 (70), Group 2 (10)." */
export function whereIs(
  { clusters }: { readonly clusters: readonly [ClusterPart, ...ClusterPart[]] },
  grouped: Grouped,
  anchors: Anchors,
): Markup {
  const some = [...new Set(clusters)];
  const [first] = clusters;
  if (some.length === 1) return markup`Only in <a href="#${anchors.cluster(first)}">${shown(first.name)}</a>.`;
  const all = grouped.clouds.find(({ cloud }) => cloud === first.cloud)?.clusters.length ?? 0;
  const kinds = new Map<Kind, number>();
  for (const cluster of some) {
    const kind = grouped.kindOf(cluster);
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  // Very many links would hide the rest.
  const which =
    kinds.size > maxLinks
      ? shown(some.map(({ name }) => name).join(", "))
      : markup`${[...kinds].map(([kind, count], index) => markup`${index === 0 ? "" : ", "}${kindLink(kind, anchors)} (${count})`)}`;
  if (some.length === all) return markup`The same in all ${all} clusters in ${first.cloud}: ${which}.`;
  return markup`The same in ${some.length} of ${all} clusters in ${first.cloud}: ${which}.`;
}

const maxLinks = 8;

/** A link to a group of equal clusters. */
export function kindLink({ number }: Kind, anchors: Anchors): Markup {
  return markup`<a href="#${anchors.kind(number)}">Group ${number}</a>`;
}

/** What changes, and what to do about it; undefined if nothing was compared. */
export function differencesSection(grouped: Grouped, anchors: Anchors, isFleet: boolean): Markup | undefined {
  if (grouped.differences.length === 0) return undefined;
  const heading = constant(isFleet ? "h4" : "h3");
  return markup`${grouped.differences.map((shared) => {
    const { clusters } = shared;
    const [first, ...more] = clusters;
    const title = isFleet
      ? markup`<h3 class="k">${more.length === 0 ? shown(first.name) : `${clusters.length} clusters in ${first.cloud}`}</h3>
<p>${whereIs(shared, grouped, anchors)}</p>
`
      : undefined;
    return markup`${title}${ofCluster(first, shared.differences, anchors, heading)}`;
  })}`;
}

const verdicts = {
  none: "No permission changes.",
  narrowed: "Permissions become narrower.",
  broadened: "Permissions become broader.",
  both: "Some permissions become broader, others narrower.",
} as const;

const openVerdict = "It is undecided whether some permissions become broader or narrower.";

function ofCluster(cluster: ClusterPart, differences: Differences, anchors: Anchors, heading: Markup): Markup {
  const { against, verdict, isUndecided, counts, notes, identities, steps } = differences;
  const keys = new Set(cluster.identities.map(({ key }) => key));
  return markup`<p>Compared with <code>${shown(against)}</code>: <strong>${isUndecided === true ? openVerdict : verdicts[verdict]}</strong> ${shown(counts)}.</p>
${notes.map(
  (note) => markup`<p class="e">${shown(note)}</p>
`,
)}${identities.map((difference) => ofIdentity(cluster, difference, keys.has(difference.key), anchors, heading))}${stepList(heading, "Before the upgrade", steps.before)}${stepList(heading, "With the upgrade", steps.with)}${stepList(heading, "Only after the upgrade", steps.after)}`;
}

function ofIdentity(
  cluster: ClusterPart,
  { key, headline, lines }: Difference,
  isHere: boolean,
  anchors: Anchors,
  heading: Markup,
): Markup {
  const link = isHere ? markup` <a href="#${anchors.identity(cluster, key)}">Show the identity</a>` : undefined;
  return markup`<div class="b" id="${anchors.difference(cluster, key)}"><${heading}>${shown(headline)}</${heading}>${changeTable(lines)}${link}</div>
`;
}

const meanings: Readonly<Record<string, readonly [sign: string, look: string, word: string]>> = {
  "+": ["+", "warning", "more"],
  "-": ["−", "good", "less"],
  "~": ["~", "", "moved"],
};

/** Changes, a row each: the sign, its word, and the text. */
function changeTable(lines: readonly string[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  const rows = lines.map((line) => {
    const [sign, look, word] = meanings[line.slice(0, 2).trim()] ?? ["", "", ""];
    const text = sign === "" ? line : line.slice(2);
    return markup`<tr class="${look}"><td class="z">${sign}</td><td class="d">${word}</td><td><code>${shown(text)}</code></td></tr>
`;
  });
  return markup`<table><thead><tr><th scope="col">Sign</th><th scope="col">Meaning</th><th scope="col">Change</th></tr></thead><tbody>
${rows}</tbody></table>
`;
}

function stepList(heading: Markup, when: string, steps: readonly string[]): Markup | undefined {
  if (steps.length === 0) return undefined;
  return markup`<${heading} class="s">${when}</${heading}>
<ol>${steps.map(
    (step) => markup`<li>${shown(step)}</li>
`,
  )}</ol>
`;
}
