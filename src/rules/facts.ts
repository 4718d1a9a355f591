import { canonicalJson } from "../core/json.ts";
import {
  compareLocations,
  describe,
  type GeneratedObject,
  generatedBy,
  type Resource,
  valueAt,
} from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isConfigObject } from "../openshift/config-object.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";
import type { ReleaseRules } from "../requests/release-filter.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { KnownCloud } from "./cloud.ts";
import { type Granted, grantedBy } from "./granted.ts";
import { type Operator, operatorsOf } from "./operator.ts";
import { type CredentialsSecret, credentialsSecrets } from "./secret.ts";

/** What is to be checked. */
export interface Subject {
  /** The objects of one package; those that were taken from a cluster may be among them. */
  readonly items: readonly Resource[];
  /** More objects that were taken from a cluster, whether or not that shows. */
  readonly live: readonly Resource[];
  /** An install-config, as if it were an object. */
  readonly installConfig: Resource | undefined;
  /** The ClusterIdentity, where there is one that can be used. */
  readonly identity: Identity | undefined;
  readonly release: ReleaseRules;
  /** The cluster's cloud. */
  readonly cloud: KnownCloud;
  /** Every cloud: an operator may be for several. */
  readonly clouds: readonly KnownCloud[];
  /** The identities that the package holds as they were rendered. */
  readonly rendered: readonly RenderedIdentity[];
  /** The issuer that the discovery document in the package names. */
  readonly documentIssuer: string | undefined;
  /** The requests for the cluster's cloud that count for it. */
  readonly requests: readonly SelectedRequest[];
  /** What a render makes of the package now; nothing of it where a ClusterIdentity is missing or cannot be used. */
  readonly rendering: readonly GeneratedObject[];
  /** Today in UTC, as "2026-01-31"; undefined for a function, which has no clock. */
  readonly today: string | undefined;
}

/** What rules look at, read once for all of them. Lists do not depend on the order of the input. */
export interface Facts extends Subject {
  /** The package's own objects, without those that were taken from a cluster. */
  readonly items: readonly Resource[];
  /** What the requests ask for, and what rendered identities allow beyond that. */
  readonly granted: readonly Granted[];
  readonly secrets: readonly CredentialsSecret[];
  readonly liveSecrets: readonly CredentialsSecret[];
  /** {@link secrets}, and those in files of the package that a cluster gave a uid: they were exported, and are in Git. */
  readonly filedSecrets: readonly CredentialsSecret[];
  /** The package's own Authentications named `cluster`; there should be one at most. */
  readonly authentications: readonly Resource[];
  /** The same; where there are none, those in files of the package that a cluster gave a uid. */
  readonly filedAuthentications: readonly Resource[];
  /** The operators whose ClusterServiceVersion is in the package. */
  readonly operators: readonly Operator[];
}

/** Reads the facts. */
export function readFacts(subject: Subject): Facts {
  const { own, live } = partition(subject.items);
  const allLive = [...live, ...subject.live].sort(compareObjects);
  // What no file is said of came from a cluster, by a ResourceList, and is in no Git.
  const exported = live.filter(({ path }) => path !== undefined);
  const authentications = own.filter(isAuthentication);
  const { cloud, clouds, release, rendered, requests } = subject;
  const secrets = (items: readonly Resource[]) => credentialsSecrets(items, cloud);
  return {
    ...subject,
    items: own,
    live: allLive,
    granted: grantedBy(requests, rendered, cloud),
    secrets: secrets(own),
    liveSecrets: secrets(allLive),
    filedSecrets: secrets([...own, ...exported].sort(compareObjects)),
    authentications,
    filedAuthentications: authentications.length > 0 ? authentications : exported.filter(isAuthentication),
    operators: operatorsOf(own, release, { cloud, clouds, requests }),
  };
}

/** Tells objects that were taken from a cluster, which gave them a `metadata.uid`, from a package's own; both sorted. */
export function partition(items: readonly Resource[]): { own: readonly Resource[]; live: readonly Resource[] } {
  const sorted = [...items].sort(compareObjects);
  const live = new Set(sorted.filter(isLive));
  return { own: sorted.filter((item) => !live.has(item)), live: [...live] };
}

function isAuthentication(item: Resource): boolean {
  return isConfigObject(item, "Authentication");
}

// Objects may have no file, and be there twice; then what they say decides, and not who comes first.
function compareObjects(a: Resource, b: Resource): number {
  return (
    compareLocations(a, b) ||
    compareText(describe(a), describe(b)) ||
    (isRead(a) ? compareText(canonicalJson(a.value()), canonicalJson(b.value())) : 0)
  );
}

/** Kinds of which rules read what a cluster says; of others nobody asks. */
const liveKinds = new Set([
  "Authentication",
  "CloudCredential",
  "ClusterVersion",
  "FeatureGate",
  "Namespace",
  "Secret",
]);

/** Kinds of which rules read what an operator's author wrote. */
const authoredKinds = new Set(["ClusterServiceVersion", "CredentialsRequest", "Deployment", "Subscription"]);

// Of others than these and of bundles no rule reads more than the name.
function isRead(item: Resource): boolean {
  return liveKinds.has(item.kind) || authoredKinds.has(item.kind) || item.annotations.has(generatedBy);
}

function isLive(item: Resource): boolean {
  return liveKinds.has(item.kind) && typeof valueAt(item.value(), ["metadata", "uid"]) === "string";
}
