import { lstatSync } from "node:fs";
import { join } from "node:path";
import { inspectors } from "../../clouds/inspectors.ts";
import { isMap, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { compareText, decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { clusterIdentityFile } from "../files/paths.ts";
import { readBytes } from "../files/read-bytes.ts";
import { readPipeline } from "../package/kptfile.ts";
import { readPackage } from "../package/package-files.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../package/rendered-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** The labels of an object. */
export type Labels = ReadonlyMap<string, string>;

/** What a selector requires of labels: all of it. */
export interface LabelSelector {
  matches(labels: Labels): boolean;
}

/** A label key: an optional prefix, which is a DNS subdomain, and a name (Kubernetes, "Labels and Selectors"). */
const labelKey =
  /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is a label key. */
export function isLabelKey(text: string): boolean {
  return labelKey.test(text);
}

// As the value of a label, and with colons: the ID of a project in a domain contains one.
const value = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.:]{0,61}[A-Za-z0-9])?)?$/;

const forms = "KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (VALUE, ...), or KEY notin (VALUE, ...), separated by commas";

const requirement =
  /\s*(?:!\s*(?<absent>[^\s,!=<>()]+)|(?<key>[^\s,!=<>()]+)(?:\s*(?<sign>==?|!=)\s*(?<value>[^\s,!=<>()]*)|\s+(?<set>in|notin)\s*\((?<values>[^()]*)\))?)\s*(?<end>,|$)/y;

/**
 * Reads a selector in the syntax of Kubernetes ("Labels and Selectors"): equality-based and set-based requirements, which
 * must all be met. As there, `!=` and `notin` also select objects without the label.
 *
 * @returns the selector, or the problem with it: the end of a sentence that begins with the text.
 */
export function readLabelSelector(text: string): LabelSelector | { readonly problem: string } {
  if (text.trim() === "") return { problem: `is empty; write ${forms}` };
  const tests: ((labels: Labels) => boolean)[] = [];
  for (let at = 0, end = ","; at < text.length || end === ","; at = requirement.lastIndex) {
    requirement.lastIndex = at;
    const found = requirement.exec(text)?.groups;
    if (found === undefined) return { problem: `is not a label selector at ${quote(text.slice(at))}; write ${forms}` };
    end = found["end"] ?? "";
    const { absent, key = absent ?? "", sign, set, values = found["value"] ?? "" } = found;
    if (!isLabelKey(key)) return { problem: `names ${quoteWhole(key)}, which cannot be the key of a label` };
    const wanted = new Set(set === undefined ? [values] : values.split(",").map((one) => one.trim()));
    if (set !== undefined && values.trim() === "") return { problem: `has an empty list for ${quoteWhole(key)}` };
    const wrong = [...wanted].find((one) => !value.test(one));
    if (wrong !== undefined) return { problem: `names ${quoteWhole(wrong)}, which cannot be the value of a label` };
    const isNegated = absent !== undefined || sign === "!=" || set === "notin";
    const isOfKey = sign === undefined && set === undefined;
    tests.push((labels) => {
      const label = labels.get(key);
      return (label !== undefined && (isOfKey || wanted.has(label))) !== isNegated;
    });
  }
  return { matches: (labels) => tests.every((test) => test(labels)) };
}

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
  const configs = (named.length === 0 ? [clusterIdentityFile] : named).map((path) => firstIn(directory, path));
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
