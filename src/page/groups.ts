import { allByKey } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import {
  type Marking,
  mapTexts,
  markingOf,
  markQuoted,
  nameIn,
  namesOfCluster,
  namesOfIdentity,
  withoutMarks,
} from "./own-names.ts";
import type { ClusterPart, DifferenceSection, Differences, FindingPart, IdentityPart, OwnName, Page } from "./page.ts";
import { isOfWorkload, riskOf } from "./services.ts";

/*
 * The page grows with what differs, not with the number of clusters. What is the same in several clusters, but for the names of
 * each, is one part of the page.
 */

/** Something that is the same in some clusters. */
interface Shared {
  /** In the order of the page. */
  readonly clusters: NonEmpty<ClusterPart>;
}

/** An identity that is the same in some clusters. */
export interface SharedIdentity extends Shared {
  /** As a reader sees it: names that differ between the clusters are in braces. */
  readonly identity: IdentityPart;
  /** Those of its cluster's findings that are about it. */
  readonly findings: readonly FindingPart[];
  /** What changes in it. */
  readonly change: DifferenceSection | undefined;
  /** The identity itself in each of {@link clusters}. */
  readonly members: readonly IdentityPart[];
}

/** A finding that is the same in some clusters. */
export interface SharedFinding extends Shared {
  readonly finding: FindingPart;
}

/** Differences that are the same in some clusters. */
interface SharedDifferences extends Shared {
  readonly differences: Differences;
}

/** Clusters in which everything is the same, but for their names. */
export interface ClusterKind extends Shared {
  /** From 1 up, in the order of the page. */
  readonly number: number;
  readonly identities: readonly SharedIdentity[];
}

/** The clusters of one cloud. */
interface CloudPart {
  readonly cloud: string;
  readonly noun: string;
  readonly clusters: readonly ClusterPart[];
  /** As {@link byRisk}, and then in the order of their first clusters. */
  readonly identities: readonly SharedIdentity[];
}

/** A page, with what is the same in several clusters together. */
export interface Grouped {
  readonly clouds: readonly CloudPart[];
  readonly kinds: readonly ClusterKind[];
  kindOf(cluster: ClusterPart): ClusterKind | undefined;
  /** The first cluster in which an identity is the same as in the given one. */
  firstWithIdentity(cluster: ClusterPart, key: string): ClusterPart;
  /** The first cluster whose differences are the same as those of the given one. */
  firstWithDifferences(cluster: ClusterPart): ClusterPart;
  readonly findings: readonly SharedFinding[];
  readonly differences: readonly SharedDifferences[];
}

