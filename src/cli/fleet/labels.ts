import { lstatSync } from "node:fs";
import { join } from "node:path";
import { inspectors } from "../../clouds/inspectors.ts";
import type { Labels } from "../../core/label-selector.ts";
import { isMap, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { decodeUtf8 } from "../../yaml/text.ts";
import { identityFile, readPackage } from "../files/package-files.ts";
import { readBytes } from "../files/read-bytes.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../files/rendered-directory.ts";
import { readPipeline } from "../render/kptfile.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/*
 * Reads the ClusterIdentity of a package, and nothing else of it, if it is where the package says.
 */

/**
 * The configurations that the Kptfile of a package names or, if it names none, the first object in the usual file. None if one
 * of them is not there.
 */
export function configsOf(directory: string): readonly Item[] {
  const kptfile = firstIn(directory, "Kptfile");
  const named = kptfile === undefined ? [] : configPathsOf(kptfile);
  const configs = (named.length === 0 ? [identityFile] : named).map((path) => firstIn(directory, path));
  return configs.every((config) => config !== undefined) ? configs : [];
}

/** The paths of the configurations that a Kptfile names. */
export function configPathsOf(kptfile: Resource): string[] {
  return [...new Set(readPipeline(kptfile).steps.flatMap(({ configPath }) => configPath ?? []))];
}

/** The first object in a file of a package; undefined if the file is not there or cannot be read as YAML. */
export function firstIn(directory: string, path: string): Item | undefined {
  const file = join(directory, path);
  // As for every file of a package, links are not followed.
  if (path.startsWith("../") || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const text = decodeUtf8(readBytes(file));
  const source = text === undefined ? undefined : parseDocuments(text);
  if (source === undefined || isProblem(source) || source.unread.size > 0) return undefined;
  const [node] = documents(source);
  return node === undefined ? undefined : readItem(source, node, { path, index: 0 });
}

/**
 * The labels of a package: `metadata.labels` of its ClusterIdentity, and `platform`, `account`, and `region`, as far as it says
 * them. An export has only the latter. Usually, one file is read: the ClusterIdentity.
 *
 * @param inside the packages inside it that are processed by themselves.
 * @returns undefined if the labels are not known, because the package cannot be read.
 */
export function labelsOf(directory: string, inside: readonly string[]): Labels | undefined {
  try {
    const config = configsOf(directory).find(isClusterIdentity);
    const labels = config === undefined ? undefined : labelsOfIdentity(config, [config]);
    // The region may be in another object of the package.
    return labels?.has(region) === true ? labels : labelsOfPackage(directory, inside);
  } catch (error) {
    if (isSystemError(error) || error instanceof FindingsError || error instanceof UsageError) return undefined;
    throw error;
  }
}

const [platform, account, region] = ["platform", "account", "region"] as const;

function labelsOfPackage(directory: string, inside: readonly string[]): Labels | undefined {
  const pkg = readPackage(directory, inside);
  const items: readonly Item[] = pkg.files.flatMap((file) => file.items);
  const identity = items.find(isClusterIdentity);
  if (identity !== undefined) return labelsOfIdentity(identity, items);
  if (pkg.findings.length > 0) return undefined;
  return labelsOfRendered(readRenderedDirectory(directory, inside));
}

/** The labels of a rendered package or an export. */
export function labelsOfRendered({ inspector, cluster, items }: RenderedDirectory): Labels {
  const identity = items.find(isClusterIdentity);
  if (identity !== undefined) return labelsOfIdentity(identity, items);
  return known([
    [platform, inspector.name],
    [account, cluster.account],
    [region, cluster.region],
  ]);
}

// Also of a ClusterIdentity that is not valid.
function labelsOfIdentity(identity: Resource, items: readonly Resource[]): Labels {
  const value = identity.value();
  const own = valueAt(value, ["metadata", "labels"]);
  const labels = isMap(own) ? Object.entries(own) : [];
  const spec = valueAt(value, ["spec", platform]);
  const [name, ofPlatform] = (isMap(spec) ? Object.entries(spec)[0] : undefined) ?? [];
  const home = inspectors.find((one) => one.name === name)?.home.read(ofPlatform ?? null, items);
  return known([...labels, [platform, name], [account, home?.account], [region, home?.region]]);
}

function known(labels: readonly (readonly [string, Value | undefined])[]): Labels {
  return new Map(labels.flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : [])));
}

const [maxKeys, maxValues] = [20, 5];

/** The labels of packages in one line: `owner=ads|web, wave=1`. */
export function describedLabels(all: readonly Labels[]): string {
  const values = new Map<string, Set<string>>();
  for (const labels of all) for (const [key, text] of labels) values.set(key, (values.get(key) ?? new Set()).add(text));
  const texts = [...values]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, some]) => {
      const sorted = [...some].sort(compareText);
      return quoteWhole(`${key}=${sorted.slice(0, maxValues).join("|")}${sorted.length > maxValues ? "|..." : ""}`);
    });
  return listed(texts, maxKeys);
}
