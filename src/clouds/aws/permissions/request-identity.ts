import type { Finding } from "../../../core/finding.ts";
import { isMap, type Value } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import { undecidedGrants } from "../../../permissions/named.ts";
import type { Atom } from "../../../permissions/permissions.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { formFindings, readSpec } from "../../request.ts";
import { requestedIdentity } from "../../requested-identity.ts";
import { awsRole } from "../cluster/cluster.ts";
import { awsRequestForm, overrideFor } from "../identities/request.ts";
import { managedPolicies, requestedPermissions } from "./permissions.ts";

/**
 * What a CredentialsRequest for AWS requests. A statement of an unknown form is undecided, not lost.
 *
 * @param config the cluster's, which may have overrides for this request's identity.
 */
export function awsRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const { managedPolicyARNs = [], serviceAccountNames } = overrideFor(config, request.secretKey);
  const { statementEntries, unread } = readSpec(request.value, awsRequestForm);
  const permissions = [
    ...requestedPermissions(statementEntries),
    ...managedPolicies(managedPolicyARNs),
    ...unread.flatMap(undecidedGrants),
  ];
  return requestedIdentity(awsRole, request, permissions, serviceAccountNames);
}

/** The findings of a render about a request's effects: IAM accepts only "Allow" and "Deny", in this spelling. */
export function effectFindings(request: SelectedRequest): Finding[] {
  return formFindings(request, awsRequestForm).filter(({ field = "" }) =>
    /^spec\.providerSpec\.statementEntries\[\d+\]\.effect$/.test(field),
  );
}

/** The field of a request that requests a part of its permissions; without a part, the list of its statements. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const base = "spec.providerSpec.statementEntries";
  if (part === undefined) return base;
  for (const [index, entry] of readSpec(request, awsRequestForm).statementEntries.entries()) {
    const actions = isMap(entry) && entry["resource"] === part.resource ? entry["action"] : undefined;
    const at = Array.isArray(actions) ? (actions as readonly Value[]).indexOf(part.action) : -1;
    if (at >= 0) return `${base}[${index}].action[${at}]`;
  }
  return base;
}
