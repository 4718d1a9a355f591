import { listAt, type Resource, textAt, textOf } from "../../../core/resource.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import type { Published } from "../../cloud.ts";
import {
  bundleAt,
  bundleNames,
  bundleOf,
  clusterFile,
  issuerKeyIds,
  jsonIn,
  nameBefore,
  type RenderedBundle,
  type RenderedFacts,
  valueAmong,
  valueIn,
} from "../../rendered.ts";
import { prefixOfDescription, projectOfAccount, readPrincipal, readProviderName } from "../cluster/resource-names.ts";

/** The facts about a cluster on GCP. The account is the ID of its project. */
export interface GcpFacts extends RenderedFacts {
  readonly projectNumber: string | undefined;
  /** The domain of Google's APIs. */
  readonly universeDomain: string | undefined;
  /** The ID of the pool. */
  readonly pool: string | undefined;
  /** The ID of the provider. */
  readonly provider: string | undefined;
  /** The URL of the issuer. */
  readonly issuer: string | undefined;
  /** Where the cluster's public keys are. */
  readonly keyStorage: string | undefined;
}

/** The names of the files in a bundle that other modules read. */
export const accountFile = "service-account.json";
export const bindingsFile = "bindings.json";
export const providerFile = "provider.json";
export const discoveryFile = "openid-configuration";

/** The bundles of a package for Google Cloud. */
export const gcpBundles = bundleNames("gcp", "identities", "gcp-identity-");

/** Tells whether a bundle is a service account's, even if some of its files are missing or broken. */
export function isIdentityBundle({ files }: RenderedBundle): boolean {
  return [accountFile, bindingsFile].some((name) => files.has(name));
}

/** The bundle of the issuer, even if some of its files are missing or broken. */
export function issuerBundleAmong(bundles: readonly RenderedBundle[]): RenderedBundle | undefined {
  return bundles.find(({ files }) => [providerFile, "pool.json"].some((name) => files.has(name)));
}

/** Reads the facts about a cluster. */
export function readFacts(bundles: readonly RenderedBundle[]): GcpFacts {
  const facts = valueAmong(bundles, clusterFile);
  const fact = (field: string) => textAt(facts, [field]) || undefined;
  const identity = bundles.find(isIdentityBundle);
  const account = valueIn(identity, accountFile);
  const issuer = issuerBundleAmong(bundles);
  const provider = valueIn(issuer, providerFile);
  const named = readProviderName(textAt(provider, ["name"]));
  const bound = readPrincipal(textOf(listAt(valueIn(identity, bindingsFile), ["serviceAccount"])[0]));
  return {
    account: fact("projectID") ?? projectOfAccount(textAt(account, ["name"])),
    projectNumber: fact("projectNumber") ?? (named ?? bound)?.projectNumber,
    region: fact("region"),
    universeDomain: fact("universeDomain"),
    resourcePrefix: fact("resourcePrefix") ?? prefixOfDescription(textAt(account, ["description"])),
    pool: fact("pool") ?? (named ?? bound)?.poolId,
    provider: fact("provider") ?? named?.providerId,
    issuer: textAt(provider, ["oidc", "issuerUri"]) || fact("issuer"),
    keyStorage: fact("keyStorage") ?? (named !== undefined && holdsOwnKeys(issuer) ? "PoolJWKFile" : undefined),
  };
}

// With any other key storage, Google reads the discovery document, so the package has it.
function holdsOwnKeys(issuer: RenderedBundle | undefined): boolean {
  return issuer?.files.has(discoveryFile) === false;
}

/** The facts about the cluster that a package was rendered for, and the name that its ClusterIdentity had then. */
export function factsBefore(items: readonly Resource[]): GcpFacts & { readonly name: string | undefined } {
  const paths = [gcpBundles.cluster, gcpBundles.identities, gcpBundles.issuer];
  const bundles = paths.flatMap((path) => bundleAt(items, path) ?? []);
  return { ...readFacts(bundles), name: nameBefore(bundles) };
}

/** What a package publishes: the issuer of its provider, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const bundle = bundleAt(items, gcpBundles.issuer);
  const url = textAt(valueIn(bundle, providerFile), ["oidc", "issuerUri"]) || undefined;
  return { url, keyIds: issuerKeyIds({ keys: jsonIn(bundle, keysPath) }) };
}

/** The email address of the service account in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  return textAt(valueIn(bundleOf(bundle), accountFile), ["email"]);
}
