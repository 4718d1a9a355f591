import type { Grouped, SharedFinding } from "./groups.ts";
import { type Anchors, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart, FindingPart, Page } from "./page.ts";
import { severityWord } from "./verdict.ts";
import { whereIs } from "./where.ts";

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
