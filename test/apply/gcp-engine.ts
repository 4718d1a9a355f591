import { join } from "node:path";
import { type Options, type Plan, planApply } from "../../src/apply/plan.ts";
import { planDestroy } from "../../src/apply/plan-destroy.ts";
import type { Target } from "../../src/apply/resource.ts";
import type { Outcome } from "../../src/apply/run.ts";
import { gcpEngine } from "../../src/clouds/gcp/apply/engine.ts";
import type { Fields } from "../helpers/cluster-package.ts";
import { exportGcpTo, type GcpRequest } from "../helpers/gcp-package.ts";
import { readTree, temporary } from "../helpers/temporary.ts";
import { carriedOut, type Ended } from "./carried-out.ts";
import type { GcpCloud } from "./gcp-cloud.ts";
import { gcpLacks } from "./lacking.ts";

export const usual: Options = { prune: false, adopt: [], allow: [] };

/** The files of an export, by path. */
export function exportedFiles(
  gcp: Fields = {},
  requests?: readonly GcpRequest[],
  spec: Fields = {},
): Map<string, string> {
  const out = join(temporary(), "out");
  exportGcpTo(out, gcp, requests, spec);
  return new Map(Object.entries(readTree(out)).filter(([path]) => path.startsWith("gcp/")));
}

/** Opens a package on the stand-in, with a new client. */
export function open(cloud: GcpCloud, files: ReadonlyMap<string, string>, deleteRoles = false): Target {
  return gcpEngine({ environment: {}, deleteRoles }, cloud.connection())(files);
}

export async function plan(target: Target, options: Options = usual): Promise<Plan> {
  await target.check();
  return planApply(target, await target.read({ fetch: true, progress: () => undefined }), options);
}

/** Plans and carries out, as a person would with `ccf apply`. */
export async function apply(
  cloud: GcpCloud,
  files: ReadonlyMap<string, string>,
  options: Options = usual,
): Promise<Ended> {
  const target = open(cloud, files);
  return carriedOut(target, await plan(target, options));
}

export async function destroy(
  cloud: GcpCloud,
  files: ReadonlyMap<string, string>,
  deleteRoles = false,
): Promise<Ended> {
  const target = open(cloud, files, deleteRoles);
  return carriedOut(target, await destroyPlan(target));
}

export async function destroyPlan(target: Target): Promise<Plan> {
  await target.check();
  return planDestroy(target, await target.read({ fetch: true, progress: () => undefined }));
}

/** Each step of a plan that is not in sync, as "action kind name reason". */
export function said({ steps }: Plan): string[] {
  return steps
    .filter(({ action }) => action !== "none")
    .map(({ action, kind, name, reason = "" }) => `${action} ${kind} ${name} ${reason}`.trim());
}

/** What a status would say. If it says that all is in sync, the state itself must agree. */
export async function differences(cloud: GcpCloud, files: ReadonlyMap<string, string>): Promise<string[]> {
  const seen = said(await plan(open(cloud, files), { ...usual, prune: true }));
  return seen.length > 0 ? seen : gcpLacks(cloud.state, files);
}

/** What failed, as one text. */
export function problems({ failed }: Outcome): string {
  return failed.map(({ step, problem }) => `${step.kind} ${step.name}: ${problem}`).join("\n");
}
