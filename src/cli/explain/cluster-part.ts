import { basename, resolve } from "node:path";
import { ClusterPackage, clusterPackageOf } from "../../clouds/cluster-package.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import { rulesFor } from "../../clouds/inspectors.ts";
import { ownCluster, type SearchedIdentity, searchedIn } from "../../clouds/permissions.ts";
import {
  clusterFile,
  issuerKeyIds,
  issuerUrl,
  type RenderedBundle,
  secretKeyIn,
  valueAmong,
} from "../../clouds/rendered.ts";
import type { Finding } from "../../core/finding.ts";
import { firstByKey, type Resource, textAt } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import type { ClusterPart, FindingPart, IdentityPart, OwnName } from "../../page/page.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import type { PolicyDocuments } from "../../permissions/policy-documents.ts";
import { reachLine } from "../../permissions/reach.ts";
import { isCredentialsRequest, secretKeyOf } from "../../requests/credentials-request.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { isWorkloadIdentity, workloadKey } from "../../workloads/workload-identity.ts";
import { clusterWith } from "../files/input-file.ts";
import { labelsOfRendered } from "../fleet/labels.ts";
import { inputOf, packageFindings } from "../package/package-findings.ts";
import type { RenderedDirectory } from "../package/rendered-directory.ts";
import { type Explained, readExplained, statementsOf } from "./explained.ts";
import { type OldSide, readDifferences } from "./page-parts.ts";

/** What the page shows besides the directory. */
export interface PartOptions {
  /** Packages inside it that are parts of their own, relative to it. */
  readonly apart?: readonly string[];
  /** Findings about other packages of the run. */
  readonly fleetFindings?: readonly Finding[];
  /** The side to compare with. */
  readonly against: OldSide | undefined;
  /** The day on which acceptances are judged; without it, none expires. */
  readonly today: string | undefined;
  /** Documents of policies that the package only names. */
  readonly documents: PolicyDocuments;
}

/** Reads a directory as a part of the page. */
export function readClusterPart(
  directory: string,
  { against, today, documents, apart = [], fleetFindings = [] }: PartOptions,
): ClusterPart {
  const { explained, rendered } = readExplained(directory, apart, documents);
  const { inspector, cluster, items, pkg } = rendered;
  const [issuer, ...previous] = cluster.issuers;
  const input = pkg === undefined ? undefined : inputOf(pkg);
  const prepared = input === undefined ? undefined : clusterPackageOf(input);
  const identity = prepared instanceof ClusterPackage ? prepared.identity : undefined;
  const objects = keysOf(items, explained.identities);
  const released = new Set(items.filter(isRequestOfRelease).map(locationOf));
  const escalating = new Set<string>(rulesFor(inspector).flatMap(({ code, escalates }) => (escalates ? [code] : [])));
  const findings =
    pkg === undefined || input === undefined
      ? undefined
      : [
          ...fleetFindings,
          ...packageFindings(pkg, input, { documents, ...(today === undefined ? {} : { today }) }),
        ].flatMap((one) => findingPart(one, objects, released, escalating));
  return {
    path: directory,
    name: identity?.name ?? cluster.resourcePrefix ?? basename(resolve(directory)),
    cloud: inspector.title,
    noun: inspector.identityNoun,
    ...(explained.boundaries === undefined ? {} : { boundaries: explained.boundaries }),
    account: cluster.account,
    region: cluster.region,
    issuer: issuer === undefined ? undefined : issuerUrl(issuer),
    previousIssuers: previous.flatMap((one) => issuerUrl(one) ?? []),
    keyIds: issuer === undefined ? [] : issuerKeyIds(issuer),
    release: releaseOf(identity),
    owner: labelsOfRendered(rendered).get("owner"),
    own: ownNamesOf(rendered),
    findings,
    identities: identityParts(explained, rendered, documents),
    ...(against === undefined ? {} : { differences: readDifferences(against, directory, apart) }),
  };
}

// What its files and its objects call the cluster. The infrastructure name is one of them.
function ownNamesOf({ inspector, cluster, bundles, items }: RenderedDirectory): OwnName[] {
  const facts = valueAmong(bundles, clusterFile);
  const { names } = ownCluster(cluster, items);
  return [
    ...Object.entries({ ...inspector.features.ownNames?.cluster }).flatMap(([field, name]) => {
      const value = textAt(facts, [field]);
      return value === "" ? [] : [{ name, value }];
    }),
    ...(cluster.resourcePrefix === undefined ? [] : [{ name: "prefix", value: cluster.resourcePrefix }]),
    ...names.filter((name) => name !== cluster.resourcePrefix).map((value) => ({ name: "name", value })),
  ];
}

function releaseOf(identity: Identity | undefined): string | undefined {
  return identity?.release.version;
}

type Keys = ReadonlyMap<string, string>;

// The identity that an object belongs to, by the location of the object.
function keysOf(items: readonly Resource[], identities: readonly RenderedIdentity[]): Keys {
  const keys = new Map<string, string>();
  for (const item of items) {
    if (item.kind === "Secret") keys.set(locationOf(item), `${item.namespace}/${item.name}`);
    const key = isCredentialsRequest(item)
      ? secretKeyOf(item.value())
      : isWorkloadIdentity(item)
        ? `${item.namespace}/${item.name}`
        : undefined;
    if (key !== undefined) keys.set(locationOf(item), key);
  }
  for (const { resource, key } of identities) {
    if (resource !== undefined && key !== undefined) keys.set(locationOf(resource), key);
  }
  return keys;
}

