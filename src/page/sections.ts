import { capitalized, compareText } from "../core/text.ts";
import type { ClusterKind, Grouped } from "./groups.ts";
import { type Anchors, type Content, constant, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart, DifferenceSection, Differences, FindingPart, Page } from "./page.ts";
import { amount, countOf, marksOf, reachingOf } from "./services.ts";

/** The facts about a cluster: where it is, and whose tokens the cloud trusts. */
export function factsOf(cluster: ClusterPart): Markup {
  const { path, cloud, account, region, issuer, previousIssuers, keyIds, release } = cluster;
  const facts: readonly (readonly [string, readonly Markup[]])[] = [
    ["Cloud", codes(cloud)],
    ["Account", codes(account)],
    ["Region", codes(region)],
    ["Issuer", codes(issuer)],
    ["Previous issuers, still trusted", codes(...previousIssuers)],
    ["Keys", codes(...keyIds)],
    ["Private keys", keyIds.length === 0 ? [] : [markup`${capitalized(privateKeys)}`]],
    ["Release", codes(release)],
    ["Directory", codes(path)],
  ];
  const rows = facts
    .filter(([, texts]) => texts.length > 0)
    .map(([name, texts]) => markup`<dt>${name}</dt><dd>${texts}</dd>`);
  return markup`<dl class="f">${rows}</dl>`;
}

/** What is known of the private parts of keys. */
export const privateKeys =
  "not known; the files say neither how old the keys are nor where their private parts are kept.";

function codes(...texts: readonly (string | undefined)[]): Markup[] {
  return texts.flatMap((text) => (text === undefined ? [] : [markup`<code>${shown(text)}</code>`]));
}

/** The verdict: how many problems there are, what was accepted and why, and what each cluster of a fleet adds to it. */
export function verdictSection(page: Page, grouped: Grouped, anchors: Anchors): Markup {
  const { clusters, made } = page;
  const findings = clusters.flatMap((cluster) => cluster.findings ?? []);
  const identities = clusters.flatMap((cluster) => cluster.identities);
  const marks = identities.map(marksOf);
  const counts = countsOf(findings);
  const { errors, warnings, released, accepted } = counts;
  const isChecked = clusters.some((cluster) => cluster.findings !== undefined);
  const beyond = countOf(marks, "reach");
  const tiles = [
    ...(isChecked
      ? [
          tile(errors, errors === 1 ? "error" : "errors", errors > 0 ? "error" : "good"),
          tile(warnings, warnings === 1 ? "warning" : "warnings", warnings > 0 ? "warning" : "good"),
          ...(released > 0 ? [tile(released, "in OpenShift’s own requests", "")] : []),
          tile(accepted, "accepted", ""),
        ]
      : []),
    ...(clusters.length > 1 ? [tile(clusters.length, "clusters", "")] : []),
    tile(identities.length, identities.length === 1 ? "identity" : "identities", ""),
    tile(countOf(marks, "wildcard"), "with wildcards", ""),
    tile(countOf(marks, "escalation"), "can escalate", ""),
    ...(beyond === "0" ? [] : [tile(beyond, "beyond the cluster", "")]),
  ];
  const open = findings.filter((one) => one.accepted === undefined);
  const others = open.filter((one) => one.isOfRelease !== true);
  return markup`<p>${sentence(page, counts)}</p>
<ul class="t ${tileColumns(tiles.length)}">${tiles}</ul>
${byRule("Problems by rule", others, anchors)}${byRule("In OpenShift’s own requests", open.filter(isOfRelease), anchors)}${acceptedTable(grouped, anchors, clusters.length > 1)}${accepted > 0 ? expiry(made.today) : undefined}${factsNote(page)}`;
}

/** How many tiles are in a row where not all of them fit: never such that the last one is alone. */
function tileColumns(count: number): string {
  const columns = [4, 3].find((each) => count % each !== 1) ?? 5;
  return `t${columns}${count % 2 === 0 ? " t2" : ""}`;
}

// Nearly every identity reaches beyond its cluster, so it is said once: a reader would take a mark on each for a problem.
function factsNote({ clusters }: Page): Markup | undefined {
  const identities = clusters.flatMap((cluster) => cluster.identities);
  const reaching = identities.filter(({ reach = [] }) => reach.length > 0);
  if (reaching.length === 0) return undefined;
  const released = reaching.filter(isOfRelease).length;
  const they = clusters.length === 1 ? "this cluster" : "their cluster";
  const asked =
    released === 0
      ? ""
      : ` OpenShift’s own requests ask for this${released === reaching.length ? "" : ` in ${released} of them`}, which is not marked: a request is the same for every cluster, so it cannot name the resources of one.`;
  return markup`<p>${reachingOf(identities)} of ${amount(identities.length, "identity")} can use resources that are not limited to ${they}. This is a fact about permissions, and not a problem by itself.${asked} If you add a limit by hand, test it: it can break a component, for example snapshots of volumes. To separate clusters, give each one its own account, project, or subscription.</p>
`;
}

