import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/discovery.ts";
import { jsonIn, unreadableFindings, valueAmong, valueIn } from "../../read-rendered.ts";
import { clusterFile, type RenderedBundle, type RenderedCluster, type RenderedIssuer } from "../../rendered.ts";
import { gcpNames } from "../names.ts";
import { isIdentityBundle, type RenderedServiceAccount, readServiceAccount } from "./service-account.ts";

/** What was rendered for a cluster on GCP. */
export interface RenderedGcpCluster extends RenderedCluster {
  readonly identities: readonly RenderedServiceAccount[];
  /** The domain of Google's APIs; undefined if no file names it. */
  readonly universeDomain: string | undefined;
}

const discoveryFile = "openid-configuration";
const issuerFiles = ["provider.json", "pool.json"];

/** Reads what a package or an export contains for GCP; undefined if nothing in it was rendered for GCP. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedGcpCluster | undefined {
  const facts = valueAmong(bundles, clusterFile);
  const accounts = bundles.filter(isIdentityBundle);
  const publishing = bundles.find(({ files }) => issuerFiles.some((name) => files.has(name)));
  if (textAt(facts, ["projectID"]) === "" && accounts.length === 0 && publishing === undefined) return undefined;
  const issuer = readIssuer(publishing, facts);
  const identities = accounts
    .map((bundle) => readServiceAccount(bundle, issuer))
    .sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  return {
    account: textAt(facts, ["projectID"]) || identities[0]?.projectId,
    region: textAt(facts, ["region"]) || undefined,
    universeDomain: textAt(facts, ["universeDomain"]) || undefined,
    resourcePrefix: textAt(facts, ["resourcePrefix"]) || identities[0]?.prefix,
    issuers: [issuer],
    documentIssuer: textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined,
    identities,
    findings: unreadableFindings(identities, "service-account-unreadable", gcpNames.identityNoun),
  };
}

// Without a provider, its URL and its name are in the cluster's facts.
function readIssuer(bundle: RenderedBundle | undefined, facts: Value): RenderedIssuer {
  const provider = valueIn(bundle, "provider.json");
  const url = textAt(provider, ["oidc", "issuerUri"]) || textAt(facts, ["issuer"]);
  const audiences = listAt(provider, ["oidc", "allowedAudiences"]).filter((text) => typeof text === "string");
  return {
    url: url === "" ? undefined : url.replace(/^https:\/\//, ""),
    id: textAt(provider, ["name"]) || providerOf(facts),
    clientIds: provider === null ? undefined : audiences,
    discovery: jsonIn(bundle, discoveryFile),
    keys: jsonIn(bundle, keysPath),
    holdsKeys: textAt(facts, ["keyStorage"]) === "PoolJWKFile",
    ...(isMap(provider) ? { definition: described(provider, valueIn(bundle, "pool.json")) } : {}),
  };
}

// As gcloud would describe the provider after the package is applied. A provider in a disabled pool is disabled, too.
function described(provider: ValueMap, pool: Value): Value {
  const inPool = valueAt(pool, ["disabled"]) ?? false;
  const isDisabled = inPool === false ? (provider["disabled"] ?? false) : inPool;
  return { ...provider, state: "ACTIVE", disabled: isDisabled };
}

function providerOf(facts: Value): string | undefined {
  const [number, pool, provider] = ["projectNumber", "pool", "provider"].map((field) => textAt(facts, [field]));
  return number === "" || pool === "" || provider === ""
    ? undefined
    : `projects/${number}/locations/global/workloadIdentityPools/${pool}/providers/${provider}`;
}
