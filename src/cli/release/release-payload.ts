import { type Finding, FindingError, finding } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { isMap, listAt, type Resource, textAt, textOf, type Value, valueAt } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote } from "../../core/text.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isCredentialsRequest, providerSpecOf } from "../../requests/credentials-request.ts";
import { statesGates } from "../../requests/feature-gates.ts";
import { type IndexedManifest, indexed, writeIndex } from "../../requests/manifests-index.ts";
import { knownProviders } from "../../requests/select.ts";
import { parseDocuments, removeDocuments } from "../../yaml/documents.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { describeProblem, documents, isEmpty, isProblem } from "../../yaml/source.ts";
import { foldCase } from "../files/paths.ts";
import { indexFile, isVersion, metadataFile } from "./release-directory.ts";

/** What of a release's payload a directory contains. */
export interface Extract {
  /** The version in its metadata. */
  readonly version: string;
  /** The texts of the files, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** How many of the files contain CredentialsRequests. */
  readonly requests: number;
  /** How many FeatureGate manifests there are. */
  readonly featureGates: number;
}

/**
 * Selects from the manifests of a release what decides about credentials: the CredentialsRequests and the FeatureGates, with the
 * names of their files; the metadata; and the index of all manifests.
 *
 * @param payload the files of `release-manifests/`, by name.
 * @param where the image or the file, for messages.
 * @param providerKind the kind of `spec.providerSpec` of the cloud whose requests are wanted; undefined for all.
 * @throws FindingError "release-payload-invalid" if they are not those of a release, or if a manifest cannot be read: what it
 *   contains would silently be missing.
 */
export function extractFrom(
  payload: ReadonlyMap<string, Uint8Array>,
  where: string,
  providerKind: string | undefined,
): Extract {
  const metadata = textIn(payload, metadataFile, where);
  const version = versionOf(metadata, payload, where);
  const files = new Map([[metadataFile, metadata]]);
  const manifests: IndexedManifest[] = [];
  const names = new Map<string, string>();
  let [requests, featureGates] = [0, 0];
  for (const name of [...payload.keys()].sort(compareText)) {
    if (!/\.(?:ya?ml|json)$/.test(name)) continue;
    const { items, text } = manifestsIn(payload, name, where);
    const objects = items.flatMap(withEntries);
    if (objects.some((object) => isCredentialsRequest(object) && !items.some((item) => item === object)))
      throw invalid(
        where,
        `its file ${quote(name)} contains CredentialsRequests in a List, where no command reads them`,
      );
    manifests.push(...objects.map(indexed));
    const wanted = items.filter((item) => statesGates(item) || isWanted(item, providerKind));
    const kept = only(wanted, text);
    if (kept === undefined) continue;
    // Requests are read from YAML files, and JSON is YAML.
    const path = name.endsWith(".json") ? `${name}.yaml` : name;
    const other = names.get(foldCase(path));
    if (other !== undefined)
      throw invalid(where, `its files ${quote(other)} and ${quote(name)} would be written to the same file`);
    names.set(foldCase(path), name);
    files.set(path, kept);
    if (wanted.some(isCredentialsRequest)) requests++;
    featureGates += wanted.filter(statesGates).length;
  }
  if (requests === 0) throw invalid(where, "contains no CredentialsRequests");
  files.set(indexFile, writeIndex(manifests));
  return { version, files, requests, featureGates };
}

function versionOf(metadata: string, payload: ReadonlyMap<string, Uint8Array>, where: string): string {
  const value = jsonOf(metadata, metadataFile, where);
  const version = textAt(value, ["version"]);
  if (textAt(value, ["kind"]) !== "cincinnati-metadata-v0" || !isVersion(version))
    throw invalid(where, `its ${quote(metadataFile)} is not the metadata of a release`);
  const references = jsonOf(textIn(payload, referencesFile, where), referencesFile, where);
  const name = textAt(references, ["metadata", "name"]);
  if (name !== version)
    throw invalid(
      where,
      `its ${quote(metadataFile)} is of ${quote(version)}, but its ${quote(referencesFile)} of ${quote(name)}`,
    );
  return version;
}

/** The file of a payload with the images of the release. */
const referencesFile = "image-references";

function textIn(payload: ReadonlyMap<string, Uint8Array>, name: string, where: string): string {
  const bytes = payload.get(name);
  if (bytes === undefined) throw invalid(where, `it does not contain "release-manifests/${name}"`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalid(where, `its file ${quote(name)} is not UTF-8`);
  return text;
}

function jsonOf(text: string, name: string, where: string): Value {
  const reading = readJson(text);
  if ("problem" in reading) throw invalid(where, `its file ${quote(name)} ${reading.problem}`);
  return reading.value;
}

function manifestsIn(payload: ReadonlyMap<string, Uint8Array>, name: string, where: string) {
  // A name that is hidden, that another file system cannot have, or that a terminal would interpret.
  if (!/^\w[\w.+-]{0,199}$/.test(name)) throw invalid(where, `it contains a file with the unusual name ${quote(name)}`);
  const text = textIn(payload, name, where);
  const source = parseDocuments(text);
  if (isProblem(source)) throw invalid(where, `its file ${quote(name)} is not YAML (${describeProblem(source)})`);
  const [unread] = source.unread.values();
  if (unread !== undefined) throw invalid(where, `its file ${quote(name)} is not YAML (${describeProblem(unread)})`);
  const items = documents(source).flatMap((node, index) =>
    isEmpty(source, node) ? [] : [readItem(source, node, { path: name, index })],
  );
  return { items, text };
}

// The objects of a List count one by one, as in the cluster-version-operator.
function withEntries(item: Item): readonly Resource[] {
  if (!item.kind.endsWith("List") || item.apiVersion !== "v1") return [item];
  return listAt(item.value(), ["items"]).map((value) => resourceOf(value, item));
}

function resourceOf(value: Value, list: Item): Resource {
  const annotations = valueAt(value, ["metadata", "annotations"]);
  const texts = Object.entries(isMap(annotations) ? annotations : {}).map(
    ([key, text]) => [key, textOf(text)] as const,
  );
  return {
    ...list,
    apiVersion: textAt(value, ["apiVersion"]),
    kind: textAt(value, ["kind"]),
    name: textAt(value, ["metadata", "name"]),
    namespace: textAt(value, ["metadata", "namespace"]),
    annotations: new Map(texts),
    value: () => value,
  };
}

// A request without a known cloud, such as a tombstone, may be for the wanted one.
function isWanted(item: Item, providerKind: string | undefined): boolean {
  if (!isCredentialsRequest(item)) return false;
  const kind = providerSpecOf(item.value())?.["kind"];
  return providerKind === undefined || kind === providerKind || typeof kind !== "string" || !knownProviders.has(kind);
}

/** The text of a file with only some of its documents; undefined if none is wanted. */
function only(wanted: readonly Item[], text: string): string | undefined {
  const [first] = wanted;
  if (first === undefined) return undefined;
  const kept = new Set(wanted.map(({ node }) => node));
  const others = new Set(documents(first.source).filter((node) => !kept.has(node)));
  const edits = others.size === 0 ? [] : removeDocuments(first.source, others);
  return edits === undefined ? undefined : applyEdits(text, edits);
}

function invalid(where: string, problem: string): FindingError {
  const message = `${where} is not a release that can be used: ${problem}. Check the name of the image or the file; if it is right, copy it again.`;
  const found: Finding = finding("error", "release-payload-invalid", message);
  return new FindingError(found);
}
