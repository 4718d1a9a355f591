import { ClusterPackage, clusterPackageOf } from "../../src/clouds/cluster-package.ts";
import { inspectorFor, inspectors, roleDefinitionsOf } from "../../src/clouds/inspectors.ts";
import { bundlesAmong } from "../../src/clouds/rendered.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import type { Resource } from "../../src/core/resource.ts";
import { type FunctionInput, type FunctionOutput, failedOutput, type KrmFunction } from "../../src/krm/function.ts";
import { isCredentialsRequest, secretKeyOf } from "../../src/requests/credentials-request.ts";
import { isOfPreviousRelease } from "../../src/requests/transition.ts";
import { describedIdentity, usedDefinitions } from "../../src/upgrade/described-diff.ts";
import { diffIdentities, type IdentityDiff } from "../../src/upgrade/diff.ts";
import { clusterContext, comparedIdentities, requestedIdentities } from "../../src/upgrade/identities.ts";
import { changeLines, definitionLines } from "../../src/upgrade/lines.ts";
import { validatorNames } from "../registry.ts";

/** How the rendered roles differ from what the requests ask for now, as findings. */
export function permissionChanges(input: FunctionInput): FunctionOutput {
  const pkg = clusterPackageOf(input);
  if (!(pkg instanceof ClusterPackage)) return failedOutput(pkg);
  const { identity, items: own } = pkg;
  const cloud = inspectorFor(identity);
  const cluster = cloud.read(bundlesAmong(own));
  const rendered = comparedIdentities(cluster?.identities ?? [], own, cloud);
  const { identities: requested, findings: said } = requestedIdentities(
    own,
    inspectors,
    clusterContext(identity, cloud),
  );
  const findings = [...(cluster?.findings ?? []), ...said.filter(({ severity }) => severity === "error")];
  const unknownFindings = said.filter(({ code }) => code === "feature-gate-unknown");
  if (findings.length > 0) return failedOutput(findings);
  if (rendered.length === 0) return failedOutput([nothingRendered(identity.resource)]);
  const diff = diffIdentities(rendered, requested, roleDefinitionsOf());
  return failedOutput([
    ...unknownFindings,
    ...diff.identities
      .filter(({ change, unknownGates }) => change !== "none" && unknownGates.length === 0)
      .map((identity) => changeFinding(identity, own)),
    ...definitionLines(usedDefinitions(diff.definitions)).map((message) => {
      return finding("info", "role-definitions", message, { resource: identity.resource });
    }),
  ]);
}

function nothingRendered(resource: Resource): Finding {
  const message = "the package has no rendered roles to compare the requests with.";
  return finding("info", "nothing-rendered", message, { resource });
}

function changeFinding(diff: IdentityDiff, items: readonly Resource[]): Finding {
  const asking = items.filter((item) => isCredentialsRequest(item) && secretKeyOf(item.value()) === diff.key);
  const resource = asking.find((item) => !isOfPreviousRelease(item)) ?? asking[0];
  const location = resource === undefined ? {} : { resource };
  const lines = changeLines(describedIdentity(diff));
  const shown = `${lines.slice(0, maxLines).join("; ")}${lines.length > maxLines ? `; and ${lines.length - maxLines} more` : ""}`;
  if (diff.change === "new") {
    return finding(
      "warning",
      "permissions-broadened",
      `${diff.key} has no ${diff.noun} yet; the new ${diff.noun} has: ${shown}.`,
      location,
    );
  }
  if (diff.change === "gone") {
    return finding(
      "info",
      "permissions-narrowed",
      `${diff.key} is no longer requested, so its ${diff.noun} will be removed: ${shown}.`,
      location,
    );
  }
  if (!isMore(diff.verdict)) return finding("info", "permissions-narrowed", `${lessOrSame(diff)}: ${shown}.`, location);
  const more = isMore(diff.certain)
    ? `${diff.key} asks for more than its ${diff.noun} has`
    : `It is undecided whether ${diff.key} asks for more than its ${diff.noun} has`;
  return finding("warning", "permissions-broadened", `${more}: ${shown}.`, location);
}

function isMore(verdict: IdentityDiff["verdict"]): boolean {
  return verdict === "broadened" || verdict === "both";
}

function lessOrSame({ key, verdict, certain, noun }: IdentityDiff): string {
  if (verdict === "none") return `${key} asks for the same in another way`;
  const less = `${key} asks for less than its ${noun} has`;
  return certain === "none" ? `It is undecided whether ${less}` : less;
}

const maxLines = 24;

/** Reports how the rendered roles differ from what the requests ask for now, before a render replaces the roles. */
export const diffPermissions: KrmFunction = {
  ...validatorNames.diffPermissions,
  run: permissionChanges,
};
