import { textAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import {
  jsonIn,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  unknownIssuer,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { azureNames } from "../cluster/cluster.ts";
import { groupId } from "../cluster/resource-names.ts";
import { type AzureFacts, discoveryFile, isIdentityBundle, keysFile, readFacts } from "./facts.ts";
import { type RenderedManagedIdentity, readManagedIdentity } from "./identity.ts";

/** What was rendered for a cluster on Azure. */
export interface RenderedAzureCluster extends RenderedCluster {
  readonly identities: readonly RenderedManagedIdentity[];
  /** The tenant of the managed identities; undefined if no file names it. */
  readonly tenantId: string | undefined;
  /** The environment, as the Azure CLI names it: `AzureCloud`; undefined if no file names it. */
  readonly cliCloud: string | undefined;
  /** The resource group that the installer fills; undefined if no file names it. */
  readonly installResourceGroup: string | undefined;
}

/** Reads what a package or an export contains for Azure; undefined if nothing in it was rendered for Azure. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedAzureCluster | undefined {
  const facts = readFacts(bundles);
  const { account, region, resourcePrefix, tenantId, cliCloud, oidcResourceGroup, installResourceGroup } = facts;
  const found = bundles.filter(isIdentityBundle);
  const publishing = bundles.find(({ files }) => files.has(discoveryFile) || files.has(keysFile));
  if (account === undefined && found.length === 0 && publishing === undefined) return undefined;
  const identities = found.map(readManagedIdentity).sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  const documentIssuer = textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined;
  return {
    account,
    region,
    resourcePrefix,
    ownScopes: [installResourceGroup, oidcResourceGroup].flatMap((name) =>
      name === undefined ? [] : [groupId({ subscriptionId: account ?? "" }, name)],
    ),
    tenantId,
    cliCloud,
    installResourceGroup,
    issuers: readIssuers(facts.issuer ?? documentIssuer, facts, publishing, identities),
    documentIssuer,
    identities,
    findings: unreadableFindings(identities, "managed-identity-unreadable", azureNames.identityNoun),
  };
}

// Azure has no providers: the credentials of the identities name the issuers. Only the cluster's own publishes documents here.
function readIssuers(
  url: string | undefined,
  { previousIssuers }: AzureFacts,
  publishing: RenderedBundle | undefined,
  identities: readonly RenderedManagedIdentity[],
): readonly RenderedIssuer[] {
  const own: RenderedIssuer = {
    ...issuerAt(url, identities),
    discovery: jsonIn(publishing, discoveryFile),
    keys: jsonIn(publishing, keysFile),
  };
  return [own, ...previousIssuers.map((text) => issuerAt(text, identities))];
}

function issuerAt(url: string | undefined, identities: readonly RenderedManagedIdentity[]): RenderedIssuer {
  if (url === undefined) return unknownIssuer;
  const audiences = identities
    .flatMap(({ credentials = [] }) => credentials)
    .flatMap((credential) => (credential.issuer === url ? credential.audiences : []));
  return {
    ...unknownIssuer,
    url: url.replace(/^https:\/\//, ""),
    id: url,
    clientIds: audiences.length === 0 ? undefined : [...new Set(audiences)].sort(compareText),
  };
}
