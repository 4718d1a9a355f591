import { posix } from "node:path";
import type { Claim, CloudClaims } from "../../clouds/claims.ts";
import { cloudOf, isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import { inspectorFor } from "../../clouds/inspectors.ts";
import type { Resource } from "../../core/resource.ts";
import { type Identity, isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { readSigningKeys } from "../../oidc/signing-keys.ts";
import { judge, withoutPolicy } from "../../rules/check-rules.ts";
import { sharedKey, signingKeyShared } from "../../rules/checks/other-clusters.ts";
import { readPackage } from "../package/package-files.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { configPathsOf, configsOf, firstIn } from "./labels.ts";
import type { Place } from "./select-packages.ts";

/** A cluster of a package, and what it claims for itself alone. */
export interface Claimant {
  readonly place: Place;
  /** The file of its ClusterIdentity, as a command line names it. */
  readonly file: string;
  /** Where a finding about it points. */
  readonly resource: Resource;
  readonly platform: string;
  readonly claims: readonly Claim[];
  readonly named: CloudClaims["named"];
  readonly namesOf: CloudClaims["namesOf"];
  readonly keyIds: readonly string[];
  /** Its ClusterIdentity accepts that it shares its key. Only then, the ClusterIdentity stays in memory. */
  readonly accepting: Identity | undefined;
}

/**
 * Reads what the cluster of a package claims, usually from one file of it: the ClusterIdentity. In a cloud that assigns IDs, also
 * from the file with these.
 *
 * @param today the day on which acceptances are judged; undefined: they do not expire.
 * @returns more than one if the functions of its Kptfile have different configurations; none if the package has no
 *   ClusterIdentity; undefined if that is not known, because it cannot be read or is invalid.
 */
export function claimantsIn(place: Place, today: string | undefined): readonly Claimant[] | undefined {
  try {
    const quick = configsOf(place.directory).map((config) => claimantOf(place, [config], config, today));
    if (quick.length > 0 && quick.every((one) => one !== undefined)) return quick;
    return claimantsOfPackage(place, today);
  } catch (error) {
    if (isSystemError(error) || error instanceof FindingsError || error instanceof UsageError) return undefined;
    throw error;
  }
}

// The claims may depend on other objects of the package: a ConfigMap with a key, the Authentication, the Infrastructure.
function claimantsOfPackage(place: Place, today: string | undefined): readonly Claimant[] | undefined {
  const pkg = readPackage(place.directory, place.inside);
  const items = pkg.files.flatMap((file) => file.items);
  const kptfile = items.find(({ path }) => path === "Kptfile");
  const paths = kptfile === undefined ? [] : configPathsOf(kptfile);
  const configs = paths.map((path) => items.find((item) => item.path === path && item.index === 0));
  if (configs.length === 0) {
    const identities = items.filter(isClusterIdentity);
    if (identities.length === 0) return [];
    const identity = readIdentity(items, undefined);
    configs.push(isIdentity(identity) ? identities.find((item) => item === identity.resource) : undefined);
  }
  const all = configs.map((config) =>
    config === undefined ? undefined : claimantOf(place, items, config, today, "complete"),
  );
  return all.every((one) => one !== undefined) ? all : undefined;
}

function claimantOf(
  place: Place,
  items: readonly Item[],
  config: Item,
  today: string | undefined,
  read: "complete" | "config" = "config",
): Claimant | undefined {
  if (!isClusterIdentity(config)) return undefined;
  const identity = readIdentity(items, config);
  if (!isIdentity(identity)) return undefined;
  const { signingKeys } = identity.issuer;
  if (read === "config" && signingKeys.some(({ from }) => from !== undefined)) return undefined;
  const inspector = inspectorFor(identity);
  const ids = read === "complete" ? [] : assignedIn(place, inspector, identity);
  if (ids === undefined) return undefined;
  const claimed = inspector.claims?.(identity, [...items, ...ids]);
  if (claimed === undefined && inspector.claims !== undefined) return undefined;
  const { keys: limits } = cloudOf(identity).renderer;
  const { keys } = signingKeys.length === 0 ? { keys: [] } : readSigningKeys(signingKeys, config, items, [], limits);
  const { claims, named, namesOf } = claimed ?? { claims: [], named: [], namesOf: () => [] };
  return {
    place,
    file: posix.join(place.directory, config.path ?? ""),
    resource: withoutContent(config),
    platform: inspector.name,
    // A team's package has the issuer and the prefix of its cluster. The engine refuses equal names of identities.
    claims: identity.facts === undefined ? claims : [],
    named,
    namesOf,
    keyIds: keys.map(({ jwk }) => jwk.kid),
    accepting: keyFinding(identity, "", [], today).accepted === undefined ? undefined : identity,
  };
}

// The IDs that the cloud assigned, where "ccf set-identities" writes them. Undefined if they may be in another file.
function assignedIn(
  { directory }: Place,
  { features: { assignedIds } }: Inspector,
  identity: Identity,
): Item[] | undefined {
  if (assignedIds === undefined) return [];
  const { name, path } = assignedIds.store(identity);
  const item = firstIn(directory, path);
  return item?.name === name ? [item] : undefined;
}

// The text of the file is much larger than all claims.
function withoutContent({ apiVersion, kind, name, namespace, path, index }: Item): Resource {
  const without = { annotations: new Map<string, string>(), packagePath: undefined, value: () => null };
  return { apiVersion, kind, name, namespace, path, index, ...without };
}

/** The finding about a key that a cluster shares: a note if its ClusterIdentity accepts it. */
export function keyFinding(identity: Identity, keyId: string, files: readonly string[], today: string | undefined) {
  const { resource } = identity;
  const config = { ...withoutPolicy, identity, today, keys: new Map(), named: [] };
  const found = [{ rule: signingKeyShared, violation: sharedKey(keyId, files, resource) }];
  const findings = judge(found, [resource], [signingKeyShared], withoutPolicy, config);
  return findings.find(({ code }) => code === signingKeyShared.code) as (typeof findings)[number];
}
