import { annotatedAllowances } from "../core/allowances.ts";
import { type Finding, FindingError, finding } from "../core/finding.ts";
import { isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { holdsPrivateKey, quoteWhole } from "../core/text.ts";
import { schemaFindings } from "../core/validation.ts";
import type { Acceptance, AWSPlatform, ClusterIdentity, Release, SigningKey } from "../generated/cluster-identity.ts";
import { clusterIdentityWords, validateClusterIdentity } from "../generated/validate-cluster-identity.js";
import { findIdentity } from "./find.ts";

/** A ClusterIdentity that follows its schema, with every default filled in that does not depend on the cloud. */
export interface Identity {
  readonly resource: Resource;
  readonly name: string;
  readonly prefix: string;
  /** What this run may take away: see {@link guarded}. */
  readonly allowed: ReadonlySet<string>;
  readonly release: Required<Omit<Release, "capabilities" | "version">> & Pick<Release, "capabilities" | "version">;
  readonly issuer: {
    readonly url: string | undefined;
    readonly previous: readonly string[];
    readonly audiences: readonly string[];
    readonly signingKeys: readonly SigningKey[];
  };
  readonly tokenPath: string;
  /** Findings of rules that are accepted for the cluster. */
  readonly accept: readonly Acceptance[];
  readonly aws: AWSPlatform;
}

/**
 * Finds the ClusterIdentity of a run and checks it; findings instead where there is none that can be used.
 *
 * @param allowed what the caller allows beside the object's own annotation.
 */
export function readIdentity(
  items: readonly Resource[],
  config: Resource | undefined,
  allowed: ReadonlySet<string> = nothingAllowed,
): Identity | readonly Finding[] {
  try {
    const resource = findIdentity(items, config);
    return "severity" in resource ? [resource] : checkIdentity(resource, allowed);
  } catch (error) {
    if (error instanceof FindingError) return [error.finding];
    throw error;
  }
}

export function isIdentity(result: Identity | readonly Finding[]): result is Identity {
  return "prefix" in result;
}

const nothingAllowed: ReadonlySet<string> = new Set();

function checkIdentity(resource: Resource, given: ReadonlySet<string>): Identity | readonly Finding[] {
  const value = resource.value();
  const secrets = privateKeys(value, "");
  if (secrets.length > 0) {
    return secrets.map((field) => {
      const message = `${field === "" ? "it" : quoteWhole(field)} holds a private key. A private key must never be in a package: remove it, treat it as known to others, and make a new one. Only public keys are needed.`;
      return finding("error", "private-key", message, field === "" ? { resource } : { resource, field });
    });
  }
  const other = otherPlatform(value);
  if (other !== undefined) {
    const field = `spec.platform.${other}`;
    return [
      finding("error", "platform-not-supported", `"${field}": this version generates for "aws" alone.`, {
        resource,
        field,
      }),
    ];
  }
  if (!validateClusterIdentity(value)) {
    const errors = validateClusterIdentity.errors ?? [];
    return schemaFindings(errors, value, { resource }, codes, clusterIdentityWords());
  }
  const { allowed, findings } = annotatedAllowances(resource);
  return findings.length > 0 ? findings : withDefaults(resource, value, new Set([...allowed, ...given]));
}

const codes = {
  unknown: "config-unknown-field",
  missing: "config-missing-field",
  invalid: "config-invalid-field",
} as const;

/** Where a component finds its token, unless its request or the cluster's configuration says another place. */
export const defaultTokenPath = "/var/run/secrets/openshift/serviceaccount/token";

function withDefaults(resource: Resource, { metadata, spec }: ClusterIdentity, allowed: ReadonlySet<string>): Identity {
  const { release = {}, issuer = {} } = spec;
  return {
    resource,
    name: metadata.name,
    prefix: spec.resourcePrefix ?? metadata.name,
    allowed,
    release: {
      profile: release.profile ?? "self-managed-high-availability",
      excludeIdentifier: release.excludeIdentifier ?? "",
      featureSet: release.featureSet ?? "Default",
      featureGates: release.featureGates ?? [],
      ...(release.version === undefined ? {} : { version: release.version }),
      ...(release.capabilities === undefined ? {} : { capabilities: release.capabilities }),
    },
    issuer: {
      url: issuer.url,
      previous: issuer.previous ?? [],
      audiences: issuer.audiences ?? ["openshift", "sts.amazonaws.com"],
      signingKeys: issuer.signingKeys ?? [],
    },
    tokenPath: spec.tokenPath ?? defaultTokenPath,
    accept: spec.accept ?? [],
    aws: spec.platform.aws,
  };
}

function otherPlatform(value: Value): string | undefined {
  const platform = valueAt(value, ["spec", "platform"]);
  return isMap(platform) ? ["gcp", "azure"].find((name) => Object.hasOwn(platform, name)) : undefined;
}

// The paths of texts that hold a private key; where the key of a mapping holds one, the path of the mapping.
function privateKeys(value: Value, path: string): string[] {
  if (typeof value === "string") return holdsPrivateKey(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((one, place) => privateKeys(one, `${path}[${place}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    holdsPrivateKey(key) ? [path] : privateKeys(one, path === "" ? key : `${path}.${key}`),
  );
}
