import { join, posix } from "node:path";
import type { Inspector } from "../../clouds/inspector.ts";
import {
  bundlesAmong,
  bundlesOfFiles,
  clusterFile,
  identityFile,
  identityKey,
  type RenderedBundle,
} from "../../clouds/rendered.ts";
import { jsonOrNull } from "../../core/json.ts";
import { generatedBy, isMap, type Resource, type Value, type ValueMap } from "../../core/resource.ts";
import { ofForm, secretTexts } from "../../core/secret-texts.ts";
import { compareText } from "../../core/text.ts";
import type { Contents, Part, Placed, SecretWords } from "../../diff/values.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { isFeatureGate } from "../../requests/feature-gates.ts";
import { isIdentityBundle } from "../../rules/cloud.ts";
import { isApplied, statOf } from "../files/paths.ts";
import { readText } from "../files/read-bytes.ts";
import { isForCluster } from "../package/manifests.ts";
import type { Package } from "../package/package-files.ts";

/*
 * Everything that a comparison of two packages compares. Requests and the objects of a release are not among it: what they change is
 * in what was rendered.
 */

/** The contents of a package: what was rendered, the objects for the cluster, and what decides how both are made and reviewed. */
export function packageContents({ directory, files }: Package, items: readonly Item[], cloud: Inspector): Contents {
  const contents = new Map<string, Placed>();
  for (const bundle of bundlesAmong(items)) {
    const identity = addBundle(contents, bundle, cloud);
    if (bundle.resource === undefined) continue;
    const { data, ...rest } = bundle.resource.value() as ValueMap;
    contents.set(placeOf(bundle.resource), { ...configuration("configuration", rest), identity });
  }
  for (const item of items) {
    if (item.kind === "ConfigMap" && item.annotations.has(generatedBy)) continue;
    if (isCredentialsRequest(item) || isFeatureGate(item)) continue;
    addObject(contents, item, partOf(item), cloud);
  }
  for (const path of lineFiles(files.map((file) => file.path))) {
    if (statOf(join(directory, path))?.isFile() !== true) continue;
    const lines = readText(join(directory, path)).split(/\r?\n/);
    contents.set(
      path,
      configuration(
        "review",
        lines.filter((line) => !/^\s*(?:#|$)/.test(line)).map((line) => line.trim()),
      ),
    );
  }
  return contents;
}

/** The contents of an export: what was rendered, and the objects for the cluster. */
export function exportContents(
  files: ReadonlyMap<string, string>,
  manifests: readonly Item[],
  cloud: Inspector,
): Contents {
  const derived = cloud.exports.derivedFiles(files);
  const plain = [...files].filter(([path]) => path.startsWith(`${cloud.name}/`) && !derived.has(path));
  const contents = new Map<string, Placed>();
  for (const bundle of bundlesOfFiles(new Map(plain))) addBundle(contents, bundle, cloud);
  for (const item of manifests) addObject(contents, { ...item, path: undefined }, "manifests", cloud);
  return contents;
}

function configuration(part: Part, value: Value): Placed {
  return { part, value, isConfiguration: true };
}

/** @returns the name of the identity that the bundle is for. */
function addBundle(
  contents: Map<string, Placed>,
  { directory, files }: RenderedBundle,
  cloud: Inspector,
): string | undefined {
  const isIdentity = isIdentityBundle(cloud, `${directory}.yaml`);
  const secret = isIdentity ? identityKey(jsonOrNull(files.get(identityFile) ?? "")) : "";
  const below = files.has(clusterFile) && directory.endsWith("/cluster") ? posix.dirname(directory) : directory;
  for (const [name, text] of files)
    contents.set(`${below}/${name}`, {
      part: isIdentity ? "identities" : "issuer",
      value: text,
      ...(secret === "" ? {} : { identity: secret }),
    });
  return secret === "" ? undefined : secret;
}

function addObject(contents: Map<string, Placed>, item: Item, part: Part, cloud: Inspector): void {
  const path = item.path ?? "";
  const isElsewhere = part === "manifests" && path !== "" && !isApplied(path);
  const place = `${placeOf(item)}${isElsewhere ? ` in ${posix.dirname(path)}` : ""}`;
  // Of objects with one name, tools apply one or the other.
  const key = contents.has(place) ? `${place} in ${path}` : place;
  const value = item.value();
  const placed: Placed = { part, value, ...(part === "manifests" && !isElsewhere ? {} : { isConfiguration: true }) };
  if (item.kind !== "Secret" || item.apiVersion !== "v1") {
    contents.set(key, placed);
    return;
  }
  const { data, stringData, ...rest } = value as ValueMap;
  const decoded = { ...rest, data: { ...Object.fromEntries(secretTexts(value)), ...undecodable(data ?? null) } };
  const identity = `${item.namespace}/${item.name}`;
  contents.set(key, { ...placed, value: decoded, identity, secret: secretWords(cloud) });
}

// The API server refuses a text that is not Base64; a lenient decoder takes it for another one.
function undecodable(data: Value): ValueMap {
  const isBase64 = (text: Value | undefined) =>
    typeof text === "string" && Buffer.from(text, "base64").toString("base64") === text;
  return Object.fromEntries(
    Object.entries(isMap(data) ? data : {}).flatMap(([key, text = null]) => (isBase64(text) ? [] : [[key, [text]]])),
  );
}

function partOf(item: Item): Part {
  if (isForCluster(item)) return "manifests";
  return item.kind === "Kptfile" || item.kind === "ReviewPolicy" ? "review" : "configuration";
}

// A package has one of each.
function placeOf(item: Resource): string {
  if (isClusterIdentity(item) || item.kind === "Kptfile") return item.kind;
  return `${item.kind} ${item.namespace === "" ? "" : `${item.namespace}/`}${item.name}`;
}

function secretWords({ secret, settingForms }: Inspector): SecretWords {
  return {
    settingsIn: (key, text) => {
      const settings = secret.file?.key === key ? secret.file.form.settings(text) : undefined;
      return settings === undefined || settings.size === 0 ? undefined : settings;
    },
    shown: (setting, value) => ofForm(settingForms, setting, value),
  };
}

/** The files with lines that hide something: kpt reads one, and Git one in each directory. */
function lineFiles(paths: readonly string[]): string[] {
  const directories = new Set([""]);
  for (const path of paths)
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) directories.add(`${at}/`);
  return [".krmignore", ...[...directories].sort(compareText).map((directory) => `${directory}.gitattributes`)];
}
