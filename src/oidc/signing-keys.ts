import { type Guard, guarded } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import { type Resource, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { SigningKey } from "../generated/cluster-identity.ts";
import { isKeyProblem, readPublicKey, type SigningJwk } from "./public-key.ts";

const base = "spec.issuer.signingKeys";

/**
 * What becomes of the keys that a package publishes already: those that go, and an error where none of them stays, unless
 * that is allowed.
 *
 * @param before the key IDs that were published; none where nothing was.
 */
export function keyChanges(before: readonly string[], keys: readonly SigningJwk[], guard: Guard): Finding[] {
  const location = { resource: guard.resource, field: base };
  const now = new Set(keys.map(({ jwk }) => jwk.kid));
  const gone = before.filter((kid) => !now.has(kid));
  const findings = gone.map((kid) =>
    finding("info", "signing-key-removed", `no longer publishes the key ${quote(kid)}.`, location),
  );
  if (before.length > 0 && gone.length === before.length && now.size > 0) {
    const message = `"${base}" holds none of the keys that were published before, so every token of the cluster is refused until it signs with a new one. Publish the old and the new key together first, and remove the old one later.`;
    findings.push(guarded(guard, "replace-key", "signing-key-replaced", message, location));
  }
  return findings;
}

/**
 * The keys that a config names, in its order, and a note of each one's key ID, so that a review shows which keys a
 * cluster will be believed by. Keys come from where the config says and are never looked for.
 *
 * @param config the object that names them, for findings.
 * @param items where ConfigMaps that it refers to are looked up.
 * @param before the key IDs that were published already, so that a new one is called new.
 */
export function readSigningKeys(
  signingKeys: readonly SigningKey[],
  config: Resource,
  items: readonly Resource[],
  before: readonly string[],
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
  for (const [index, one] of signingKeys.entries()) {
    const field = `${base}[${index}]`;
    const pem = one.publicKey ?? lookUp(one, items);
    if (pem === undefined) {
      findings.push(
        finding("error", "signing-key-missing", `"${field}" refers to ${describeRef(one)}, which is not in the list.`, {
          resource: config,
          field,
        }),
      );
      continue;
    }
    const key = readPublicKey(pem);
    if (isKeyProblem(key)) {
      findings.push(finding("error", key.code, `"${field}" ${key.problem}.`, { resource: config, field }));
    } else if (keys.some(({ jwk }) => jwk.kid === key.jwk.kid)) {
      findings.push(
        finding(
          "error",
          "signing-key-repeated",
          `"${field}" is the same key as one before it (key ID "${key.jwk.kid}"); remove one.`,
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

function lookUp({ from }: SigningKey, items: readonly Resource[]): string | undefined {
  const ref = from?.configMapKeyRef;
  const found = items.filter(
    (item) =>
      item.kind === "ConfigMap" &&
      item.apiVersion === "v1" &&
      item.name === ref?.name &&
      item.namespace === (ref.namespace ?? ""),
  );
  // Two of that name: nobody can say which is meant.
  if (ref === undefined || found[0] === undefined || found.length > 1) return undefined;
  const text = valueAt(found[0].value(), ["data", ref.key]);
  return typeof text === "string" ? text : undefined;
}

function describeRef({ from }: SigningKey): string {
  const ref = from?.configMapKeyRef;
  const namespace = ref?.namespace === undefined ? "" : ` in the namespace ${quote(ref.namespace)}`;
  return `the key ${quote(ref?.key ?? "")} of one ConfigMap ${quote(ref?.name ?? "")}${namespace}`;
}
