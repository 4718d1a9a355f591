import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { didYouMean } from "../../core/nearest.ts";
import { isMap, type ValueMap } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { FlagsOf } from "../definition.ts";
import { isInside } from "../files/is-inside.ts";
import { readPackage } from "../files/package-files.ts";
import type { renderCommand } from "../render/definition.ts";
import { render } from "../render/render.ts";
import { UsageError } from "../terminal/errors.ts";
import { protectFromArgoCd } from "./argo-cd-protect.ts";

/** The parameters that integrations/argo-cd/plugin.yaml announces. */
interface Parameters {
  /** A directory below the application's path. */
  overlay?: string;
  /** The name that the ClusterIdentity must have. */
  cluster?: string;
}

const printed: FlagsOf<typeof renderCommand> = {
  stdout: true,
  check: false,
  "only-ours": false,
  "rename-from": undefined,
  allow: [],
  quiet: false,
  output: "text",
};

const known = ["overlay", "cluster"] as const;

/**
 * The generate command of Argo CD's plugin: prints what goes to the cluster, or fails and prints nothing. It runs in the
 * application's directory, with the parameters in the environment (Argo CD's documentation, "Config Management Plugins").
 */
export function argoCdGenerate(): number {
  const { overlay = ".", cluster } = readParameters(process.env["ARGOCD_APP_PARAMETERS"] ?? "");
  const directory = directoryBelow(overlay);
  if (cluster !== undefined) expectCluster(directory, cluster);
  return render(printed, directory, protectFromArgoCd);
}

function readParameters(text: string): Parameters {
  const parameters: Parameters = {};
  if (text.trim() === "") return parameters;
  for (const map of asList(text)) {
    const { name, string } = map;
    if (typeof name !== "string")
      throw new UsageError("a parameter of ARGOCD_APP_PARAMETERS has no name that is a string");
    const key = known.find((each) => each === name);
    if (key === undefined) throw new UsageError(`the parameter ${quote(name)} is not known${didYouMean(name, known)}`);
    if (typeof string !== "string") throw new UsageError(`the parameter "${key}" must be a string`);
    // The system takes no such path, and no object has such a name.
    if (string.includes("\0")) throw new UsageError(`the parameter "${key}" must not hold a NUL character`);
    if (string !== "") parameters[key] = string;
  }
  return parameters;
}

// Far above two parameters; Linux takes at most 128 KiB for one variable.
const longestParameters = 1 << 16;

function asList(text: string): readonly ValueMap[] {
  if (text.length > longestParameters)
    throw new UsageError(`ARGOCD_APP_PARAMETERS has more than ${longestParameters} characters`);
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

// A repository that others write to names the directory: no `..` and no symbolic link leads out of the application's.
function directoryBelow(overlay: string): string {
  const start = realpathSync(".");
  const asked = resolve(start, overlay);
  if (isInside(start, asked)) {
    try {
      if (isInside(start, realpathSync(asked))) return relative(start, asked) || ".";
    } catch {
      throw new UsageError(`the parameter "overlay" names ${quote(overlay)}, and there is no such directory`);
    }
  }
  throw new UsageError(`the parameter "overlay" is ${quote(overlay)}, and must be a directory below the application's`);
}

function expectCluster(directory: string, cluster: string): void {
  const items = readPackage(directory).files.flatMap((file) => file.items);
  const names = items.filter(({ kind }) => kind === "ClusterIdentity").map(({ name }) => name);
  if (names.length === 1 && names[0] === cluster) return;
  const found = names.length === 0 ? "there is none" : `it is ${names.map(quote).join(" and ")}`;
  throw new UsageError(`the application is for the ClusterIdentity ${quote(cluster)}, and in its directory ${found}`);
}
