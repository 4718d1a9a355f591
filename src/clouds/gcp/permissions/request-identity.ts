import type { Value } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import { literalGrants, undecidedGrants } from "../../../permissions/named.ts";
import { type Atom, namedAction } from "../../../permissions/permissions.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { readSpec } from "../../request.ts";
import { requestedIdentity } from "../../requested-identity.ts";
import { gcpServiceAccount } from "../cluster/cluster.ts";
import { gcpRequestForm, listFields } from "../identities/request.ts";

/**
 * What a CredentialsRequest for GCP requests: predefined roles and individual permissions, on the project. Google defines a
 * predefined role and may change it, so it is named here; a comparison replaces it with its definition.
 */
export function gcpRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const spec = readSpec(request.value, gcpRequestForm);
  const permissions = [
    ...listFields.flatMap(([field, kind]) => literalGrants(kind, spec[field])),
    ...spec.unread.flatMap(undecidedGrants),
  ];
  const accounts = config?.overrides[request.secretKey ?? ""]?.serviceAccountNames;
  return requestedIdentity(gcpServiceAccount, request, permissions, accounts);
}

/** The field of a request that requests a role or a permission; without it, the field that contains all of them. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const { kind, name = "" } = namedAction(part?.action ?? "") ?? {};
  const spec = readSpec(request, gcpRequestForm);
  for (const [field, one] of listFields) {
    const index = one === kind ? spec[field].indexOf(name) : -1;
    if (index >= 0) return `spec.providerSpec.${field}[${index}]`;
  }
  return "spec.providerSpec";
}
