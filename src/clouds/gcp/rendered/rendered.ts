import { type Finding, finding } from "../../../core/finding.ts";
import { type JsonReading, readJson } from "../../../core/read-json.ts";
import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/discovery.ts";
import { clusterFile, type RenderedBundle, type RenderedCluster, type RenderedIssuer } from "../../rendered.ts";
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
  const facts = valueIn(
    bundles.find(({ files }) => files.has(clusterFile)),
    clusterFile,
  );
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
    findings: identities.filter(({ compared }) => compared === undefined).map(unreadable),
  };
}

function unreadable({ resource, directory }: RenderedServiceAccount): Finding {
  if (resource !== undefined) {
    const message = "is not a rendered service account; render the package again.";
    return finding("error", "service-account-unreadable", message, { resource });
  }
  const message = `${quoteWhole(directory)} does not contain a rendered service account; render the package again and export it.`;
  return finding("error", "service-account-unreadable", message);
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

function jsonIn(bundle: RenderedBundle | undefined, name: string): JsonReading | undefined {
  const text = bundle?.files.get(name);
  return text === undefined ? undefined : readJson(text);
}

function valueIn(bundle: RenderedBundle | undefined, name: string): Value {
  const read = jsonIn(bundle, name);
  return read !== undefined && "value" in read ? read.value : null;
}
