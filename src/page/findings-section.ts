import { type Anchors, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart, FindingPart, Page } from "./page.ts";
import { severityWord } from "./verdict.ts";

/** All findings, by rule; undefined if nothing was validated. */
export function findingsSection({ clusters }: Page, anchors: Anchors): Markup | undefined {
  if (clusters.every(({ findings }) => findings === undefined)) return undefined;
  const groups = new Map<string, Markup[]>();
  for (const cluster of clusters) {
    const keys = new Set(cluster.identities.map(({ key }) => key));
    for (const finding of cluster.findings ?? []) {
      const known = groups.get(finding.code) ?? [];
      groups.set(finding.code, known);
      known.push(item(finding, cluster, keys, clusters.length > 1, anchors));
    }
  }
  if (groups.size === 0)
    return markup`<p>None.</p>
`;
  return markup`${[...groups].map(
    ([code, items]) => markup`<h3 class="k" id="${anchors.findings(code)}">${code}</h3>
${items}`,
  )}`;
}

function item(
  finding: FindingPart,
  cluster: ClusterPart,
  keys: ReadonlySet<string>,
  isFleet: boolean,
  anchors: Anchors,
): Markup {
  const { severity, message, object, file, identity, accepted } = finding;
  const isKnown = identity !== undefined && keys.has(identity);
  const facts = [
    ...(isFleet ? [markup`<dt>Cluster</dt><dd>${shown(cluster.name)}</dd>`] : []),
    ...(object === undefined ? [] : [markup`<dt>Object</dt><dd><code>${shown(object)}</code></dd>`]),
    ...(file === undefined ? [] : [markup`<dt>File</dt><dd><code>${shown(file)}</code></dd>`]),
    ...(isKnown
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