/** Brings together what is the same in several clusters of a page. */
export function groupsOf({ clusters }: Page): Grouped {
  const identities = new Groups<AboutIdentity>();
  const findings = new Groups<FindingPart>();
  const differences = new Groups<Differences>();
  const kinds = new Groups<undefined>();
  for (const cluster of clusters) {
    const { cloud, noun, boundaries } = cluster;
    const mark = markingOf(namesOfCluster(cluster));
    const own = [
      ...aboutIdentities(cluster).map((about) => {
        const key = JSON.stringify([cloud, noun, boundaries, marked(about, noun, namesOfCluster(cluster))]);
        return identities.add(key, cluster, about);
      }),
      ...(cluster.findings ?? []).map((one) =>
        findings.add(JSON.stringify([cloud, markedFinding(one, mark)]), cluster, one),
      ),
      ...[cluster.differences ?? []].flat().map((one) => {
        return differences.add(JSON.stringify([cloud, mapTexts({ ...one, against: "" }, mark)]), cluster, one);
      }),
    ];
    kinds.add(JSON.stringify([cloud, cluster.findings === undefined, own]), cluster, undefined);
  }
  const shared = identities.all().map(sharedIdentity);
  const byCluster = new Map<ClusterPart, SharedIdentity[]>();
  for (const one of shared) {
    for (const cluster of one.clusters) {
      const known = byCluster.get(cluster);
      if (known === undefined) byCluster.set(cluster, [one]);
      else known.push(one);
    }
  }
  const firstWith = new Map(
    [...byCluster].map(([cluster, some]) => {
      return [cluster, new Map(some.map(({ identity, clusters: [first] }) => [identity.key, first]))] as const;
    }),
  );
  const firstDifferent = new Map(
    differences.all().flatMap(({ clusters: some }) => some.map((cluster) => [cluster, some[0]] as const)),
  );
  const numbered = kinds.all().map(({ clusters: [first, ...more] }, index): ClusterKind => {
    return { number: index + 1, clusters: [first, ...more], identities: byCluster.get(first) ?? [] };
  });
  const kindOf = new Map(numbered.flatMap((kind) => kind.clusters.map((cluster) => [cluster, kind] as const)));
  return {
    clouds: cloudsOf(clusters, shared),
    kinds: numbered,
    kindOf: (cluster) => kindOf.get(cluster),
    firstWithIdentity: (cluster, key) => firstWith.get(cluster)?.get(key) ?? cluster,
    firstWithDifferences: (cluster) => firstDifferent.get(cluster) ?? cluster,
    findings: findings.all().map(({ clusters: some, members: [finding] }) => ({
      clusters: some,
      finding: shownIn(some, finding, markedFinding),
    })),
    differences: differences.all().map(({ clusters: some, members: [first, ...more] }) => ({
      clusters: some,
      differences: {
        ...shownIn(some, first, mapTexts),
        against: beginningOf([first.against, ...more.map(({ against }) => against)]),
      },
    })),
  };
}

type NonEmpty<T> = readonly [T, ...T[]];

interface Group<T> {
  readonly clusters: NonEmpty<ClusterPart>;
  readonly members: NonEmpty<T>;
}

class Groups<T> {
  readonly #groups = new Map<
    string,
    { number: number; clusters: [ClusterPart, ...ClusterPart[]]; members: [T, ...T[]] }
  >();

  /** Adds a member to the group with the key. Returns the number of the group. */
  add(key: string, cluster: ClusterPart, member: T): number {
    const known = this.#groups.get(key);
    if (known === undefined) {
      const number = this.#groups.size;
      this.#groups.set(key, { number, clusters: [cluster], members: [member] });
      return number;
    }
    // A cluster can have two findings that say the same.
    known.clusters.push(cluster);
    known.members.push(member);
    return known.number;
  }

