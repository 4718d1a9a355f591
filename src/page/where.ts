import type { Grouped, Kind } from "./groups.ts";
import { type Anchors, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart } from "./page.ts";

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
