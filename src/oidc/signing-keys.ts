import { type Guard, guarded } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import { type Resource, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { SigningKey } from "../generated/cluster-identity.ts";
import type { KeyLimits } from "./limits.ts";
import { isKeyProblem, type KeyProblem, readPublicKey, type SigningJwk } from "./public-key.ts";

const base = "spec.issuer.signingKeys";

/**
 * Reports the published keys that are removed, with an error if none of them remains, unless the user has allowed that.
 *
 * @param before the IDs of the keys that were published; empty if none were.
 */
export function keyChanges(before: readonly string[], keys: readonly SigningJwk[], guard: Guard): Finding[] {
  const location = { resource: guard.resource, field: base };
  const now = new Set(keys.map(({ jwk }) => jwk.kid));
  const gone = before.filter((kid) => !now.has(kid));
  const findings = gone.map((kid) =>
    finding("info", "signing-key-removed", `no longer publishes the key ${quote(kid)}.`, location),
  );
  // Without a readable key, readSigningKeys reports an error, which nothing allows.
  if (before.length > 0 && gone.length === before.length && now.size > 0) {
    const message = `"${base}" contains none of the keys that were published before, so every token of the cluster is refused until the cluster signs with a new key. Publish the old and the new key together first, and remove the old one later.`;
    findings.push(guarded(guard, "replace-key", "signing-key-replaced", message, location));
  }
  return findings;
}

/**
 * Reads the keys that a config names, in its order. A note gives the ID of each key, so that a review shows which keys the
 * roles will trust. Keys are read only from where the config says, never searched for.
 *
 * @param config the object that names the keys, for findings.
 * @param items the objects among which referenced ConfigMaps are looked up.
 * @param before the IDs of the keys that were published already, so that a new key is reported as new.
 * @param limits the keys that the cloud accepts
 */
export function readSigningKeys(
  signingKeys: readonly SigningKey[],
  config: Resource,
  items: readonly Resource[],
  before: readonly string[],
  limits: KeyLimits,
): { keys: readonly SigningJwk[]; findings: readonly Finding[] } {
  if (signingKeys.length === 0) {
    const message = `"${base}" is required here: the public key of the cluster's service account signer (serviceaccount-signer.public).`;
    return {
      keys: [],
      findings: [finding("error", "config-missing-field", message, { resource: config, field: base })],
    };
  }
  const findings: Finding[] = [];
  const keys: SigningJwk[] = [];
  const { maxKeys = signingKeys.length } = limits;
  if (signingKeys.length > maxKeys) {
    const message = `"${base}" contains ${signingKeys.length} keys, but ${limits.reader} reads only the first ${maxKeys} of an issuer; remove those that the cluster no longer signs with.`;
    findings.push(finding("error", "too-many-signing-keys", message, { resource: config, field: base }));
  }
  for (const [index, one] of signingKeys.entries()) {
    const field = `${base}[${index}]`;
    const key = readSigningKey(one, items);
    if (key === undefined) {
      findings.push(
        finding(
          "error",
          "signing-key-missing",
          `"${field}" refers to ${describeRef(one)}, but the list does not contain exactly one such key.`,
          {
            resource: config,
            field,
          },
        ),
      );
      continue;
    }
    if (isKeyProblem(key)) {
      findings.push(finding("error", key.code, `"${field}" ${key.problem}.`, { resource: config, field }));
    } else if (!limits.algorithms.includes(key.jwk.alg)) {
      const message = `"${field}" is a key for ${key.jwk.alg} (${key.description}), and ${limits.reader} accepts only ${limits.algorithms.join(" and ")}. Create an RSA key, for example with "ccf create-key-pair".`;
      findings.push(finding("error", "signing-key-unsupported", message, { resource: config, field }));
    } else if (keys.some(({ jwk }) => jwk.kid === key.jwk.kid)) {
      findings.push(
        finding(
          "error",
          "signing-key-repeated",
          `"${field}" is the same key as an earlier one (key ID "${key.jwk.kid}"); remove one.`,
          { resource: config, field },
        ),
      );
    } else {
      keys.push(key);
      const isNew = before.length > 0 && !before.includes(key.jwk.kid);
      findings.push(
        finding(
          "info",
          "signing-key",
          `publishes the ${isNew ? "new " : ""}key "${key.jwk.kid}" (${key.description}).`,
          {
            resource: config,
            field,
          },
        ),
      );
    }
  }
  return { keys, findings };
}

/**
 * Reads one of the keys that a config names; undefined if it refers to anything but exactly one key of a ConfigMap.
 *
 * @param items the objects among which referenced ConfigMaps are looked up.
 */
export function readSigningKey(
  signingKey: SigningKey,
  items: readonly Resource[],
): SigningJwk | KeyProblem | undefined {
  const pem = signingKey.publicKey ?? lookUp(signingKey, items);
  return pem === undefined ? undefined : readPublicKey(pem);
}

function lookUp({ from }: SigningKey, items: readonly Resource[]): string | undefined {
  const ref = from?.configMapKeyRef;
  const found = items.filter(
    (item) =>
      item.kind === "ConfigMap" &&
      item.apiVersion === "v1" &&
      item.name === ref?.name &&
      item.namespace === (ref.namespace ?? ""),
  );
  // If two ConfigMaps have that name, the reference is ambiguous.
  if (ref === undefined || found[0] === undefined || found.length > 1) return undefined;
  const text = valueAt(found[0].value(), ["data", ref.key]);
  return typeof text === "string" ? text : undefined;
}

function describeRef({ from }: SigningKey): string {
  const ref = from?.configMapKeyRef;
  const namespace = ref?.namespace === undefined ? "" : ` in the namespace ${quote(ref.namespace)}`;
  return `the key ${quote(ref?.key ?? "")} of the ConfigMap ${quote(ref?.name ?? "")}${namespace}`;
}
