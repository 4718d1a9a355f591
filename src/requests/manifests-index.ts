import { readJson } from "../core/json.ts";
import { allByKey, groupOf, isMap, type Resource, textOf, type Value, type ValueMap } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import {
  capabilitiesOf,
  exclusionOf,
  gateName,
  isForMajorVersion,
  isOfRelease,
  majorVersionKey,
  type ReleaseFilter,
  unknownTermsOf,
} from "./release-filter.ts";

/*
 * The manifests of a release: which objects it has, and the annotations that decide whether a cluster includes them. That is
 * all that the cluster-version-operator looks at to enable capabilities in an upgrade.
 */

/** A manifest of a release, without its content. */
export interface IndexedManifest {
  readonly group: string;
  readonly kind: string;
  /** "" for an object without a namespace. */
  readonly namespace: string;
  readonly name: string;
  /** Those that decide whether a cluster includes it. */
  readonly annotations: ReadonlyMap<string, string>;
}

/** The kind in an index file, which a reader checks. */
const indexKind = "ReleaseManifestsIndex";
const indexVersion = "fn.cloudcredential.dev/v1alpha1";

/** The largest index that is read, in characters: about 20 times that of a release. */
export const maxIndexLength = 16 * 2 ** 20;

const deciding =
  /^(?:include|exclude)\.release\.openshift\.io\/|^release\.openshift\.io\/|^capability\.openshift\.io\/name$/;

/** The manifest of an object in a payload. */
export function indexed({ apiVersion, kind, namespace, name, annotations }: Resource): IndexedManifest {
  const kept = [...annotations].filter(([key]) => deciding.test(key)).sort(([a], [b]) => compareText(a, b));
  return { group: groupOf(apiVersion), kind, namespace, name, annotations: new Map(kept) };
}

/** The text of an index file: JSON, sorted, one manifest a line, so that it can be compared in a review. */
export function writeIndex(manifests: readonly IndexedManifest[]): string {
  const lines = manifests.map(({ group, kind, namespace, name, annotations }) =>
    JSON.stringify({ group, kind, namespace, name, annotations: Object.fromEntries(annotations) }),
  );
  const list = [...new Set(lines)].sort(compareText).map((line) => `    ${line}`);
  return `{\n  "apiVersion": "${indexVersion}",\n  "kind": "${indexKind}",\n  "manifests": [\n${list.join(",\n")}\n  ]\n}\n`;
}

/** Reads an index file. Returns what is wrong with it, as the end of a sentence, if it cannot be used. */
export function readIndex(text: string): readonly IndexedManifest[] | string {
  const reading = readJson(text);
  if ("problem" in reading) return reading.problem;
  const { value } = reading;
  if (!isMap(value) || value["kind"] !== indexKind || value["apiVersion"] !== indexVersion)
    return `is not a ${indexKind} of ${indexVersion}`;
  const list = value["manifests"];
  if (!Array.isArray(list)) return "contains no list of manifests";
  const manifests = (list as readonly Value[]).map(readManifest);
  return manifests.includes(undefined)
    ? "contains a manifest that is not complete"
    : (manifests as readonly IndexedManifest[]);
}

function readManifest(value: Value): IndexedManifest | undefined {
  if (!isMap(value)) return undefined;
  const { group, kind, namespace, name, annotations } = value as ValueMap;
  const texts = [group, kind, namespace, name];
  if (texts.some((text) => typeof text !== "string") || !isMap(annotations as Value)) return undefined;
  const entries = Object.entries(annotations as ValueMap);
  if (entries.some(([, text]) => typeof text !== "string")) return undefined;
  return {
    ...{ group: textOf(group), kind: textOf(kind), namespace: textOf(namespace), name: textOf(name) },
    annotations: new Map(entries.map(([key, text]) => [key, textOf(text)])),
  };
}

/** The manifests of a release, and what a cluster includes of it. */
export interface ReleaseSide {
  readonly manifests: readonly IndexedManifest[];
  /** Of the release: with its gates and its version. */
  readonly filter: ReleaseFilter;
}

/** The capabilities that an upgrade enables. */
export interface ImplicitCapabilities {
  /** Sorted, without those that are enabled. */
  readonly enabled: readonly string[];
  /** Those of which it is unknown, with the feature gates of unknown state that decide it; sorted. */
  readonly unknown: readonly { readonly name: string; readonly gates: readonly string[] }[];
}

