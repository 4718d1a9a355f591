import { readJson } from "../core/json.ts";
import { groupOf, isMap, type Resource, textOf, type Value, type ValueMap } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { capabilitiesOf, exclusionOf, isForMajorVersion, isOfRelease, type ReleaseFilter } from "./release-filter.ts";

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

/**
 * The capabilities that the cluster-version-operator enables in an upgrade, because the next release makes a part of what the
 * cluster has a capability of its own; sorted, without those that are enabled. Empty for a cluster with all capabilities.
 *
 * The rule is that of cluster-version-operator (lib/manifest, GetImplicitlyEnabledCapabilities): if a manifest of the next
 * release is excluded only because of its capabilities, and the running release has the same object and includes it, then the
 * capabilities that are new in its annotation are enabled.
 */
export function implicitCapabilities(running: ReleaseSide, next: ReleaseSide): string[] {
  const { capabilities } = running.filter;
  if (capabilities === undefined) return [];
  const before = new Map<string, IndexedManifest[]>();
  for (const manifest of running.manifests) {
    if (!isIncluded(manifest, running.filter)) continue;
    before.set(keyOf(manifest), [...(before.get(keyOf(manifest)) ?? []), manifest]);
  }
  const { capabilities: _, ...anyCapability } = next.filter;
  const enabled = new Set(capabilities);
  const found = next.manifests
    .filter((manifest) => isIncluded(manifest, anyCapability) && !isIncluded(manifest, next.filter))
    .flatMap((manifest) => {
      const now = capabilitiesOf(manifest.annotations);
      return (before.get(keyOf(manifest)) ?? []).flatMap(({ annotations }) => {
        const old = capabilitiesOf(annotations);
        return now.filter((name) => !old.includes(name));
      });
    });
  return [...new Set(found)].filter((name) => !enabled.has(name)).sort(compareText);
}

function keyOf({ group, kind, namespace, name }: IndexedManifest): string {
  return JSON.stringify([group, kind, namespace, name]);
}

/** The kinds with major versions in their manifests (openshift/library-go, pkg/manifest, checkMajorVersion). */
const versioned = new Set(["config.openshift.io/FeatureGate", "apiextensions.k8s.io/CustomResourceDefinition"]);

// Unlike a request, an object without a profile is not included: the cluster-version-operator decides here.
function isIncluded({ group, kind, annotations }: IndexedManifest, filter: ReleaseFilter): boolean {
  if (!isOfRelease(annotations)) return false;
  if (!versioned.has(`${group}/${kind}`)) return exclusionOf(annotations, filter) === undefined;
  const { "release.openshift.io/major-version": __, ...others } = Object.fromEntries(annotations);
  return (
    isForMajorVersion(annotations, filter.version) && exclusionOf(new Map(Object.entries(others)), filter) === undefined
  );
}
