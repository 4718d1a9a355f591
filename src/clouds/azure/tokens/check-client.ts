import { isUuid } from "../../../core/hash.ts";
import { notShown, quoteWhole } from "../../../core/text.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import { isSame, type ManagedIdentity } from "./identity.ts";
import { unknownApplication, unknownTenant } from "./limits.ts";

const showIdentity = "pass the output of `az identity show` as another --identity-file";

// Microsoft Entra accepts the domain of a tenant in place of its ID.
const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** Checks that the component asks in the tenant of the managed identity. */
export function checkTenant({ sent, actual }: ManagedIdentity): Check {
  const tenant = sent.tenantId ?? actual.tenantId;
  if (tenant === undefined) return unknown("tenant", "the tenant of the managed identity is unknown", showIdentity);
  const shown = quoteWhole(tenant);
  const correct = "correct `spec.platform.azure.tenantID`, or restore the Secret: render again";
  if (domain.test(tenant)) {
    const cause = `the tenant ${shown} is a domain name; whether it is that of the managed identity is unknown`;
    return unknown("tenant", cause, "use the ID of the tenant: render again");
  }
  if (!isUuid(tenant)) return failed("tenant", unknownTenant(notShown), "the tenant is not a UUID", correct);
  if (actual.tenantId !== undefined && !isSame(tenant, actual.tenantId)) {
    const cause = `the component asks in the tenant ${shown}, but the managed identity is in ${quoteWhole(actual.tenantId)}; if the first one exists, the error is AADSTS700016 instead`;
    return failed("tenant", unknownTenant(tenant), cause, correct);
  }
  return passed("tenant", `the tenant is ${shown}`);
}

/**
 * Checks that the component asks for the managed identity.
 *
 * @param owners the names of all managed identities, by client ID in lowercase.
 */
export function checkClient(
  { name, sent, actual }: ManagedIdentity,
  owners: ReadonlyMap<string, string>,
  noun: string,
): Check {
  const client = sent.clientId ?? actual.clientId;
  if (client === undefined) {
    const cause = `the client ID of the ${noun} is unknown: Azure assigns it when the package is first applied`;
    const cure = "run `ccf apply`, which stores the client ID and renders the package";
    return unknown("client ID", cause, cure);
  }
  const shown = quoteWhole(client);
  const isKnown = isUuid(client);
  const tenant = sent.tenantId ?? actual.tenantId ?? "";
  const error = unknownApplication(isKnown ? client : notShown, isUuid(tenant) ? tenant : notShown);
  if (!isKnown) return failed("client ID", error, "the client ID is not a UUID", "restore the Secret: render again");
  if (actual.clientId === undefined || isSame(client, actual.clientId))
    return passed("client ID", `the client ID is ${shown}`);
  const cause = `the component asks for the client ID ${shown}, but ${quoteWhole(name)} has ${quoteWhole(actual.clientId)}`;
  const owner = owners.get(client.toLowerCase());
  if (owner !== undefined && owner !== name) {
    const cure = `correct the client ID: \`ccf set-identities\`, then render again; or check the token with --identity ${owner}`;
    return unknown("client ID", `${cause}; it belongs to ${quoteWhole(owner)}, whose credentials decide`, cure);
  }
  const cure =
    "if the managed identity was deleted and created again, remove its ID from the ConfigMap of client IDs, and run `ccf apply`";
  return failed("client ID", error, cause, cure);
}