  all(): readonly Group<T>[] {
    return [...this.#groups.values()];
  }
}

/** An identity of a cluster, with what else the page says about it. */
interface AboutIdentity {
  readonly identity: IdentityPart;
  readonly findings: readonly FindingPart[];
  readonly change: DifferenceSection | undefined;
}

function aboutIdentities({ identities, findings = [], differences }: ClusterPart): AboutIdentity[] {
  const found = allByKey(findings, ({ identity }) => identity);
  // Without the keys: many identities may be in one section.
  const changes = new Map(
    (differences?.sections ?? []).flatMap(({ keys, ...one }) =>
      keys.map((key) => [key, { keys: [], ...one }] as const),
    ),
  );
  return identities.map((identity) => ({
    identity,
    findings: found.get(identity.key) ?? [],
    change: changes.get(identity.key),
  }));
}

/** An identity with marks. The names that only it has are not part of it, and its files are in the order of their marked names. */
function marked(
  { identity, findings, change }: AboutIdentity,
  noun: string,
  ofCluster: readonly OwnName[],
): AboutIdentity {
  const mark = markingOf([...namesOfIdentity(identity, noun), ...ofCluster]);
  const { key, request, own: _, escalations, reach, documents, ...rest } = identity;
  return {
    identity: {
      ...mapTexts(rest, mark),
      key,
      own: [],
      escalations: escalations.map((one) => ({ ...one, message: markQuoted(one.message, mark) })),
      ...(reach === undefined ? {} : { reach: reach.map((one) => ({ ...one, text: markQuoted(one.text, mark) })) }),
      ...(request === undefined ? {} : { request }),
      documents: [...mapTexts(documents, mark)].sort(
        (a, b) => compareText(a.name, b.name) || compareText(a.text, b.text),
      ),
    },
    findings: findings.map((one) => markedFinding(one, mark)),
    change: change === undefined ? undefined : mapTexts(change, mark),
  };
}

function markedFinding(finding: FindingPart, mark: Marking): FindingPart {
  const { message, object, accepted } = finding;
  return {
    ...finding,
    message: markQuoted(message, mark),
    ...(object === undefined ? {} : { object: mark(object) }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

function sharedIdentity({ clusters, members }: Group<AboutIdentity>): SharedIdentity {
  const [first] = members;
  const [cluster] = clusters;
  const { noun } = cluster;
  const shared = { clusters, members: members.map(({ identity }) => identity) };
  if (members.length === 1) return { ...shared, ...first };
  const resolve = resolving(clusters);
  // The name of an identity usually contains the prefix of its cluster, and nothing else that differs.
  const names = members.map(({ identity }, index) => {
    const [{ value } = { value: "" }] = namesOfIdentity(identity, noun);
    return markingOf(namesOfCluster(clusters[index] ?? cluster))(value);
  });
  const [name] = names;
  const common = name !== undefined && names.every((one) => one === name) ? withoutMarks(name, resolve) : undefined;
  const shown = withoutMarks(marked(first, noun, namesOfCluster(cluster)), (one) =>
    one === nameIn(noun) ? common : resolve(one),
  );
  return { ...shared, ...shown };
}

/** Something as a reader sees it who looks at several clusters. */
function shownIn<T>(clusters: NonEmpty<ClusterPart>, first: T, marking: (value: T, mark: Marking) => T): T {
  if (clusters.length === 1) return first;
  return withoutMarks(marking(first, markingOf(namesOfCluster(clusters[0]))), resolving(clusters));
}

// What a name stands for, if that is the same in all of the clusters.
function resolving(clusters: readonly ClusterPart[]): (name: string) => string | undefined {
  const values = new Map<string, string | undefined>();
  for (const [index, cluster] of clusters.entries()) {
    const own = allByKey(namesOfCluster(cluster), ({ name }) => name);
    for (const [name, [first, ...more]] of own) {
      const value = more.every((one) => one.value === first?.value) ? first?.value : undefined;
      if (index === 0) values.set(name, value);
      else if (values.get(name) !== value) values.set(name, undefined);
    }
  }
  return (name) => values.get(name);
}

function cloudsOf(clusters: readonly ClusterPart[], shared: readonly SharedIdentity[]): CloudPart[] {
  const byCloud = allByKey(shared, ({ clusters: [first] }) => first?.cloud);
  return [...allByKey(clusters, ({ cloud }) => cloud)].map(([cloud, some]) => ({
    cloud,
    noun: some[0]?.noun ?? "",
    clusters: some,
    identities: [...(byCloud.get(cloud) ?? [])].sort(byRisk),
  }));
}

/** The order of identities for a reader: those of components first, then those of workloads; by risk, then by key. */
export function byRisk(a: SharedIdentity, b: SharedIdentity): number {
  return (
    Number(isOfWorkload(a)) - Number(isOfWorkload(b)) ||
    riskOf(b.identity, b.findings) - riskOf(a.identity, a.findings) ||
    compareText(a.identity.key, b.identity.key)
  );
}

// Where texts differ, only their beginning is shown.
function beginningOf([first, ...more]: NonEmpty<string>): string {
  let length = first.length;
  for (const one of more) while (!one.startsWith(first.slice(0, length))) length -= 1;
  return length === first.length && more.every((one) => one === first) ? first : `${first.slice(0, length)}…`;
}
