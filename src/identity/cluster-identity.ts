import { annotatedAllowances } from "../core/allowances.ts";
import { type Finding, FindingError, finding } from "../core/finding.ts";
import { invisibleCharacters } from "../core/invisible.ts";
import { canonicalJson } from "../core/json.ts";
import { clusterMark, teamMark } from "../core/owner-mark.ts";
import { compareLocations, entryOf, groupOf, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { holdsPrivateKey, quote, quoteWhole } from "../core/text.ts";
import { schemaFindings } from "../core/validation.ts";
import { didYouMean, listed } from "../core/words.ts";
import type {
  Acceptance,
  ClusterIdentity,
  Facts,
  Operators,
  Override,
  Release,
  SigningKey,
  Workloads,
} from "../generated/cluster-identity.ts";
import { defaults } from "../generated/schema-facts.ts";
import { clusterIdentityWords, validateClusterIdentity } from "../generated/validate-cluster-identity.js";

/** A ClusterIdentity that follows its schema, with every default that does not depend on the cloud. */
export interface Identity {
  readonly resource: Resource;
  readonly name: string;
  readonly prefix: string;
  /** The allowances of this run: see {@link guarded}. */
  readonly allowed: ReadonlySet<string>;
  readonly release: Required<Omit<Release, "capabilities" | "version">> & Pick<Release, "capabilities" | "version">;
  readonly issuer: {
    readonly url: string | undefined;
    readonly previous: readonly string[];
    /** Undefined if the cloud decides. */
    readonly audiences: readonly string[] | undefined;
    readonly signingKeys: readonly SigningKey[];
  };
  readonly tokenPath: string;
  readonly secretEncoding: "stringData" | "data";
  /** `emitSecrets` has no default: rendered Secrets are removed only if the field is set. */
  readonly operators: Required<Pick<Operators, "installPlanApproval">> & Pick<Operators, "emitSecrets">;
  /** The guard rails for WorkloadIdentities; undefined if the cluster has none, and so no such identities. */
  readonly workloads: Workloads | undefined;
  /** Set if the package is that of a team, which renders workloads only. */
  readonly facts: Facts | undefined;
  /** The mark of what the package makes in the cloud. */
  readonly mark: string;
  /** By `<secret namespace>/<secret name>`. */
  readonly overrides: Readonly<Record<string, Override>>;
  /** What applies the package to the cloud. */
  readonly applier: "Ccf" | "Terraform";
  /** The codes of rules that are off by default, and on for the cluster. */
  readonly optionalRules: readonly string[];
  /** Findings of rules that the user accepts for the cluster. */
  readonly accept: readonly Acceptance[];
  readonly platform: Platform;
}

/** The cloud of a ClusterIdentity. */
interface Platform {
  /** The key in `spec.platform`. */
  readonly name: string;
  /** The value of that key, checked by its cloud. */
  readonly spec: Value;
}

/** Checks of the value of `spec.platform.<name>`, by name. */
export type PlatformChecks = Readonly<Record<string, (spec: Value, resource: Resource) => readonly Finding[]>>;

/**
 * Finds the ClusterIdentity of a run and checks it. Returns findings if none can be used.
 *
 * @param platforms by the keys that `spec.platform` may have
 * @param allowed what the caller allows in addition to the object's annotation.
 */
export function readIdentity(
  items: readonly Resource[],
  config: Resource | undefined,
  platforms: PlatformChecks,
  allowed: ReadonlySet<string> = nothingAllowed,
): Identity | readonly Finding[] {
  try {
    const resource = findIdentity(items, config);
    return "severity" in resource ? [resource] : checkIdentity(resource, platforms, allowed);
  } catch (error) {
    if (error instanceof FindingError) return [error.finding];
    throw error;
  }
}

export function isIdentity(result: Identity | readonly Finding[]): result is Identity {
  return "prefix" in result;
}

const nothingAllowed: ReadonlySet<string> = new Set();

function checkIdentity(
  resource: Resource,
  platforms: PlatformChecks,
  given: ReadonlySet<string>,
): Identity | readonly Finding[] {
  const value = resource.value();
  const secrets = privateKeys(value, "");
  if (secrets.length > 0) {
    return secrets.map((field) => {
      const message = `${field === "" ? "it" : quoteWhole(field)} contains a private key. Remove it, treat it as compromised, and create a new key pair. Only the public key belongs in a package.`;
      return finding("error", "private-key", message, field === "" ? { resource } : { resource, field });
    });
  }
  const platform = platformsOf(value);
  const { allowed, findings } = annotatedAllowances(resource);
  const isValid = validateClusterIdentity(value);
  const commonFindings = isValid
    ? []
    : schemaFindings(validateClusterIdentity.errors ?? [], value, { resource }, configCodes, clusterIdentityWords());
  const platformFindings = platform.flatMap(
    ([name, spec]) => entryOf(platforms, name)?.(spec, resource) ?? [unknownPlatform(name, resource, platforms)],
  );
  const allFindings = [...commonFindings, ...platformFindings, ...findings];
  allFindings.push(...invisibleCharacters(resource, usedSpec(value), "spec", allFindings));
  return !isValid || allFindings.length > 0
    ? allFindings
    : withDefaults(resource, value, new Set([...allowed, ...given]));
}

// The reasons of acceptances are for readers, and never in what is generated.
function usedSpec(value: Value): Value {
  const spec = valueAt(value, ["spec"]);
  if (!isMap(spec)) return null;
  const { accept: _, ...used } = spec;
  return used;
}

function platformsOf(value: Value): [string, Value][] {
  const platform = valueAt(value, ["spec", "platform"]);
  return isMap(platform) ? Object.entries(platform) : [];
}

function unknownPlatform(name: string, resource: Resource, platforms: PlatformChecks): Finding {
  const field = `spec.platform.${name}`;
  const message = `unknown field ${quote(field)}${didYouMean(name, Object.keys(platforms))}.`;
  return finding("error", "config-unknown-field", message, { resource, field });
}

/** The codes of findings about fields that do not follow the schema. */
export const configCodes = {
  unknown: "config-unknown-field",
  missing: "config-missing-field",
  invalid: "config-invalid-field",
} as const;

/** Where a component finds its token, unless its request or the ClusterIdentity sets another path. */
export const defaultTokenPath = defaults["spec.tokenPath"];

function withDefaults(resource: Resource, { metadata, spec }: ClusterIdentity, allowed: ReadonlySet<string>): Identity {
  const { release = {}, issuer = {} } = spec;
  return {
    resource,
    name: metadata.name,
    prefix: spec.resourcePrefix ?? metadata.name,
    allowed,
    release: {
      profile: release.profile ?? defaults["spec.release.profile"],
      excludeIdentifier: release.excludeIdentifier ?? defaults["spec.release.excludeIdentifier"],
      featureSet: release.featureSet ?? defaults["spec.release.featureSet"],
      featureGates: release.featureGates ?? [],
      ...(release.version === undefined ? {} : { version: release.version }),
      ...(release.capabilities === undefined ? {} : { capabilities: release.capabilities }),
    },
    issuer: {
      url: issuer.url,
      previous: issuer.previous ?? [],
      audiences: issuer.audiences,
      signingKeys: issuer.signingKeys ?? [],
    },
    tokenPath: spec.tokenPath ?? defaultTokenPath,
    secretEncoding: spec.secret?.encoding ?? defaults["spec.secret.encoding"],
    operators: { installPlanApproval: defaults["spec.operators.installPlanApproval"], ...spec.operators },
    workloads: spec.workloads,
    facts: spec.facts,
    mark: spec.facts === undefined ? clusterMark : teamMark(spec.facts.package),
    overrides: spec.overrides ?? {},
    applier: spec.applier ?? defaults["spec.applier"],
    optionalRules: spec.optionalRules ?? [],
    accept: spec.accept ?? [],
    platform: platformOf(spec.platform),
  };
}

function platformOf(platform: object): Platform {
  const [name, spec] = Object.entries(platform)[0] as [string, Value];
  return { name, spec };
}

// The paths of texts that contain a private key. If the key of a mapping contains one, the path of the mapping.
function privateKeys(value: Value, path: string): string[] {
  if (typeof value === "string") return holdsPrivateKey(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((value, index) => privateKeys(value, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    holdsPrivateKey(key) ? [path] : privateKeys(one, path === "" ? key : `${path}.${key}`),
  );
}

const group = "fn.cloudcredential.dev";

/** How many ClusterIdentities a message names. */
const maxNames = 5;

/** Whether an object is a ClusterIdentity, of any version. */
export function isClusterIdentity(resource: Resource): boolean {
  return resource.kind === "ClusterIdentity" && groupOf(resource.apiVersion) === group;
}

/**
 * The ClusterIdentity of a run: the function's configuration or, without one, the only ClusterIdentity among the items.
 * A ConfigMap as configuration (`kpt fn eval` sends one) is ignored.
 */
function findIdentity(items: readonly Resource[], config: Resource | undefined): Resource | Finding {
  if (config !== undefined) {
    if (isClusterIdentity(config)) return config;
    if (config.kind !== "ConfigMap") {
      const message = `functionConfig is of kind ${quote(config.kind)}, not ClusterIdentity. Use a ClusterIdentity of ${group}, or omit functionConfig.`;
      return finding("error", "config-wrong-kind", message, { resource: config });
    }
  }
  const candidates = items.filter(isClusterIdentity);
  const [first, ...others] = candidates;
  if (first === undefined) {
    const message =
      "No ClusterIdentity was found. Pass one as functionConfig (configPath in a Kptfile), or add one to the resources.";
    return finding("error", "config-missing", message);
  }
  if (others.every((other) => canonicalForm(other) === canonicalForm(first))) return first;
  // The message must not depend on the order of the list.
  const sorted = [...candidates].sort(compareLocations) as [Resource, ...Resource[]];
  const different = sorted.find((other) => canonicalForm(other) !== canonicalForm(sorted[0])) as Resource;
  const all = sorted.map(
    (resource) => `${quote(resource.name)}${resource.path === undefined ? "" : ` in ${quoteWhole(resource.path)}`}`,
  );
  const message = `Found ${candidates.length} ClusterIdentities that differ: ${listed(all, maxNames)}. Pass the right one as functionConfig (configPath in a Kptfile), or remove the others.`;
  return finding("error", "config-ambiguous", message, { resource: different });
}

// Without annotations: they record where an object came from, which may differ between copies.
function canonicalForm(resource: Resource): string {
  return canonicalJson([resource.apiVersion, resource.name, valueAt(resource.value(), ["spec"]) ?? null]);
}