function locationOf({ path, index }: { readonly path: string | undefined; readonly index: number }): string {
  return `${index} ${path ?? ""}`;
}

function isRequestOfRelease(item: Resource): boolean {
  return isCredentialsRequest(item) && isOfRelease(item.annotations);
}

// Notes that do not accept anything tell an author nothing to do, so an auditor does not see them.
function findingPart(
  finding: Finding,
  keys: Keys,
  released: ReadonlySet<string>,
  escalating: ReadonlySet<string>,
): FindingPart[] {
  const { severity, code, message, resource, file, acceptance } = finding;
  if (severity === "info" && acceptance === undefined) return [];
  const location = file === undefined ? "" : locationOf(file);
  const identity = keys.get(location);
  // Other warnings about a request of the release, such as one about its feature gates, are for the user to settle.
  const isReleased = severity === "warning" && escalating.has(code) && released.has(location);
  return [
    {
      severity: acceptance?.severity ?? (severity === "error" ? "error" : "warning"),
      code,
      message: acceptance?.message ?? message,
      ...(resource === undefined ? {} : { object: nameOf(resource) }),
      ...(file === undefined ? {} : { file: file.path }),
      ...(identity === undefined ? {} : { identity }),
      ...(isReleased ? { isOfRelease: true } : {}),
      ...(acceptance === undefined ? {} : { accepted: acceptedAs(acceptance) }),
    },
  ];
}

function acceptedAs({ reason, until }: NonNullable<Finding["acceptance"]>): NonNullable<FindingPart["accepted"]> {
  return until === undefined ? { reason } : { reason, until };
}

function nameOf({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  return `${kind} ${namespace === undefined || namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** What a directory contains for each identity, by its key. */
interface Sources {
  readonly requests: ReadonlyMap<string, Resource>;
  readonly bundles: ReadonlyMap<string, RenderedBundle>;
}

function identityParts(explained: Explained, rendered: RenderedDirectory, documents: PolicyDocuments): IdentityPart[] {
  const { items, bundles, cluster } = rendered;
  const sources = {
    requests: new Map([
      ...firstByKey(items.filter(isWorkloadIdentity), workloadKey),
      ...firstByKey(items.filter(isCredentialsRequest), (item) => secretKeyOf(item.value())),
    ]),
    bundles: firstByKey(bundles, secretKeyIn),
  };
  const searched = searchedIn({ ...rendered, cluster: clusterWith(cluster, documents) });
  return explained.identities.map((one, index) =>
    identityPart(one, explained, rendered.inspector, sources, searched[index]),
  );
}

function identityPart(
  identity: RenderedIdentity,
  explained: Explained,
  inspector: Inspector,
  { requests, bundles }: Sources,
  searched: SearchedIdentity | undefined,
): IdentityPart {
  const { key = "", id = "", boundary, maxSessionDuration, resource } = identity;
  const { assigned, boundaries } = explained;
  const request = requests.get(key);
  const reach = explained.reach.get(key);
  const bundle = bundles.get(key);
  return {
    key,
    ...(identity.isOfWorkload ? { isOfWorkload: true } : {}),
    ...(request !== undefined && isRequestOfRelease(request) && identity.managedPolicies.length === 0
      ? { isOfRelease: true }
      : {}),
    id,
    ...(assigned === undefined ? {} : { assigned: { noun: assigned.noun, id: assigned.ids.get(key) } }),
    trusts: identity.trusts,
    statements: statementsOf(identity, explained),
    searched: searchedPart(searched),
    unknown: explained.escalations.get(key)?.unknown ?? [],
    managedPolicies: identity.managedPolicies,
    own: inspector.features.ownNames?.identity(bundle?.files ?? new Map()) ?? [],
    boundary: boundaries === undefined ? undefined : (boundary ?? null),
    maxSession: maxSessionDuration,
    escalations: explained.escalations.get(key)?.ways ?? [],
    reach: reach === undefined ? [] : [{ text: reachLine(reach), isUndecided: reach.answer === "undecided" }],
    ...(request === undefined ? {} : { request: { name: request.name, path: request.path } }),
    file: resource?.path ?? bundle?.directory,
    documents: [...(bundle?.files ?? [])]
      .map(([name, text]) => ({ name, text }))
      .sort((a, b) => compareText(a.name, b.name)),
  };
}

function searchedPart(searched: SearchedIdentity | undefined): IdentityPart["searched"] {
  const { boundary, steps = [], ...rest } = searched ?? { permissions: [], managedPolicies: [], serviceAccounts: [] };
  return {
    ...rest,
    ...(boundary === undefined ? {} : { boundary }),
    steps: steps.map(({ by, gives, to, doubt }) => ({
      by,
      ...(gives === undefined ? {} : { gives }),
      ...(to === undefined ? {} : { to }),
      ...(doubt === undefined ? {} : { isUndecided: true }),
    })),
  };
}
