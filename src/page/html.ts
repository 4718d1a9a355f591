import { allByKey, firstByKey } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from "../generated/auditors-page.ts";
import { type ClusterKind, type Grouped, groupsOf, type SharedFinding, type SharedIdentity } from "./groups.ts";
import { identitiesSection, searchData } from "./identities-section.ts";
import { type Anchors, anchorsOf, constant, type Markup, markup, shown } from "./markup.ts";
import { namesOfCluster } from "./own-names.ts";
import { type ClusterPart, type FindingPart, type Page, pageWithoutSecrets } from "./page.ts";
import { type Drawn, pictures } from "./picture.ts";
import {
  countsOf,
  differencesSection,
  factsOf,
  kindLink,
  notCovered,
  privateKeys,
  severityWord,
  table,
  verdictSection,
  whereIs,
} from "./sections.ts";
import { amount, isOfWorkload } from "./services.ts";
import { summarySection } from "./summary.ts";

/**
 * The page as HTML: one file, which loads nothing. Its policy (Content Security Policy Level 3) allows only its one style and its
 * one script, by their hashes; both are constant. Everything is shown without the script.
 */
export function html(given: Page): string {
  const page = pageWithoutSecrets(given);
  const [first] = page.clusters;
  const title = page.clusters.length === 1 && first !== undefined ? first.name : `${page.clusters.length} clusters`;
  const grouped = groupsOf(page);
  const sections = sectionsOf(page, grouped);
  const policy = `default-src 'none'; style-src '${pageStyleHash}'; script-src '${pageScriptHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}: who can use which identity, and what it allows</title>
<style>${constant(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<header>
<p class="e">Who can use which identity, and what it allows</p>
<h1>${shown(title)}</h1>
${stateOf(page)}</header>
${questionBox}<nav aria-label="On this page"><ul>${sections.map(({ id, name }) => markup`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main>
${sections.map(
  ({ id, name, body }) => markup`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${name}</h2>
${body}</section>
`,
)}</main>
<footer>
<h2 id="made">How this page was made</h2>
<dl class="f"><dt>Command</dt><dd><code>${shown(page.made.command)}</code></dd></dl>
</footer>
${searchData(page, grouped)}<script>${constant(pageScript)}</script>
</body>
</html>
`.text;
}

/** What the page is about: which state of the files, and whether anything else was looked at. */
function stateOf({ clusters, made: { version, commit } }: Page): Markup {
  const clouds = [...new Set(clusters.map(({ cloud }) => cloud))].join(", ");
  const state = commit === undefined ? undefined : markup` · Commit <code>${shown(commit)}</code>`;
  return markup`<p class="e">${clouds}${state} · ccf ${shown(version)} · Not compared with the cloud</p>
`;
}

// The script fills it and shows it: without script it would do nothing.
const questionBox = markup`<form role="search" aria-label="Question" hidden>
<label><span><b>Who can …?</b> Enter an action, an operation, or a service, or search for a name (press <kbd>/</kbd>)</span><input type="search" autocomplete="off" spellcheck="false"></label>
<output></output><ul></ul>
</form>
`;

interface Section {
  readonly id: string;
  readonly name: string;
  readonly body: Markup;
}

function sectionsOf(page: Page, grouped: Grouped): Section[] {
  const anchors = anchorsOf(page, grouped);
  const isFleet = page.clusters.length > 1;
  const only = isFleet ? undefined : page.clusters[0];
  const differences = differencesSection(grouped, anchors, isFleet);
  const findings = findingsSection(page, grouped, anchors);
  return [
    { id: "verdict", name: "Verdict", body: verdictSection(page, grouped, anchors) },
    { id: "summary", name: "Summary", body: markup`${summarySection(grouped, anchors)}${notCovered(page)}` },
    ...(only === undefined ? [] : [{ id: "cluster", name: "Cluster", body: factsOf(only) }]),
    ...(isFleet ? [{ id: "clusters", name: "Clusters", body: clustersSection(page, grouped, anchors) }] : []),
    { id: "picture", name: "Picture", body: pictureSection(page, grouped, anchors) },
    { id: "identities", name: "Identities", body: identitiesSection(page, grouped, anchors) },
    ...(differences === undefined ? [] : [{ id: "differences", name: "Differences", body: differences }]),
    ...(findings === undefined ? [] : [{ id: "findings", name: "Findings", body: findings }]),
    { id: "terms", name: "Terms", body: terms(page) },
  ];
}

function pictureSection({ clusters }: Page, { clouds }: Grouped, anchors: Anchors): Markup {
  const isLarge = clouds.reduce((sum, { identities }) => sum + identities.length, 0) > maxNarrow;
  const isFleet = clusters.length > 1;
  const drawings = clouds.map(({ cloud, noun, clusters: some, identities }): Drawn => {
    const [only] = some;
    const rows = [...identities].sort(inPicture).map(({ identity, clusters: [first, ...more] }) => ({
      identity,
      anchor: anchors.identity(first, identity.key),
      ...(isFleet ? { clusters: more.length + 1 } : {}),
    }));
    if (!isFleet && only !== undefined) return { title: `Cluster ${only.name}`, noun, rows };
    return { title: `${amount(some.length, "cluster")} in ${cloud}`, noun, rows };
  });
  const intro = markup`<p class="e">Follow the lines: a service account (round) can use an identity (filled), which allows something in the services after it. A dashed frame and the word “wildcard” mark permissions with a wildcard.</p>
`;
  const draw = (drawn: Drawn, index: number) => pictures(drawn, `p${index}`, isLarge);
  if (!isFleet) return markup`${intro}${drawings.map(draw)}`;
  return markup`${intro}${drawings.map(
    (
      drawn,
      index,
    ) => markup`<details class="b" open><summary><h3>${drawn.title}</h3></summary>${draw(drawn, index)}</details>
`,
  )}`;
}

// By namespace, because each namespace has one heading.
function inPicture(a: SharedIdentity, b: SharedIdentity): number {
  return Number(isOfWorkload(a)) - Number(isOfWorkload(b)) || compareText(a.identity.key, b.identity.key);
}

/** How many identities a page draws also for narrow screens. */
const maxNarrow = 200;

function terms({ clusters }: Page): Markup {
  const named = clusters.map(({ cloud, noun }) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} in ${cloud}`);
  const boundaries = clusters.flatMap((cluster) => cluster.boundaries ?? []);
  return markup`<dl class="g">
<dt>Component identity</dt><dd>What a component of the cluster uses in the cloud: ${[...new Set(named)].join(", ")}. Each CredentialsRequest has one.</dd>
<dt>Issuer</dt><dd>Who signs the tokens of the cluster’s service accounts. The cloud trusts the public keys that the issuer publishes. Anyone who has a private key of the issuer can use every identity.</dd>
<dt>Audience</dt><dd>For whom a token is meant. The cloud refuses a token for another audience.</dd>
${[...firstByKey(boundaries, ({ term }) => term).values()].map(
  ({ term, text }) => markup`<dt>${term}</dt><dd>${text}</dd>
