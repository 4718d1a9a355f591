import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { inPackage, type Resource } from "../../src/core/resource.ts";
import { type FunctionInput, type FunctionOutput, failed } from "../../src/krm/function.ts";
import { isCredentialsRequest, secretKeyOf } from "../../src/requests/credentials-request.ts";
import { diffIdentities, type IdentityDiff } from "../../src/upgrade/diff.ts";
import { changeLines } from "../../src/upgrade/lines.ts";
import { renderedIdentities } from "../../src/upgrade/rendered-identities.ts";
import { identityReport } from "../../src/upgrade/report.ts";
import { clusterRules, requestedIdentities } from "../../src/upgrade/requested-identities.ts";

/** How the roles that were rendered differ from what the requests ask for now, as findings. */
export function permissionChanges({ items, functionConfig }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig);
  if (!isIdentity(identity)) return failed(identity);
  const own = inPackage(items, identity.resource.packagePath);
  const { identities: rendered, findings: unreadable } = renderedIdentities(own);
  const { identities: requested, findings: said } = requestedIdentities(own, clusterRules(identity));
  const findings = [...unreadable, ...said.filter(({ severity }) => severity === "error")];
  if (findings.length > 0) return failed(findings);
  if (rendered.length === 0) return failed([nothingRendered(identity.resource)]);
  const diff = diffIdentities(rendered, requested);
  return failed(diff.identities.filter(({ change }) => change !== "none").map((one) => changeFinding(one, own)));
}

function nothingRendered(resource: Resource): Finding {
  const message = "no role was rendered before, so there is nothing to compare the requests with.";
  return finding("info", "nothing-rendered", message, { resource });
}

function changeFinding(one: IdentityDiff, items: readonly Resource[]): Finding {
  const resource = items.find((item) => isCredentialsRequest(item) && secretKeyOf(item.value()) === one.key);
  const place = resource === undefined ? {} : { resource };
  const lines = changeLines(identityReport(one));
  const shown = `${lines.slice(0, mostLines).join("; ")}${lines.length > mostLines ? `; and ${lines.length - mostLines} more` : ""}`;
  if (one.change === "new") {
    return finding("warning", "permissions-broadened", `${one.key} has no role yet, and gets one: ${shown}.`, place);
  }
  if (one.change === "gone") {
    return finding(
      "info",
      "permissions-narrowed",
      `${one.key} is no longer asked for, and its role goes: ${shown}.`,
      place,
    );
  }
  const isMore = one.verdict === "broadened" || one.verdict === "both";
  return isMore
    ? finding("warning", "permissions-broadened", `${one.key} gets more than its role has: ${shown}.`, place)
    : finding("info", "permissions-narrowed", `${one.key} gets less than its role has: ${shown}.`, place);
}

const mostLines = 24;
