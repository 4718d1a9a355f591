import { ClusterPackage, clusterPackageOf } from "../../clouds/cluster-package.ts";
import { readRendered } from "../../clouds/inspectors.ts";
import { bundlesAmong, type RenderedIssuer } from "../../clouds/rendered.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import type { Value, ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { SigningKey } from "../../generated/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { isKeyProblem, type SigningJwk } from "../../oidc/public-key.ts";
import { readSigningKey } from "../../oidc/signing-keys.ts";
import type { Place } from "../fleet/select-packages.ts";
import type { FieldEdit } from "../package/edit-object.ts";
import { readPipeline } from "../package/kptfile.ts";
import { type FieldsPlan, planEdits } from "../package/plan-set.ts";
import { FindingsError } from "../terminal/errors.ts";

/** An entry of `spec.issuer.signingKeys`. */
export interface KeyEntry {
  readonly written: SigningKey;
  /** Undefined if it cannot be read; a render says why. */
  readonly key: SigningJwk | undefined;
}

/** A package whose keys a command changes. */
export interface KeyedPackage {
  readonly pkg: ClusterPackage;
  readonly entries: readonly KeyEntry[];
}

/** A key that is added or removed; without edits, nothing changes. */
export interface KeyChange {
  readonly key: SigningJwk;
  readonly edits: readonly FieldEdit[];
  /** The keys that the package has afterwards, in their order. */
  readonly keys: readonly SigningJwk[];
  /** The ConfigMap that contains the key. */
  readonly configMap?: string | undefined;
  readonly warnings?: readonly Finding[];
}

/** What a run would do to one package. */
export interface KeyPlan extends FieldsPlan {
  /** Undefined if a finding is an error. */
  readonly planned: PlannedKey | undefined;
}

/** A change of a package's keys, and what its next step depends on. */
export interface PlannedKey extends KeyChange {
  /** The package was rendered with the key. */
  readonly isRendered: boolean;
  /** None of the keys that it was rendered with remains, which a render must be allowed to do. */
  readonly replacesAll: boolean;
  /** A render of the package generates an issuer; otherwise, another package publishes the keys. */
  readonly hasIssuer: boolean;
  /** The issuer that was rendered. */
  readonly issuer: RenderedIssuer | undefined;
}

/** The field with the keys. */
export const keysPath: readonly string[] = ["spec", "issuer", "signingKeys"];

/**
 * Plans the change of a package's keys, as `ccf set` does. Reads only; what is wrong is a finding.
 *
 * @param command the command line without directories, for messages
 * @param change throws FindingsError if the keys must not be changed.
 */
export function planKeys(
  place: Place,
  command: string,
  allowed: readonly string[],
  change: (keyed: KeyedPackage) => KeyChange,
): KeyPlan {
  let planned: PlannedKey | undefined;
  const plan = planEdits(place, command, (item, items) => {
    const pkg = clusterPackageOf({ items, functionConfig: item, allowed: new Set(allowed) });
    if (!(pkg instanceof ClusterPackage)) throw new FindingsError(pkg);
    const entries = pkg.identity.issuer.signingKeys.map((written) => ({ written, key: keyOf(written, items) }));
    const keyChange = change({ pkg, entries });
    const { keyIds } = pkg.issuerBefore;
    const isRendered = ({ jwk }: SigningJwk) => keyIds.includes(jwk.kid);
    planned = {
      ...keyChange,
      isRendered: isRendered(keyChange.key),
      replacesAll: keyIds.length > 0 && !keyChange.keys.some(isRendered),
      hasIssuer: hasIssuer(items),
      issuer: readRendered(bundlesAmong(items))?.cluster.issuers[0],
    };
    return keyChange.edits;
  });
  if (hasError(plan.findings)) return { ...plan, planned: undefined };
  return { ...plan, planned, findings: planned?.warnings ?? [] };
}

function keyOf(written: SigningKey, items: readonly Item[]): SigningJwk | undefined {
  const key = readSigningKey(written, items);
  return key === undefined || isKeyProblem(key) ? undefined : key;
}

// Without a Kptfile, a render runs all functions.
function hasIssuer(items: readonly Item[]): boolean {
  const kptfile = items.find(({ path }) => path === "Kptfile");
  return kptfile === undefined || readPipeline(kptfile).steps.some(({ fn }) => fn.name === "generate-oidc-issuer");
}

/** The keys of entries, without those that cannot be read. */
export function readableKeys(entries: readonly KeyEntry[]): readonly SigningJwk[] {
  return entries.flatMap(({ key }) => key ?? []);
}

/** The values of entries, for an edit. */
export function valuesOf(entries: readonly KeyEntry[]): readonly Value[] {
  return entries.map(({ written }) => written as unknown as Value);
}

/** A key for messages: its whole ID, and its kind. */
export function keyText({ jwk, description }: SigningJwk): string {
  return `${quote(jwk.kid)} (${description})`;
}

/** What `-o json` prints besides the fields: the key, and the IDs of all keys that the package then has. */
export function keyJson({ key, keys }: PlannedKey): ValueMap {
  return { keyID: key.jwk.kid, key: key.description, keyIDs: keys.map(({ jwk }) => jwk.kid) };
}
