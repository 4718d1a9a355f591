import { join } from "node:path";
import { type Options, type Plan, planApply } from "../../src/apply/plan.ts";
import { planDestroy } from "../../src/apply/plan-destroy.ts";
import type { Target } from "../../src/apply/resource.ts";
import { azureEngine } from "../../src/clouds/azure/apply/engine.ts";
import { type AzureRequest, exportAzureTo } from "../helpers/azure-package.ts";
import type { Fields } from "../helpers/cluster-package.ts";
import { readTree, temporary } from "../helpers/temporary.ts";
import type { AzureCloud } from "./azure-cloud.ts";
import { carriedOut, type Ended } from "./carried-out.ts";
import { azureLacks } from "./lacking.ts";

export const usual: Options = { prune: false, adopt: [], allow: [] };

/** The files of an export, by path. */
export function exportedFiles(
  azure: Fields = {},
  requests?: readonly AzureRequest[],
  spec: Fields = {},
): Map<string, string> {
  const out = join(temporary(), "out");
  exportAzureTo(out, azure, requests, spec);
  return new Map(Object.entries(readTree(out)).filter(([path]) => path.startsWith("azure/")));
}

/** The storage account that a package names. */
export function accountOf(files: ReadonlyMap<string, string>): string {
  return (JSON.parse(files.get("azure/cluster.json") ?? "{}") as { storageAccount?: string }).storageAccount ?? "none";
}

/** Opens a package on the stand-in, with a new client. */
export function open(
  cloud: AzureCloud,
  files: ReadonlyMap<string, string>,
  removeTags: readonly string[] = [],
): Target {
  return azureEngine({ environment: {}, removeTags }, cloud.connection())(files);
}

export async function plan(target: Target, options: Options = usual): Promise<Plan> {
  await target.check();
  return planApply(target, await target.read({ fetch: true, progress: () => undefined }), options);
}

/** Plans and carries out, as a person would with `ccf apply`. */
export async function apply(
  cloud: AzureCloud,
  files: ReadonlyMap<string, string>,
  options: Options = usual,
): Promise<Ended> {
  const target = open(cloud, files);
  return carriedOut(target, await plan(target, options));
}

export async function destroy(cloud: AzureCloud, files: ReadonlyMap<string, string>): Promise<Ended> {
  const target = open(cloud, files);
  return carriedOut(target, await destroyPlan(target));
}

export async function destroyPlan(target: Target): Promise<Plan> {
  await target.check();
  return planDestroy(target, await target.read({ fetch: true, progress: () => undefined }));
}

/**
 * What a status would say: each step that is not in sync, as "action kind name". If all is in sync, the state itself must agree.
 */
export async function differences(cloud: AzureCloud, files: ReadonlyMap<string, string>): Promise<string[]> {
  const { steps } = await plan(open(cloud, files), { ...usual, prune: true });
  const seen = steps
    .filter(({ action }) => action !== "none")
    .map(({ action, kind, name, reason = "" }) => `${action} ${kind} ${name} ${reason}`.trim());
  return seen.length > 0 ? seen : azureLacks(cloud.state, files);
}
