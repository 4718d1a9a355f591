import { guarded, withAllowCommand } from "../../core/allowances.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { isMap, type Resource, valueAt } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { counted, didYouMean } from "../../core/words.ts";
import type { Identity } from "../../identity/cluster-identity.ts";
import { keyChanges } from "../../oidc/signing-keys.ts";
import type { FlagsOf } from "../definition.ts";
import { showUnchecked } from "../fleet/each-package.ts";
import { type Place, selectPackages } from "../fleet/select-packages.ts";
import { writeFields } from "../fleet/write-fields.ts";
import type { FieldEdit } from "../package/edit-object.ts";
import { nextSteps } from "../signing-keys/next-steps.ts";
import {
  type KeyChange,
  type KeyEntry,
  type KeyedPackage,
  type KeyPlan,
  keyJson,
  keysPath,
  keyText,
  planKeys,
  readableKeys,
  valuesOf,
} from "../signing-keys/plan-keys.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { removeKeyCommand as definition } from "./definition.ts";

/**
 * `ccf remove-key KEYID DIR…`: removes a key from the ClusterIdentity in each package, and changes nothing else. Exit code 0 if
 * it is removed everywhere, 1 for failure, 2 if a file would change with `--check`.
 */
export function removeKey(flags: FlagsOf<typeof definition>, keyId: string, directories: readonly string[]): number {
  const selection = selectPackages(directories, flags);
  showUnchecked(selection, flags);
  const plans = selection.places.map((place) =>
    planKeys(place, "ccf remove-key KEYID", flags.allow, (keyed) => removed(keyed, keyId, place)),
  );
  return writeFields(plans, selection, flags, {
    lines: ({ planned }, status) => {
      if (planned === undefined || status === "not-changed") return [];
      const { key, keys, configMap } = planned;
      const done = status === "changed" ? "removed" : "would remove";
      const rest = keys.length === 0 ? "no key" : keys.map(keyText).join(" and ");
      const kept = configMap === undefined ? "" : `; the ConfigMap ${quote(configMap)}, which contains it, stays`;
      return [`${done} the key ${keyText(key)}, and kept ${rest}${kept}`];
    },
    next: nextLines,
    json: ({ planned }) => (planned === undefined ? {} : keyJson(planned)),
  });
}

function removed({ pkg, entries }: KeyedPackage, keyId: string, place: Place): KeyChange {
  const { identity, issuerBefore } = pkg;
  const gone = entries.filter(({ key }) => key?.jwk.kid === keyId);
  const key = gone[0]?.key;
  if (key === undefined) throw new FindingsError([notFound(keyId, entries, identity.resource)]);
  const rest = entries.filter((one) => !gone.includes(one));
  const keys = readableKeys(rest);
  const findings =
    keys.length === 0
      ? [lastKey(keyId, identity)]
      : keyChanges(issuerBefore.keyIds, keys, identity).filter(({ code }) => code === "signing-key-replaced");
  const warnings = withAllowCommand(findings, (allowed) => commandLine(allowed, keyId, place));
  if (hasError(warnings)) throw new FindingsError(warnings);
  const edits = rest.length === 0 ? [withoutKeys(identity)] : editsOf(entries, gone);
  return { key, keys, edits, warnings, configMap: gone[0]?.written.from?.configMapKeyRef.name };
}

// An issuer without other fields would be left as {}.
function withoutKeys({ resource }: Identity): FieldEdit {
  const issuer = keysPath.slice(0, -1);
  const fields = valueAt(resource.value(), issuer);
  const isAlone = isMap(fields) && Object.keys(fields).length === 1;
  return { path: isAlone ? issuer : keysPath, value: undefined };
}

// Each edit removes one entry, because a key may be there twice.
function editsOf(entries: readonly KeyEntry[], gone: readonly KeyEntry[]): readonly FieldEdit[] {
  return gone.map((_, index) => {
    const left = entries.filter((one) => !gone.slice(0, index + 1).includes(one));
    return { path: keysPath, value: valuesOf(left), merge: { keeps: true } };
  });
}

function notFound(keyId: string, entries: readonly KeyEntry[], resource: Resource): Finding {
  const field = keysPath.join(".");
  const keys = readableKeys(entries);
  const unread = entries.length - keys.length;
  const ids = keys.map(({ jwk }) => jwk.kid);
  const listed = keys.length === 0 ? "none" : keys.map(keyText).join(", ");
  const all = entries.length === 0 ? "It has no keys" : `Its keys: ${listed}`;
  const others = unread === 0 ? "" : `; ${counted(unread, "entry")} cannot be read, and "ccf render" says why`;
  const message = `${quoteWhole(keyId)} is not the ID of one of its keys${didYouMean(keyId, ids)}. ${all}${others}. Write the whole ID.`;
  return finding("error", "signing-key-not-found", message, { resource, field });
}

function lastKey(keyId: string, identity: Identity): Finding {
  const message = `${quote(keyId)} is its last key. Without a key, the package cannot be rendered, and with another one, every token of the cluster is refused until the cluster signs with that. Add the new key first ("ccf add-key"), and remove the old one when no token that it signed is in use.`;
  const location = { resource: identity.resource, field: keysPath.join(".") };
  return guarded(identity, "replace-key", "signing-key-last", message, location);
}

function commandLine(allowed: readonly string[], keyId: string, { directory }: Place): string {
  const isOption = keyId.startsWith("-");
  return `ccf remove-key --allow ${allowed.join(",")} ${isOption ? "-- " : ""}${keyId} ${shellWord(directory)}`;
}

function nextLines(changed: readonly KeyPlan[]): string[] {
  const isEmpty = ({ planned }: KeyPlan) => planned?.keys.length === 0;
  const empty = changed.filter(isEmpty).map(({ directory }) => shellWord(directory));
  const others = changed.filter((plan) => !isEmpty(plan));
  return [
    ...empty.map((directory) => `Next: ccf add-key --public-key-file FILE ${directory}`),
    ...(others.length === 0 ? [] : stepsAfterRemoval(others)),
  ];
}

function stepsAfterRemoval(changed: readonly KeyPlan[]): string[] {
  if (changed.some(({ planned }) => planned?.isRendered))
    return [...nextSteps(changed, conditions, true), 'Then "ccf status" must say that everything is in sync.'];
  return ["The key was not rendered, so no token depends on it.", ...nextSteps(changed, [], false)];
}

const conditions = [
  "Once it is applied, the cloud refuses every token that the removed key signed. So before that:",
  '- The kube-apiserver of the cluster must sign with another key: "ccf verify-token" shows the key of a new token.',
  "- The last token that the removed key signed must have expired. A pod's token is valid for the expirationSeconds of its volume, by default for an hour. Wait for the longest of them, or renew the tokens: docs/guides/key-rotation.md.",
];
