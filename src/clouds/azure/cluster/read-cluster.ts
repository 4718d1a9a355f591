import { guarded } from "../../../core/allowances.ts";
import { type Finding, hasError } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import { type Checked, type Report, reportTo } from "../../cloud.ts";
import { prefixChange } from "../../rendered-before.ts";
import { type AzureFacts, factsBefore } from "../rendered/facts.ts";
import { changedClientIds, nilUuid, readClientIds } from "./client-ids.ts";
import type { AzureCluster, AzureIdentity } from "./cluster.ts";
import { readIssuer } from "./read-issuer.ts";
import { type Environment, environmentNamed, environmentOf, environments, unfederatedRegions } from "./regions.ts";
import { clusterTags, groupReference, subscriptionOf, subscriptionPath } from "./resource-names.ts";

const base = "spec.platform.azure";

/**
 * Narrows a ClusterIdentity for Azure to a value that needs no further checks.
 *
 * @param items the package's items, for values that the config may omit: the environment and the resource group from
 *   Infrastructure/cluster, and the client IDs.
 */
export function readAzureCluster(identity: AzureIdentity, items: readonly Resource[]): Checked<AzureCluster> {
  const findings: Finding[] = [];
  const report = reportTo(findings, identity.resource);
  const { azure, prefix } = identity;
  const environment = readEnvironment(identity, items, report);
  const oidcResourceGroup = azure.oidcResourceGroup ?? `${prefix}-oidc`;
  const installResourceGroup = readInstallGroup(identity, items, report);
  if (installResourceGroup.toLowerCase() === oidcResourceGroup.toLowerCase()) {
    const field = `${base}.oidcResourceGroup`;
    const message = `${quote(oidcResourceGroup)} is the resource group of both the cluster and its identities. The installer requires an empty group, and deletes it with the cluster. Set "${field}" to another name.`;
    report("error", "resource-group-shared", field, message);
  }
  const audience = readAudience(identity, report);
  checkIdentityRegion(identity, report);
  checkRegions(identity, environment, report);
  checkIds(identity, report);
  const { tags, problems } = clusterTags(identity, azure.tags ?? {});
  for (const problem of problems) report("error", "tag-invalid", `${base}.tags`, problem);
  const clientIds = readClientIds(identity, items, report);
  changedClientIds(clientIds, items, report);
  const before = factsBefore(items);
  findings.push(...prefixChange(identity, { prefix: before.resourcePrefix, name: before.name }));
  if (environment === undefined) return { value: undefined, findings };
  const { hosting, url } = readIssuer(identity, environment, report);
  if (url === undefined || hasError(findings)) return { value: undefined, findings };
  const subscription = { subscriptionId: azure.subscriptionID.toLowerCase() };
  const [dnsZoneGroupId, networkGroupId] = [azure.dnsZoneResourceGroup, azure.networkResourceGroup].map((text) =>
    text === undefined ? undefined : groupReference(subscription, text),
  );
  const cluster: AzureCluster = {
    prefix,
    mark: identity.mark,
    ...subscription,
    tenantId: azure.tenantID.toLowerCase(),
    region: azure.region,
    identityRegion: azure.identityRegion ?? azure.region,
    environment: environment.name,
    oidcResourceGroup,
    installResourceGroup,
    dnsZoneGroupId,
    networkGroupId,
    subscriptions: subscriptionsOf(identity, subscription, [dnsZoneGroupId, networkGroupId]),
    hosting,
    issuerUrl: url,
    previousIssuers: [...new Set(identity.issuer.previous)].filter((previous) => previous !== url),
    audience,
    tokenPath: identity.tokenPath,
    tags,
    secretEncoding: identity.secretEncoding,
    clientIds,
  };
  findings.push(...renderedElsewhere(identity, cluster, before));
  return { value: hasError(findings) ? undefined : cluster, findings };
}

// Custom roles and the administrator's role must be assignable there.
function subscriptionsOf(
  { azure }: AzureIdentity,
  cluster: { readonly subscriptionId: string },
  groups: readonly (string | undefined)[],
): readonly string[] {
  const scopes = Object.values(azure.overrides ?? {}).flatMap(({ scopes = [] }) => scopes);
  const ids = [...groups.filter((id) => id !== undefined), ...scopes.map((scope) => groupReference(cluster, scope))];
  return [...new Set([subscriptionPath(cluster), ...ids.map(subscriptionOf)])].sort(compareText);
}

function readEnvironment(
  { azure }: AzureIdentity,
  items: readonly Resource[],
  report: Report,
): Environment | undefined {
  const field = `${base}.cloud`;
  const live = configTexts(items, "Infrastructure", ["status", "platformStatus", "azure", "cloudName"]);
  const known = environments.map(({ name }) => String(name));
  const strange = live.find((name) => !known.includes(name));
  if (strange !== undefined) {
    const message = `the Infrastructure "cluster" names the cloud ${quote(strange)}, which is not supported. Supported are ${known.map(quote).join(", ")}.`;
    return report("error", "environment-contradiction", field, message);
  }
  const name = azure.cloud ?? live[0] ?? defaults["spec.platform.azure.cloud"];
  const other = live.find((text) => text !== name);
  if (other === undefined) return environmentNamed(name);
  const message = `"${field}" is ${quote(name)}, but the Infrastructure "cluster" says ${quote(other)}; correct the wrong one.`;
  return report("error", "environment-contradiction", field, message);
}

