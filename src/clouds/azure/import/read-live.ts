import { textAt } from "../../../core/resource.ts";
import { ofForm, secretTexts } from "../../../core/secret-texts.ts";
import { quote } from "../../../core/text.ts";
import { configTexts, isConfigObject } from "../../../openshift/config-objects.ts";
import {
  bestPrefix,
  known,
  type LiveCluster,
  type LiveFacts,
  type SettledConfig,
  sharedFact,
} from "../../live-cluster.ts";
import { environments, unfederatedRegions } from "../cluster/regions.ts";
import { containerNameProblem } from "../cluster/resource-names.ts";
import { secretKeys, settingForms } from "../rendered/secret.ts";
import { clientSecretIn } from "../rules/manifests.ts";

const defaultCloud = "AzurePublicCloud";

/** Reads what a live cluster says about its subscription, its client IDs, and its issuer. */
export function readLiveAzure({ issuerUrl, items, secrets }: LiveCluster): LiveFacts {
  const all = secrets.map(({ key, resource }) => ({ key, texts: secretTexts(resource.value()) }));
  const own = all.filter(({ texts }) => texts.has(secretKeys.tokenFile));
  const shared = (noun: string, key: string) =>
    sharedFact(
      noun,
      own.map(({ texts }) => ofForm(settingForms, key, texts.get(key))),
    );
  const infrastructure = (name: string) =>
    configTexts(items, "Infrastructure", ["status", "platformStatus", "azure", name])[0];
  const tenant = shared("tenant", secretKeys.tenant);
  const subscription = shared("subscription", secretKeys.subscription);
  const region = shared("region", secretKeys.region);
  const cloud = infrastructure("cloudName") ?? defaultCloud;
  const hosted = containerIn(issuerUrl, cloud);
  const installGroup = infrastructure("resourceGroupName");
  const networkGroup = infrastructure("networkResourceGroupName");
  const answers = {
    "subscription-id": subscription.value,
    "tenant-id": tenant.value,
    region: region.value,
    cloud: cloud === defaultCloud ? undefined : cloud,
    "install-resource-group": installGroup,
    "network-resource-group": networkGroup === installGroup ? undefined : networkGroup,
    "dns-zone-resource-group": dnsGroup(items, subscription.value),
    "storage-account": hosted?.account,
  };
  return {
    prefix: bestPrefix([hosted?.container, hosted?.account], () => 0),
    answers: known(answers) as Readonly<Record<string, string>>,
    credentials: all.map(({ key, texts }) => ({
      secretKey: key,
      id: texts.has(secretKeys.tokenFile)
        ? ofForm(settingForms, secretKeys.client, texts.get(secretKeys.client))
        : undefined,
      tokenFile: ofForm(settingForms, secretKeys.tokenFile, texts.get(secretKeys.tokenFile)),
      isLongLived: clientSecretIn(texts) !== undefined,
    })),
    contradictions: [tenant, subscription, region].flatMap((fact) => fact.contradictions),
    settle: (prefix, given) => settle(issuerUrl, hosted, prefix, given),
  };
}

interface Container {
  readonly account: string;
  readonly container: string;
}

/** The container whose blobs an issuer consists of; undefined for any other host. */
function containerIn(issuerUrl: string, cloud: string): Container | undefined {
  const domain = environments.find(({ name }) => name === cloud)?.blobDomain ?? "";
  const [, account = "", host, container = ""] = /^https:\/\/([a-z0-9]{3,24})\.([^/]+)\/([^/]+)$/.exec(issuerUrl) ?? [];
  return host === domain && containerNameProblem(container) === undefined ? { account, container } : undefined;
}

// The zone of the cluster's public name, `/subscriptions/<ID>/resourceGroups/<name>/providers/...`, is where the ingress
// operator creates records. A private cluster has none.
function dnsGroup(items: LiveCluster["items"], subscription = ""): string | undefined {
  const [dns] = items.filter((item) => isConfigObject(item, "DNS"));
  const zone = dns === undefined ? "" : textAt(dns.value(), ["spec", "publicZone", "id"]);
  const [, of = "", group] = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\//i.exec(zone) ?? [];
  if (group === undefined || of.toLowerCase() === subscription.toLowerCase()) return group;
  return `/subscriptions/${of}/resourceGroups/${group}`;
}

function settle(
  issuerUrl: string,
  hosted: Container | undefined,
  prefix: string,
  given: Readonly<Record<string, string>>,
): SettledConfig {
  const hosting =
    hosted === undefined
      ? { type: "External", storageAccount: given["storage-account"] }
      : { storageAccount: hosted.account, container: hosted.container === prefix ? undefined : hosted.container };
  const group = `${prefix}-oidc`;
  const assumed = [
    ...(given["identity-region"] === undefined && unfederatedRegions.regions.includes(given["region"] ?? "")
      ? [
          `The managed identities are assumed to be in the region ${quote(given["region"] ?? "")}, where they may take no federated credentials. If they are in another one, as "az identity list" prints it, set "spec.platform.azure.identityRegion".`,
        ]
      : []),
    `The managed identities are assumed to be named ${quote(`${prefix}-<namespace>-<name of the Secret>`)}, because no Secret contains their names.`,
    ...(given["oidc-resource-group"] === undefined
      ? [
          `The managed identities are assumed to be in the resource group ${quote(group)}. If it is another one, set "spec.platform.azure.oidcResourceGroup".`,
        ]
      : []),
    ...(given["dns-zone-resource-group"] === undefined
      ? [
          'The resource group of the DNS zone is unknown, so the ingress operator could only change the cluster\'s resource group. If the cluster has a public zone, set "spec.platform.azure.dnsZoneResourceGroup".',
        ]
      : []),
  ];
  return {
    spec: known({ issuerHosting: known(hosting) }),
    issuerUrl: hosted === undefined ? issuerUrl : undefined,
    assumed,
  };
}
