import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { FindingError } from "../../core/finding.ts";
import { groupOf, isMap, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { didYouMean } from "../../core/words.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isConfigObject, neverPruned, syncOptions } from "../../openshift/config-objects.ts";
import { applyEdits, type Edit } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import { isInside } from "../files/paths.ts";
import { readPackage } from "../package/package-files.ts";
import { prepareOne, printManifests, type RenderFlags } from "../package/rendering.ts";
import { FindingsError, skippedAsErrors, throwErrors, UsageError } from "../terminal/errors.ts";

/** The parameters that integrations/argo-cd/plugin.yaml declares. */
interface Parameters {
  /** A subdirectory of the application's path. */
  overlay?: string;
  /** The required name of the ClusterIdentity. */
  cluster?: string;
}

const printed: RenderFlags = {
  stdout: true,
  check: false,
  "only-ours": false,
  "rename-from": undefined,
  allow: [],
};

const known = ["overlay", "cluster"] as const;

/**
 * The generate command of the Argo CD plugin: prints the manifests for the cluster, or fails and prints nothing. It
 * runs in the application's directory, with the parameters in the environment (Argo CD documentation, "Config
 * Management Plugins").
 */
export async function argoCdGenerate(): Promise<number> {
  const { overlay = ".", cluster } = readParameters(process.env["ARGOCD_APP_PARAMETERS"] ?? "");
  const directory = directoryBelow(overlay);
  if (cluster !== undefined) expectCluster(directory, cluster);
  return printManifests(await prepareOne(printed, readPackage(directory)), protectFromArgoCd);
}

function readParameters(text: string): Parameters {
  const parameters: Parameters = {};
  if (text.trim() === "") return parameters;
  for (const map of asList(text)) {
    const { name, string } = map;
    if (typeof name !== "string")
      throw new UsageError("each parameter in ARGOCD_APP_PARAMETERS must have a name that is a string");
    const key = known.find((each) => each === name);
    if (key === undefined) throw new UsageError(`unknown parameter ${quote(name)}${didYouMean(name, known)}`);
    if (typeof string !== "string") throw new UsageError(`the parameter "${key}" must be a string`);
    // Paths and object names cannot contain NUL.
    if (string.includes("\0")) throw new UsageError(`the parameter "${key}" must not contain a NUL character`);
    if (string !== "") parameters[key] = string;
  }
  return parameters;
}

// Far above the size of two parameters; Linux allows at most 128 KiB for one variable.
const maxParametersLength = 1 << 16;

function asList(text: string): readonly ValueMap[] {
  if (text.length > maxParametersLength)
    throw new UsageError(`ARGOCD_APP_PARAMETERS has more than ${maxParametersLength} characters`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = undefined;
  }
  if (list === null) return [];
  if (Array.isArray(list) && list.every(isMap)) return list;
  throw new UsageError("ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name");
}

// Other users may write to the repository that names the directory, so neither `..` nor a symbolic link may lead
// outside the application's directory.
function directoryBelow(overlay: string): string {
  const start = realpathSync(".");
  const asked = resolve(start, overlay);
  if (isInside(start, asked)) {
    try {
      if (isInside(start, realpathSync(asked))) return relative(start, asked) || ".";
    } catch {
      throw new UsageError(`the parameter "overlay" names ${quote(overlay)}, but this directory does not exist`);
    }
  }
  throw new UsageError(
    `the parameter "overlay" must be a subdirectory of the application's directory, not ${quote(overlay)}`,
  );
}

function expectCluster(directory: string, cluster: string): void {
  const { files, findings } = readPackage(directory);
  // The ClusterIdentity may be in what was not read. The render refuses such a package, too.
  throwErrors(skippedAsErrors(findings));
  const items = files.flatMap((file) => file.items);
  const names = items.filter(({ kind }) => kind === "ClusterIdentity").map(({ name }) => name);
  if (names.length === 1 && names[0] === cluster) return;
  const found = names.length === 0 ? "none" : names.map(quote).join(" and ");
  throw new UsageError(
    `the application is for the ClusterIdentity ${quote(cluster)}, but its directory contains ${found}`,
  );
}

/**
 * Prevents Argo CD from deleting objects that the cluster cannot run without, including those that a user wrote: the
 * Authentication and the CloudCredential get the sync options `Prune=false,Delete=false`. Options that are already set
 * are kept, and nothing else in the stream changes.
 */
function protectFromArgoCd(stream: string): string {
  const source = parseSource(stream);
  if (isProblem(source)) throw new Error(`the output cannot be read: ${source.reason}`);
  const items = documents(source).map((node, index) => readItem(source, node, { path: "standard output", index }));
  return applyEdits(stream, items.filter(isNeeded).flatMap(protect));
}

function isNeeded(item: Item): boolean {
  const isMode = item.kind === "CloudCredential" && groupOf(item.apiVersion) === "operator.openshift.io";
  return isConfigObject(item, "Authentication") || (isMode && item.name === "cluster");
}

function protect(item: Item): Edit[] {
  const set = (item.annotations.get(syncOptions) ?? "").split(",").filter((text) => text.trim() !== "");
  const isSet = (option: string) => set.some((text) => text.trim().startsWith(`${option}=`));
  const wanted = (neverPruned[syncOptions] ?? "").split(",").filter((text) => !isSet(text.replace(/=.*/, "")));
  if (wanted.length === 0) return [];
  const value = [...set, ...wanted].join(",");
  try {
    return setField(item, { resource: item, path: ["metadata", "annotations", syncOptions], value });
  } catch (error) {
    throw error instanceof FindingError ? new FindingsError([error.finding]) : error;
  }
}
