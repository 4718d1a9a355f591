import { type Options, type Plan, planApply } from "../../src/apply/plan.ts";
import { planDestroy, planPrevious } from "../../src/apply/plan-destroy.ts";
import type { Access, Target } from "../../src/apply/resource.ts";
import type { Outcome } from "../../src/apply/run.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { domainOf } from "../helpers/amazon/cloudfront-distributions.mjs";
import { type Change, exported, s3Public, withAws } from "../helpers/exported-package.ts";
import { readTree } from "../helpers/temporary.ts";
import type { AwsCloud } from "./aws-cloud.ts";
import { carriedOut, type Ended } from "./carried-out.ts";
import { awsLacks } from "./lacking.ts";

export const usual: Options = { prune: false, adopt: [], allow: [] };

/** The files of an export of a package with two roles, by path. */
export function exportedFiles(change: Change = s3Public, name = "demo"): Map<string, string> {
  return new Map(Object.entries(readTree(exported(change, name))).filter(([path]) => path.startsWith("aws/")));
}

const usualAccess = { environment: {}, removeTags: [] };

/** Opens a package on the stand-in, with a new client. */
export function open(
  cloud: AwsCloud,
  files: ReadonlyMap<string, string>,
  access: Partial<Pick<Access, "removeTags">> = {},
): Target {
  return awsEngine({ ...usualAccess, ...access }, cloud.connection())(files);
}

export async function plan(target: Target, options: Options = usual): Promise<Plan> {
  await target.check();
  return planApply(target, await target.read({ fetch: true, progress: () => undefined }), options);
}

/** Plans and carries out, as a person would with `ccf apply`. */
export async function apply(
  cloud: AwsCloud,
  files: ReadonlyMap<string, string>,
  options: Options = usual,
  access: Partial<Pick<Access, "removeTags">> = {},
): Promise<Ended> {
  const target = open(cloud, files, access);
  return carriedOut(target, await plan(target, options));
}

export async function destroyPlan(target: Target): Promise<Plan> {
  await target.check();
  return planDestroy(target, await target.read({ fetch: true, progress: () => undefined }));
}

export async function destroy(cloud: AwsCloud, files: ReadonlyMap<string, string>): Promise<Ended> {
  const target = open(cloud, files);
  return carriedOut(target, await destroyPlan(target));
}

/** Removes what belongs only to previous issuers; undefined if the cluster may still depend on them. */
export async function destroyPrevious(
  cloud: AwsCloud,
  files: ReadonlyMap<string, string>,
): Promise<Outcome | undefined> {
  const target = open(cloud, files);
  await target.check();
  const previous = await planPrevious(target, await target.read({ fetch: true, progress: () => undefined }));
  return previous && carriedOut(target, previous);
}

/** Each step of a plan that is not in sync, as "action kind name reason". */
export function said({ steps }: Plan): string[] {
  return steps
    .filter(({ action }) => action !== "none")
    .map(({ action, kind, name, reason = "" }) => `${action} ${kind} ${name} ${reason}`.trim());
}

/** What a status would say. If it says that all is in sync, the state itself must agree. */
export async function differences(cloud: AwsCloud, files: ReadonlyMap<string, string>): Promise<string[]> {
  const seen = said(await plan(open(cloud, files), { ...usual, prune: true }));
  return seen.length > 0 ? seen : awsLacks(cloud.state, files);
}

/** What failed, as one text. */
export function problems({ failed }: Outcome): string {
  return failed.map(({ step, problem }) => `${step.kind} ${step.name}: ${problem}`).join("\n");
}

/** The domain of the only distribution. */
export function assignedDomain(cloud: AwsCloud): string {
  return domainOf(Object.keys(cloud.state.distributions)[0] ?? "");
}

export const externalUrl = "https://external.example.com";
/** Documents that are published elsewhere. */
export const external: Change = (spec) => {
  withAws({ issuerHosting: { type: "External" } })(spec);
  Object.assign(spec["issuer"] as object, { url: externalUrl });
};
