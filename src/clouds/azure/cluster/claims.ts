import { quote } from "../../../core/text.ts";
import {
  type Claim,
  type CloudClaims,
  type Home,
  issuerClaim,
  ownNames,
  prefixField,
  textIn,
  unlessGiven,
} from "../../claims.ts";
import { identityNameOf } from "../identities/identity.ts";
import type { IdentityOverride } from "../identities/request.ts";
import { clientIdsName } from "./client-ids.ts";
import type { AzureCluster, AzureIdentity } from "./cluster.ts";

const base = "spec.platform.azure";

/** What a cluster claims on Azure, which compares names without case. Clusters may share resource groups. */
export function azureClaims(identity: AzureIdentity, cluster: AzureCluster): CloudClaims {
  const { azure, overrides } = identity;
  const subscription = `the subscription ${quote(cluster.subscriptionId)}`;
  const tenant = `the tenant ${quote(cluster.tenantId)}`;
  const given = Object.entries(azure.overrides ?? {}).filter(
    ([key, { identityName, roleDefinitionID, clientID }]) =>
      [identityName, roleDefinitionID, clientID].some((one) => one !== undefined) && overrides[key]?.skip !== true,
  );
  return {
    claims: [
      ...ownNames(identity, subscription),
      rolePrefix(cluster.prefix, tenant),
      ...hostingClaims(identity, cluster),
      ...storedIds(identity, cluster),
    ],
    named: given.map(([key]) => key),
    namesOf: identityNames(new Map(given), cluster.prefix, subscription, tenant),
  };
}

// Names of custom roles are unique in a tenant (Azure documentation, "Azure custom roles", custom role limits).
const roleEffect = "Azure refuses a custom role if another one in the tenant has the same name.";
const rolePrefixNoun = "prefix of custom roles";

function rolePrefix(prefix: string, within: string): Claim {
  const compared = prefix.toLowerCase();
  return {
    noun: rolePrefixNoun,
    value: prefix,
    compared,
    within,
    field: prefixField,
    effect: roleEffect,
    ...unlessGiven(undefined),
  };
}

function hostingClaims({ azure }: AzureIdentity, { hosting, issuerUrl, environment }: AzureCluster): Claim[] {
  if (hosting.type === "External") return [issuerClaim(issuerUrl, "spec.issuer.url")];
  const account: Claim = {
    noun: "storage account",
    value: hosting.storageAccount,
    compared: hosting.storageAccount.toLowerCase(),
    within: `the cloud ${quote(environment)}`,
    field: `${base}.issuerHosting.storageAccount`,
    ...unlessGiven(azure.issuerHosting?.storageAccount),
  };
  return [account, issuerClaim(issuerUrl, account.field, { derivedFrom: account.noun })];
}

// A managed identity is unique in its resource group. Its custom role has the same name, and an ID that is computed from it and the
// subscription.
function identityNames(
  given: ReadonlyMap<string, IdentityOverride>,
  prefix: string,
  within: string,
  tenant: string,
): CloudClaims["namesOf"] {
  const field = `${base}.overrides`;
  return (key) => {
    const [namespace = "", secret = ""] = key.split("/");
    const { identityName, roleDefinitionID, clientID } = given.get(key) ?? {};
    const name = identityNameOf(prefix, namespace, secret, identityName);
    const identity: Claim = {
      noun: "managed identity",
      value: name,
      compared: name.toLowerCase(),
      within,
      field,
      cure: `Set "identityName" in "${field}" to another name`,
      ...unlessGiven(identityName),
    };
    const ofRole: Claim = {
      ...identity,
      noun: "custom role",
      within: tenant,
      effect: roleEffect,
      follows: identity,
      ...(identityName === undefined ? { derivedFrom: rolePrefixNoun } : {}),
    };
    const claims = [identity, ofRole];
    if (clientID !== undefined)
      claims.push(clientIdClaim(clientID, field, `Correct or remove "clientID" in "${field}"`));
    if (roleDefinitionID === undefined) return claims;
    const role: Claim = {
      noun: "custom role",
      value: roleDefinitionID,
      compared: roleDefinitionID.toLowerCase(),
      within,
      field,
      cure: `Set "roleDefinitionID" in "${field}" to another ID`,
    };
    return [...claims, role];
  };
}

// The client IDs in the ConfigMap. Those in overrides belong to the names of an identity.
function storedIds(identity: AzureIdentity, { clientIds }: AzureCluster): Claim[] {
  const { azure, overrides } = identity;
  const cure = `Write the ConfigMap ${quote(clientIdsName(identity))} with the cluster's own client IDs ("ccf set-identities")`;
  return [...clientIds]
    .filter(([key]) => azure.overrides?.[key]?.clientID === undefined && overrides[key]?.skip !== true)
    .map(([, clientID]) => clientIdClaim(clientID, `${base}.identities`, cure));
}

// Microsoft Entra ID assigns a client ID once, in all tenants.
function clientIdClaim(clientID: string, field: string, cure: string): Claim {
  return {
    noun: "client ID",
    value: clientID,
    compared: clientID.toLowerCase(),
    within: "",
    field,
    effect: "The components of one cluster would ask for tokens of the other one's managed identity.",
    cure,
  };
}

/** Where a cluster on Azure is. The account is the ID of its subscription. */
export const azureHome: Home = {
  names: ["subscription"],
  read(spec) {
    const account = textIn(spec, "subscriptionID")?.toLowerCase();
    return { account, region: textIn(spec, "region"), names: { subscription: account } };
  },
};