`,
)}<dt>Way of escalation</dt><dd>Permissions with which an identity can get more permissions than its own, for example by changing a policy, or by starting a workload as another identity.</dd>
</dl>
`;
}

/** The clusters of a fleet: a row for each, which clusters are equal, and what the names in braces stand for in each of them. */
function clustersSection({ clusters }: Page, grouped: Grouped, anchors: Anchors): Markup {
  const hasOwners = clusters.some(({ owner }) => owner !== undefined);
  const hasReleases = clusters.some(({ release }) => release !== undefined);
  const rows = clusters.map((cluster) => {
    const { name, path, cloud, account, region, release, owner, findings, identities } = cluster;
    const kind = grouped.kindOf(cluster);
    const link = kind === undefined ? undefined : kindLink(kind, anchors);
    return markup`<tr id="${anchors.cluster(cluster)}" data-c="${kind?.number}"><th scope="row">${shown(name)}</th>${hasOwners ? cell("Owner", owner) : undefined}${cell("Cloud", cloud)}${cell("Account", account)}${cell("Region", region)}${hasReleases ? cell("Release", release) : undefined}<td data-l="Verdict">${verdictOf(findings)}</td><td data-l="Identities">${identities.length}</td><td data-l="Group">${link}</td>${cell("Directory", path)}</tr>`;
  });
  const heads = [
    "Cluster",
    ...(hasOwners ? ["Owner"] : []),
    ...["Cloud", "Account", "Region"],
    ...(hasReleases ? ["Release"] : []),
    ...["Verdict", "Identities", "Group", "Directory"],
  ];
  return markup`${table("Clusters", heads, rows)}<p>Clusters of one group have the same identities and findings. Only their own names differ: the page writes these in braces, such as {prefix} or {account}.</p>
${grouped.kinds.map((kind) => kindBlock(kind, anchors))}${grouped.clouds.map(({ cloud, clusters: some }) => namesTable(cloud, some))}<p class="e">Private keys: ${privateKeys}</p>
`;
}

function cell(head: string, text: string | undefined): Markup {
  return markup`<td data-l="${head}">${shown(text ?? "")}</td>`;
}

