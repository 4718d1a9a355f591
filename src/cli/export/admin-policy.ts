import { unboundedSid } from "../../clouds/aws/cluster/admin-policy.ts";
import { scriptsBundlePath } from "../../clouds/aws/cluster/cluster-bundle.ts";
import type { Finding } from "../../core/finding.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";

const policyPath = "aws/operator-policy.json";

const boundaryField = "spec.platform.aws.roles.permissionsBoundaryARN";

/** A warning where the policy for whoever applies an export lets them do anything in the account. */
export function operatorPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  const policy = files.find(({ path }) => path === policyPath);
  if (policy === undefined || !statesUnbounded(JSON.parse(policy.text))) return [];
  const message = `carries the policy for whoever applies this, operator-policy.json, without a permissions boundary: whoever holds it can create roles and policies, and so do anything in the account. Set "${boundaryField}" to limit it.`;
  return [{ ...fileFinding("warning", "operator-policy-unbounded", scriptsBundlePath, message), field: boundaryField }];
}

function statesUnbounded(policy: Value): boolean {
  const statements = isMap(policy) ? policy["Statement"] : undefined;
  return Array.isArray(statements) && statements.some((one) => isMap(one) && one["Sid"] === unboundedSid);
}
