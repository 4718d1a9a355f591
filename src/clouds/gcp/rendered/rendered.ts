import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import {
  jsonIn,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { gcpNames } from "../cluster/cluster.ts";
import { providerName } from "../cluster/resource-names.ts";
import { discoveryFile, type GcpFacts, isIdentityBundle, issuerBundleAmong, providerFile, readFacts } from "./facts.ts";
import { type RenderedServiceAccount, readServiceAccount } from "./identity.ts";

/** What was rendered for a cluster on GCP. */
export interface RenderedGcpCluster extends RenderedCluster {
  readonly identities: readonly RenderedServiceAccount[];
  /** The domain of Google's APIs; undefined if no file names it. */
  readonly universeDomain: string | undefined;
}

/** Reads what a package or an export contains for GCP; undefined if nothing in it was rendered for GCP. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedGcpCluster | undefined {
  const facts = readFacts(bundles);
  const { account, region, resourcePrefix, universeDomain } = facts;
  const accounts = bundles.filter(isIdentityBundle);
  const publishing = issuerBundleAmong(bundles);
  if (account === undefined && accounts.length === 0 && publishing === undefined) return undefined;
  const issuer = readIssuer(publishing, facts);
  const identities = accounts
    .map((bundle) => readServiceAccount(bundle, issuer))
    .sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  return {
    account,
    region,
    universeDomain,
    resourcePrefix,
    issuers: [issuer],
    documentIssuer: textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined,
    identities,
    findings: unreadableFindings(identities, "service-account-unreadable", gcpNames.identityNoun),
  };
}

function readIssuer(bundle: RenderedBundle | undefined, facts: GcpFacts): RenderedIssuer {
  const provider = valueIn(bundle, providerFile);
  const audiences = listAt(provider, ["oidc", "allowedAudiences"]).filter((text) => typeof text === "string");
  return {
    url: facts.issuer?.replace(/^https:\/\//, ""),
    id: textAt(provider, ["name"]) || providerOf(facts),
    clientIds: provider === null ? undefined : audiences,
    discovery: jsonIn(bundle, discoveryFile),
    keys: jsonIn(bundle, keysPath),
    holdsKeys: facts.keyStorage === "PoolJWKFile",
    ...(isMap(provider) ? { definition: described(provider, valueIn(bundle, "pool.json")) } : {}),
  };
}

// As gcloud would describe the provider after the package is applied. A provider in a disabled pool is disabled, too.
function described(provider: ValueMap, pool: Value): Value {
  const inPool = valueAt(pool, ["disabled"]) ?? false;
  const isDisabled = inPool === false ? (provider["disabled"] ?? false) : inPool;
  return { ...provider, state: "ACTIVE", disabled: isDisabled };
}

function providerOf({ projectNumber, pool, provider }: GcpFacts): string | undefined {
  return projectNumber === undefined || pool === undefined || provider === undefined
    ? undefined
    : providerName({ projectNumber, poolId: pool, providerId: provider });
}