/** What a reader could take for answered, although the page does not know it. */
export function notCovered({ clusters }: Page): Markup {
  const { released } = countsOf(clusters.flatMap(({ findings = [] }) => findings));
  const unchanged =
    released === 0
      ? undefined
      : markup`<li>Whether OpenShift’s own requests are unchanged: these are the ones with the annotations of a release.</li>`;
  return markup`<div class="b"><h3>Not on this page</h3><ul><li>What the cloud has: “ccf status” compares it with the files.</li><li>Other policies that count: of the organization, the account, or a resource.</li><li>Identities that are not in these files, and static keys.</li><li>Who can create pods that use a service account.</li>${unchanged}</ul></div>
`;
}

function isOfRelease({ isOfRelease }: Pick<FindingPart, "isOfRelease">): boolean {
  return isOfRelease === true;
}

function tile(count: number | string, word: string, look: string): Markup {
  return markup`<li class="${look}"><b>${count}</b><span>${word}</span></li>`;
}

/** How many findings there are. */
interface Counts {
  readonly errors: number;
  /** Without those about what the requests of the release ask for. */
  readonly warnings: number;
  readonly released: number;
  readonly accepted: number;
}

/** The numbers of errors, warnings, and accepted findings. */
export function countsOf(findings: readonly FindingPart[]): Counts {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const errors = open.filter(({ severity }) => severity === "error").length;
  const released = open.filter(isOfRelease).length;
  return { errors, warnings: open.length - errors - released, released, accepted: findings.length - open.length };
}

function sentence({ clusters }: Page, { errors, warnings, released, accepted }: Counts): string {
  const unchecked = clusters.filter(({ findings }) => findings === undefined).length;
  const one = unchecked === 1 ? "One directory is an export" : `${unchecked} directories are exports`;
  const rest =
    unchecked === 0 ? "" : ` ${one}, which contains no requests and no configuration, so it was not validated.`;
  if (unchecked === clusters.length)
    return `Not validated: ${rest.trim()} Make the page from the package to see its findings.`;
  const problems = [
    ...(errors > 0 ? [amount(errors, "error")] : []),
    ...(warnings > 0 ? [amount(warnings, "warning")] : []),
  ].join(" and ");
  const own = released > 1 ? ", all from OpenShift’s own requests" : ", from OpenShift’s own requests";
  const found =
    problems !== ""
      ? `${problems}${released > 0 ? `, and ${amount(released, "warning")} from OpenShift’s own requests` : " in the files"}.`
      : released > 0
        ? `${amount(released, "warning")}${own}.`
        : "No problem was found in the files.";
  const said = accepted === 0 ? "" : ` ${amount(accepted, "finding")} accepted with a reason.`;
  return `${found}${said}${rest}`;
}

function byRule(caption: string, findings: readonly FindingPart[], anchors: Anchors): Markup | undefined {
  const groups = grouped(findings);
  if (groups.length === 0) return undefined;
  const rows = groups.map(
    ([code, [first, ...more]]) =>
      markup`<tr><td class="${first.severity}" data-l="Severity">${severityWord(first)}</td><th scope="row"><a href="#${anchors.findings(code)}">${code}</a></th><td class="d" data-l="Findings">${more.length + 1}</td></tr>`,
  );
  return table(caption, ["Severity", "Rule", "Findings"], rows);
}

/** Findings by their codes: errors first, then by code. */
function grouped(findings: readonly FindingPart[]): [code: string, findings: [FindingPart, ...FindingPart[]]][] {
  const groups = new Map<string, [FindingPart, ...FindingPart[]]>();
  for (const finding of findings) {
    const known = groups.get(finding.code);
    if (known === undefined) groups.set(finding.code, [finding]);
    else known.push(finding);
  }
  return [...groups].sort(([a, [x]], [b, [y]]) => compareText(x.severity, y.severity) || compareText(a, b));
}

/** The severity of a finding, with a sign: never by color alone. */
export function severityWord({ severity }: Pick<FindingPart, "severity">): string {
  return severity === "error" ? "✕ error" : "▲ warning";
}