/**
 * The capabilities that the cluster-version-operator enables in an upgrade, because the next release makes a part of what the
 * cluster has a capability of its own. None for a cluster with all capabilities.
 *
 * The rule is that of cluster-version-operator (lib/manifest, GetImplicitlyEnabledCapabilities): if a manifest of the next
 * release is excluded only because of its capabilities, and the running release has the same object and includes it, then the
 * capabilities that are new in its annotation are enabled. The operator asks the gates of the running release about both; here
 * each release is asked about its own, which differs only for an object that gets a gate in the same release.
 */
export function implicitCapabilities(running: ReleaseSide, next: ReleaseSide): ImplicitCapabilities {
  const { capabilities } = running.filter;
  if (capabilities === undefined) return { enabled: [], unknown: [] };
  const before = allByKey(running.manifests, keyOf);
  const found = next.manifests.flatMap((manifest) => newCapabilities(manifest, before, capabilities, running, next));
  const enabled = new Set(found.flatMap(({ name, gates }) => (gates.length === 0 ? [name] : [])));
  const unknown = allByKey(found, ({ name }) => (enabled.has(name) ? undefined : name));
  const gatesOf = (all: readonly (typeof found)[number][]) =>
    [...new Set(all.flatMap(({ gates }) => gates))].sort(compareText);
  return {
    enabled: [...enabled].sort(compareText),
    unknown: [...unknown]
      .map(([name, all]) => ({ name, gates: gatesOf(all) }))
      .sort((a, b) => compareText(a.name, b.name)),
  };
}

/** The capabilities that one manifest enables, each with the gates of unknown state that decide it. */
function newCapabilities(
  manifest: IndexedManifest,
  before: ReadonlyMap<string, readonly IndexedManifest[]>,
  enabled: readonly string[],
  running: ReleaseSide,
  next: ReleaseSide,
): { readonly name: string; readonly gates: readonly string[] }[] {
  const { capabilities: ofNext = enabled, ...anyCapability } = next.filter;
  const needed = capabilitiesOf(manifest.annotations);
  if (needed.every((name) => ofNext.includes(name))) return [];
  const gates = undecidedGates(manifest, anyCapability);
  if (gates === undefined) return [];
  return (before.get(keyOf(manifest)) ?? []).flatMap((old) => {
    const oldGates = undecidedGates(old, running.filter);
    const had = [...capabilitiesOf(old.annotations), ...enabled];
    const names = oldGates === undefined ? [] : needed.filter((name) => !had.includes(name));
    return names.map((name) => ({ name, gates: [...gates, ...(oldGates ?? [])] }));
  });
}

function keyOf({ group, kind, namespace, name }: IndexedManifest): string {
  return JSON.stringify([group, kind, namespace, name]);
}

/** The kinds with major versions in their manifests (openshift/library-go, pkg/manifest, checkMajorVersion). */
const versioned = new Set(["config.openshift.io/FeatureGate", "apiextensions.k8s.io/CustomResourceDefinition"]);

/** Whether a cluster certainly includes a manifest. */
export function isIncluded(manifest: IndexedManifest, filter: ReleaseFilter): boolean {
  return undecidedGates(manifest, filter)?.length === 0;
}

// The gates of unknown state that decide whether a manifest is included; undefined if it is not, whatever their state. Unlike a
// request, an object without a profile is not included: the cluster-version-operator decides here.
function undecidedGates({ group, kind, annotations }: IndexedManifest, filter: ReleaseFilter): string[] | undefined {
  const isVersioned = versioned.has(`${group}/${kind}`);
  if (!isOfRelease(annotations) || (isVersioned && !isForMajorVersion(annotations, filter.version))) return undefined;
  const decided = isVersioned ? withoutMajorVersion(annotations) : annotations;
  const exclusion = exclusionOf(decided, filter);
  if (exclusion !== undefined && exclusion.code !== "feature-gate-unknown") return undefined;
  return unknownTermsOf(decided, filter).map(gateName);
}

function withoutMajorVersion(annotations: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...annotations].filter(([key]) => key !== majorVersionKey));
}
