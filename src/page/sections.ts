import { allByKey } from "../core/lookup.ts";
import { kindLink, whereIs } from "./differences.ts";
import type { Grouped, Kind, SharedFinding } from "./groups.ts";
import { type Anchors, type Markup, markup, shown } from "./markup.ts";
import { namesOfCluster } from "./own-names.ts";
import type { ClusterPart, FindingPart, Page } from "./page.ts";
import { amount } from "./services.ts";
import { countsOf, severityWord, table } from "./verdict.ts";

/** The clusters of a fleet: a row for each, which clusters are equal, and what the names in braces stand for in each of them. */
export function clustersSection({ clusters }: Page, grouped: Grouped, anchors: Anchors): Markup {
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
${grouped.kinds.map((kind) => kindBlock(kind, anchors))}${grouped.clouds.map(({ cloud, clusters: some }) => namesTable(cloud, some))}`;
}

function cell(head: string, text: string | undefined): Markup {
  return markup`<td data-l="${head}">${shown(text ?? "")}</td>`;
}

function verdictOf(findings: readonly FindingPart[] | undefined): string {
  if (findings === undefined) return "not validated";
  const [errors, warnings, accepted] = countsOf(findings);
  const said = [
    ...(errors > 0 ? [`✕ ${amount(errors, "error")}`] : []),
    ...(warnings > 0 ? [`▲ ${amount(warnings, "warning")}`] : []),
    ...(errors + warnings === 0 ? ["✓ no problem"] : []),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
  ];
  return said.join(", ");
}

function kindBlock({ number, clusters, identities }: Kind, anchors: Anchors): Markup {
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
export function findingsSection({ clusters }: Page, grouped: Grouped, anchors: Anchors): Markup | undefined {
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