function acceptedTable(grouped: Grouped, anchors: Anchors, isFleet: boolean): Markup | undefined {
  const rows = grouped.findings.flatMap((shared) => {
    const { finding, clusters } = shared;
    const { accepted, code, identity, object } = finding;
    if (accepted === undefined) return [];
    const [cluster] = clusters;
    const of: Content =
      identity !== undefined && cluster.identities.some(({ key }) => key === identity)
        ? markup`<a href="#${anchors.identity(cluster, identity)}">${shown(identity)}</a>`
        : shown(object ?? cluster.name);
    const where = isFleet ? markup`<td data-l="Clusters">${whereIs(shared, grouped, anchors)}</td>` : undefined;
    return [
      markup`<tr><th scope="row"><a href="#${anchors.findings(code)}">${code}</a></th><td data-l="Of">${of}</td>${where}<td data-l="Reason">${shown(accepted.reason)}</td><td class="d" data-l="Valid">${accepted.until === undefined ? "without end" : markup`until ${accepted.until}`}</td></tr>`,
    ];
  });
  const heads = ["Rule", "Of", ...(isFleet ? ["Clusters"] : []), "Reason", "Valid"];
  return rows.length === 0 ? undefined : table("Accepted findings", heads, rows);
}

function expiry(today: string | undefined): Markup {
  return today === undefined
    ? markup`<p class="e">Whether an acceptance has expired was not checked: this page knows no date.</p>
`
    : markup`<p class="e">Acceptances were judged as of ${today}.</p>
`;
}

/** A table whose rows become blocks on a narrow screen; their cells name their columns. */
export function table(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return tableWith(markup`<caption>${caption}</caption>`, heads, rows);
}

/** A table below a heading that says the same as its caption, which is only for screen readers. */
export function hiddenTable(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return tableWith(markup`<caption class="h">${caption}</caption>`, heads, rows);
}

function tableWith(caption: Markup, heads: readonly string[], rows: readonly Markup[]): Markup {
  return markup`<table class="r">${caption}<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => markup`${row}
`,
)}</tbody></table>
`;
}

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
  const kinds = new Map<ClusterKind, number>();
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
export function kindLink({ number }: ClusterKind, anchors: Anchors): Markup {
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
  narrowed: "Something becomes narrower, and nothing broader.",
  broadened: "Something becomes broader, or may.",
  both: "Something becomes broader, or may, and something narrower.",
  unknown: "It is unknown whether the release has some requests, because that depends on feature gates.",
} as const;

const openVerdict = "It is undecided whether some permissions become broader or narrower.";

function verdictText({ verdict, isUndecided, only }: Differences): string {
  if (isUndecided === true) return openVerdict;
  if (verdict !== "none") return verdicts[verdict];
  return only === undefined ? "Nothing changes." : "No permission changes.";
}

function ofCluster(cluster: ClusterPart, differences: Differences, anchors: Anchors, heading: Markup): Markup {
  const { against, only, counts, notes, sections, steps } = differences;
  const keys = new Set(cluster.identities.map(({ key }) => key));
  const isLimited = only === undefined ? "" : `, ${only} only`;
  return markup`<p>Compared with <code>${shown(against)}</code>${isLimited}: <strong>${verdictText(differences)}</strong> ${shown(counts)}.</p>
${notes.map(
  (note) => markup`<p class="e">${shown(note)}</p>
`,
)}${sections.map((section) => ofSection(cluster, section, keys, anchors, heading))}${stepList(heading, "Before the upgrade", steps.before)}${stepList(heading, "With the upgrade", steps.with)}${stepList(heading, "Only after the upgrade", steps.after)}`;
}

function ofSection(
  cluster: ClusterPart,
  { keys, headline, lines }: DifferenceSection,
  here: ReadonlySet<string>,
  anchors: Anchors,
  heading: Markup,
): Markup {
  const [first, ...others] = keys;
  const id = first === undefined ? undefined : markup` id="${anchors.difference(cluster, first)}"`;
  const places = others.map((key) => markup`<span id="${anchors.difference(cluster, key)}"></span>`);
  const names = keys.filter((key) => here.has(key));
  const links = names.map(
    (key) =>
      markup` <a href="#${anchors.identity(cluster, key)}">${names.length === 1 ? "Show the identity" : shown(key)}</a>`,
  );
  return markup`<div class="b"${id}>${places}<${heading}>${shown(headline)}</${heading}>${changeTable(lines)}${links}</div>
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
