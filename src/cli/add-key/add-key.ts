import { inspectorFor } from "../../clouds/inspectors.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { counted } from "../../core/words.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import { isKeyProblem, readPublicKey, type SigningJwk } from "../../oidc/public-key.ts";
import { readSigningKeys } from "../../oidc/signing-keys.ts";
import type { FlagsOf } from "../definition.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import { showUnchecked } from "../fleet/each-package.ts";
import { selectPackages } from "../fleet/select-packages.ts";
import { writeFields } from "../fleet/write-fields.ts";
import { nextSteps } from "../signing-keys/next-steps.ts";
import {
  type KeyChange,
  type KeyedPackage,
  keyJson,
  keysPath,
  keyText,
  planKeys,
  readableKeys,
  valuesOf,
} from "../signing-keys/plan-keys.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import type { addKeyCommand as definition } from "./definition.ts";
import { sharedWith } from "./shared-with.ts";

/**
 * `ccf add-key --public-key-file FILE DIR…`: adds a key to the ClusterIdentity in each package, and changes nothing else.
 * Exit code 0 if all packages have the key, 1 for failure, 2 if a file would change with `--check`.
 */
export function addKey(flags: FlagsOf<typeof definition>, directories: readonly string[]): number {
  const file = flags["public-key-file"];
  if (file === undefined) throw new UsageError("--public-key-file FILE is required");
  const given = givenKey(file);
  const selection = selectPackages(directories, flags);
  showUnchecked(selection, flags);
  const sharing = sharedWith(given.key.jwk.kid, selection);
  const plans = selection.places.map((place) =>
    planKeys(place, "ccf add-key --public-key-file FILE", [], (keyed) => added(keyed, given, sharing(place))),
  );
  return writeFields(plans, selection, flags, {
    lines: ({ planned }, status) => {
      if (planned === undefined || status === "not-changed") return [];
      const { key, keys, configMap } = planned;
      if (status === "up-to-date") {
        const where = configMap === undefined ? "" : `, in the ConfigMap ${quote(configMap)}`;
        return [`already has the key ${keyText(key)}${where}`];
      }
      const done = status === "changed" ? "added" : "would add";
      const before = keys.length - 1;
      const place = before === 0 ? "its only key" : `after its ${counted(before, "key")}, published as before`;
      return [`${done} the key ${keyText(key)}, ${place}`];
    },
    next: (changed) => [
      ...nextSteps(changed, [], false),
      "Let the cluster sign with the new key only when the cloud knows it, and keep the old key as long as a token that it signed is in use: docs/guides/key-rotation.md.",
    ],
    json: ({ planned }) => (planned === undefined ? {} : keyJson(planned)),
  });
}

interface GivenKey {
  readonly publicKey: string;
  readonly key: SigningJwk;
}

function givenKey(file: string): GivenKey {
  const publicKey = readPublicKeyFile(file);
  const key = readPublicKey(publicKey);
  if (isKeyProblem(key)) throw new Error(`a checked key ${key.problem}`);
  return { publicKey, key };
}

function added({ pkg, entries }: KeyedPackage, { publicKey, key }: GivenKey, sharing: readonly Finding[]): KeyChange {
  const { identity, cloud, items, issuerBefore } = pkg;
  const known = entries.find((one) => one.key?.jwk.kid === key.jwk.kid);
  const keys = readableKeys(entries);
  if (known !== undefined) return { key, edits: [], keys, configMap: known.written.from?.configMapKeyRef.name };
  const written = [...identity.issuer.signingKeys, { publicKey }];
  const { findings } = readSigningKeys(written, identity.resource, items, issuerBefore.keyIds, cloud.renderer.keys);
  const [all, own] = [keysPath.join("."), `${keysPath.join(".")}[${entries.length}]`];
  // A render reports what is wrong with the other keys.
  const wrong = findings.filter(({ severity, field }) => severity === "error" && (field === all || field === own));
  const problems = [...(wrong.length > 0 ? wrong : tooMany(identity, keys, key)), ...sharing];
  if (hasError(problems)) throw new FindingsError(problems);
  const value = [...valuesOf(entries), { publicKey }];
  return { key, edits: [{ path: keysPath, value, merge: { keeps: true } }], keys: [...keys, key], warnings: sharing };
}

// A render does not know this limit, because an issuer with more keys is not refused as a whole.
function tooMany(identity: Identity, keys: readonly SigningJwk[], { jwk: { kty } }: SigningJwk): Finding[] {
  const { reader, maxPerAlgorithm } = inspectorFor(identity).tokens.limits.keys;
  if (keys.filter(({ jwk }) => jwk.kty === kty).length < maxPerAlgorithm) return [];
  const field = keysPath.join(".");
  const message = `"${field}" already contains ${maxPerAlgorithm} ${kty} keys, which is the most that ${reader} reads of an issuer; remove those that the cluster no longer signs with.`;
  return [finding("error", "too-many-signing-keys", message, { resource: identity.resource, field })];
}
