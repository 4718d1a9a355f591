import type { Finding } from "../../../core/finding.ts";
import { isMap, type Value, valueAt } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type CloudIdentity, decidedByCluster } from "../../../permissions/identity.ts";
import { unreadGrant } from "../../../permissions/named.ts";
import type { Atom } from "../../../permissions/permissions.ts";
import { requestSubjects, requestTokenPath } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { formFindings } from "../../request.ts";
import { overrideFor } from "../identities/overrides.ts";
import { awsRequestForm } from "../identities/request.ts";
import { awsRole } from "../names.ts";
import { managedPolicies } from "./permissions.ts";
import { requestedPermissions } from "./requested.ts";

/**
 * What a CredentialsRequest for AWS requests. A statement of an unknown form is undecided, not lost.
 *
 * @param config the cluster's, which may have overrides for this request's identity.
 */
export function awsRequestIdentity({ resource, value, secretKey }: SelectedRequest, config?: Identity): CloudIdentity {
  const override = overrideFor(config, secretKey);
  const entries = valueAt(value, ["spec", "providerSpec", "statementEntries"]) ?? [];
  return {
    ...awsRole,
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: [
      ...requestedPermissions(entries),
      ...managedPolicies(override.managedPolicyARNs ?? []),
      ...unreadGrant(valueAt(value, ["spec", "providerSpec"]), known),
    ],
    subjects: requestSubjects(value, override.serviceAccountNames),
    tokenPath: requestTokenPath(value),
    ...decidedByCluster,
  };
}

/** The findings of a render about a request's effects: IAM accepts only "Allow" and "Deny", in this spelling. */
export function effectFindings(request: SelectedRequest): Finding[] {
  return formFindings(request, awsRequestForm).filter(({ field = "" }) =>
    /^spec\.providerSpec\.statementEntries\[\d+\]\.effect$/.test(field),
  );
}

const known = new Set(["apiVersion", "kind", "statementEntries", "stsIAMRoleARN"]);

/** The field of a request that requests a part of its permissions; without a part, the list of its statements. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const entries = valueAt(request, ["spec", "providerSpec", "statementEntries"]);
  const base = "spec.providerSpec.statementEntries";
  if (!Array.isArray(entries) || part === undefined) return base;
  for (const [index, entry] of (entries as readonly Value[]).entries()) {
    const actions = isMap(entry) && entry["resource"] === part.resource ? entry["action"] : undefined;
    const at = Array.isArray(actions) ? (actions as readonly Value[]).indexOf(part.action) : -1;
    if (at >= 0) return `${base}[${index}].action[${at}]`;
  }
  return base;
}