function verdictOf(findings: readonly FindingPart[] | undefined): string {
  if (findings === undefined) return "not validated";
  const { errors, warnings, released, accepted } = countsOf(findings);
  const said = [
    ...(errors > 0 ? [`✕ ${amount(errors, "error")}`] : []),
    ...(warnings > 0 ? [`▲ ${amount(warnings, "warning")}`] : []),
    ...(errors + warnings === 0 ? ["✓ no problem"] : []),
    ...(released > 0 ? [`${released} in OpenShift’s own requests`] : []),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
  ];
  return said.join(", ");
}

function kindBlock({ number, clusters, identities }: ClusterKind, anchors: Anchors): Markup {
  const [{ cloud, noun }] = clusters;
  const links = identities.map(
    ({ identity, clusters: [first] }) =>
      markup`<li><a href="#${anchors.identity(first, identity.key)}">${shown(identity.key)}</a></li>`,
  );
  return markup`<div class="b" id="${anchors.kind(number)}"><h3>Group ${number}: ${amount(clusters.length, "cluster")} in ${cloud}</h3><p>${shown(clusters.map(({ name }) => name).join(", "))}</p>${
    links.length === 0 ? markup`<p>No ${noun}.</p>` : markup`<ul class="q">${links}</ul>`
  }</div>
`;
}

// Columns whose cells are all empty are omitted. Keys are told here, because no name in braces stands for them.
function namesTable(cloud: string, clusters: readonly ClusterPart[]): Markup {
  const all = clusters.map((cluster) => allByKey(namesOfCluster(cluster), ({ name }) => name));
  const names = [...new Set(all.flatMap((one) => [...one.keys()]))].filter(
    (name) => name !== "account" && name !== "region",
  );
  const rows = clusters.map(({ name, keyIds }, index) => {
    const cells = names.map((one) =>
      cell(`{${one}}`, (all[index]?.get(one) ?? []).map(({ value }) => value).join(", ")),
    );
    return markup`<tr><th scope="row">${shown(name)}</th>${cells}${cell("Keys", keyIds.join(", "))}</tr>`;
  });
  return table(`Names of the clusters in ${cloud}`, ["Cluster", ...names.map((name) => `{${name}}`), "Keys"], rows);
}

/** All findings, by rule; undefined if nothing was validated. */
function findingsSection({ clusters }: Page, grouped: Grouped, anchors: Anchors): Markup | undefined {
  if (clusters.every(({ findings }) => findings === undefined)) return undefined;
  const groups = new Map<string, Markup[]>();
  for (const shared of grouped.findings) {
    const { code } = shared.finding;
    const where = clusters.length > 1 ? whereIs(shared, grouped, anchors) : undefined;
    const known = groups.get(code) ?? [];
    groups.set(code, known);
    known.push(item(shared, where, anchors));
  }
  if (groups.size === 0)
    return markup`<p>None.</p>
`;
  return markup`${[...groups].map(
    ([code, [first, ...more]]) => markup`<div class="j"><h3 class="k" id="${anchors.findings(code)}">${code}</h3>
${first}</div>${more}`,
  )}`;
}

/** The keys of a cluster's identities. There may be as many findings as identities, so they are collected once. */
const keysOf = new WeakMap<ClusterPart, ReadonlySet<string>>();

/** Whether a finding is about an identity that the page shows. */
function isAbout(cluster: ClusterPart, { identity }: FindingPart): boolean {
  const keys = keysOf.get(cluster) ?? new Set(cluster.identities.map(({ key }) => key));
  keysOf.set(cluster, keys);
  return identity !== undefined && keys.has(identity);
}

function item({ finding, clusters: [cluster] }: SharedFinding, where: Markup | undefined, anchors: Anchors): Markup {
  const { severity, message, object, file, identity, accepted } = finding;
  const facts = [
    ...(where === undefined ? [] : [markup`<dt>Clusters</dt><dd>${where}</dd>`]),
    ...(object === undefined ? [] : [markup`<dt>Object</dt><dd><code>${shown(object)}</code></dd>`]),
    ...(file === undefined ? [] : [markup`<dt>File</dt><dd><code>${shown(file)}</code></dd>`]),
    ...(identity !== undefined && isAbout(cluster, finding)
      ? [markup`<dt>Identity</dt><dd><a href="#${anchors.identity(cluster, identity)}">${shown(identity)}</a></dd>`]
      : []),
    ...(accepted === undefined
      ? []
      : [
          markup`<dt>Accepted</dt><dd>${shown(accepted.reason)}${accepted.until === undefined ? undefined : markup` (until ${accepted.until})`}</dd>`,
        ]),
  ];
  const [look, word] = accepted === undefined ? [severity, severityWord(finding)] : ["", `✓ accepted ${severity}`];
  return markup`<div class="b v ${look}"><p class="${look}">${word}</p><p>${shown(message)}</p><dl class="f">${facts}</dl></div>
`;
}