function readInstallGroup({ azure, prefix }: AzureIdentity, items: readonly Resource[], report: Report): string {
  const field = `${base}.installResourceGroup`;
  const live = configTexts(items, "Infrastructure", ["status", "platformStatus", "azure", "resourceGroupName"]);
  const name = azure.installResourceGroup ?? live[0] ?? prefix;
  const other = live.find((text) => text.toLowerCase() !== name.toLowerCase());
  if (other !== undefined) {
    const message = `"${field}" is ${quote(name)}, but the Infrastructure "cluster" says ${quote(other)}; correct the wrong one.`;
    report("error", "environment-contradiction", field, message);
  }
  return name;
}

// Who names the cluster's own region as that of the identities has checked it.
function checkIdentityRegion({ azure }: AzureIdentity, report: Report): void {
  const { region, identityRegion = region } = azure;
  const isChecked = azure.identityRegion === region;
  if (isChecked || !unfederatedRegions.regions.includes(identityRegion)) return;
  const field = `${base}.${azure.identityRegion === undefined ? "region" : "identityRegion"}`;
  const still =
    azure.identityRegion === undefined
      ? ` If Azure supports it now, set "${base}.identityRegion" to ${quote(region)}.`
      : "";
  const message = `managed identities in the region ${quote(identityRegion)} take no federated credentials, according to Microsoft's list of ${unfederatedRegions.date}: Azure answers 405, and no component gets credentials. Set "${base}.identityRegion" to another region, such as "southeastasia"; the identities work in all regions.${still}`;
  report("warning", "identity-region-unsupported", field, message);
}

function checkRegions({ azure }: AzureIdentity, environment: Environment | undefined, report: Report): void {
  for (const name of ["region", "identityRegion"] as const) {
    const region = azure[name];
    if (environment === undefined || region === undefined) continue;
    const own = environmentOf(region).name;
    if (own === environment.name) continue;
    const field = `${base}.${name}`;
    const message = `"${field}" is ${quote(region)}, a region of ${quote(own)}, but the package is for ${quote(environment.name)}; correct the region or "${base}.cloud".`;
    report("error", "environment-contradiction", field, message);
  }
}

function checkIds({ azure }: AzureIdentity, report: Report): void {
  const { subscriptionID, tenantID } = azure;
  for (const [name, id] of Object.entries({ subscriptionID, tenantID })) {
    if (id !== nilUuid) continue;
    const field = `${base}.${name}`;
    report("error", "config-invalid-field", field, `"${field}" contains only zeros; write the ID that Azure shows.`);
  }
  if (subscriptionID.toLowerCase() !== tenantID.toLowerCase()) return;
  const field = `${base}.tenantID`;
  const message = `"${field}" and "${base}.subscriptionID" are both ${quote(tenantID)}, but a tenant and a subscription have different IDs; "az account show" prints the tenant as "tenantId" and the subscription as "id".`;
  report("error", "config-invalid-field", field, message);
}

/** The audience of OpenShift's tokens on Azure. */
const openshiftAudience = "openshift";

// A credential has exactly one audience (Microsoft Entra documentation, "Important considerations and restrictions for
// federated identity credentials").
function readAudience({ issuer }: AzureIdentity, report: Report): string {
  const { audiences = [openshiftAudience] } = issuer;
  if (!audiences.includes(openshiftAudience)) {
    const field = "spec.issuer.audiences";
    const message = `"${field}" must contain ${quote(openshiftAudience)}: a federated credential accepts exactly one audience, and the tokens of OpenShift's components have this one.`;
    report("error", "config-invalid-field", field, message);
  }
  return openshiftAudience;
}

/**
 * Reports a subscription, tenant, environment, resource group or region other than those that the package was rendered for. A
 * managed identity elsewhere is another identity, and has another client ID. The location of a resource cannot change.
 */
function renderedElsewhere(
  identity: Pick<Identity, "resource" | "allowed">,
  cluster: AzureCluster,
  before: AzureFacts,
): Finding[] {
  const base = "spec.platform.azure";
  const compared = [
    [`${base}.subscriptionID`, before.account, cluster.subscriptionId],
    [`${base}.tenantID`, before.tenantId, cluster.tenantId],
    [`${base}.cloud`, before.environment, cluster.environment],
    [`${base}.oidcResourceGroup`, before.oidcResourceGroup, cluster.oidcResourceGroup],
  ] as const;
  const idFindings = compared.flatMap(([field, former, now]) => {
    if (former === undefined || former.toLowerCase() === now.toLowerCase()) return [];
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. The managed identities that the cluster uses would be orphaned but still trusted. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return [guarded(identity, "removal", "subscription-changed", message, { resource: identity.resource, field })];
  });
  return [...idFindings, ...regionChange(identity, cluster, before)];
}

function regionChange(
  identity: Pick<Identity, "resource" | "allowed">,
  { region, identityRegion }: AzureCluster,
  before: AzureFacts,
): Finding[] {
  const base = "spec.platform.azure";
  const change = (name: string, what: string, former: string | undefined, now: string): Finding[] => {
    if (former === undefined || former.toLowerCase() === now) return [];
    const field = `${base}.${name}`;
    const message = `"${field}" is ${quote(now)}, but the package was rendered with ${quote(former)}. Azure cannot move ${what} to another region. Set "${field}" to ${quote(former)}, or create a new package for another cluster.`;
    return [guarded(identity, "removal", "region-changed", message, { resource: identity.resource, field })];
  };
  const regionFindings = change("region", "managed identities and storage accounts", before.region, region);
  if (regionFindings.length > 0) return regionFindings;
  // Without its ClusterIdentity's facts, a package tells only where its managed identities are.
  const name = before.region === undefined && identityRegion === region ? "region" : "identityRegion";
  return change(name, "managed identities", before.identityRegion, identityRegion);
}
