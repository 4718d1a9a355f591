import { asText } from "../../../core/json.ts";
import { isMap, listAt, type Resource, textAt, type Value } from "../../../core/resource.ts";
import type { Published } from "../../cloud.ts";
import { clusterFile } from "../../rendered.ts";
import { bundleAt, identityNameOf, jsonOf } from "../../rendered-files.ts";
import { clusterBundlePath, identityBundlePath, issuerBundlePath } from "./bundle-paths.ts";

/*
 * Reads what a package says about its last rendering, to tell the user what changes and to refuse what cannot change.
 * No output depends on it. A file that no longer has the form in which it was written is ignored.
 */

/** The facts that Secrets depend on, as far as the package still contains them. */
export type FactsBefore = Readonly<
  Partial<Record<"projectID" | "projectNumber" | "universeDomain" | "pool" | "provider" | "keyStorage", string>>
>;

/** The resource prefix that a package was rendered with; undefined if it was not rendered. */
export function prefixBefore(items: readonly Resource[]): string | undefined {
  const described = textAt(jsonOf(identityBefore(items))("service-account.json"), ["description"]);
  return factOf(items)("resourcePrefix") ?? /^Owned by: (.+)$/.exec(described)?.[1];
}

/** The name that the ClusterIdentity had when the package was rendered; undefined if it was not rendered. */
export function nameBefore(items: readonly Resource[]): string | undefined {
  return identityNameOf(bundleAt(items, clusterBundlePath) ?? identityBefore(items));
}

/**
 * The project, pool, provider and key storage that a package was rendered for. If the cluster's bundle was deleted, the
 * issuer's and an identity's still name most of them.
 */
export function factsBefore(items: readonly Resource[]): FactsBefore {
  const fact = factOf(items);
  const named = { ...namesInIdentity(identityBefore(items)), ...namesInIssuer(bundleAt(items, issuerBundlePath)) };
  const facts = {
    projectID: fact("projectID") ?? named.projectID,
    projectNumber: fact("projectNumber") ?? named.projectNumber,
    universeDomain: fact("universeDomain"),
    pool: fact("pool") ?? named.pool,
    provider: fact("provider") ?? named.provider,
    keyStorage: fact("keyStorage") ?? named.keyStorage,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
}

/** What a package publishes: the issuer of its provider, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const file = jsonOf(bundleAt(items, issuerBundlePath));
  const url = textAt(file("provider.json"), ["oidc", "issuerUri"]);
  const keyIds = listAt(file("keys.json"), ["keys"]).map((key) => textAt(key, ["kid"]));
  return { url: url || undefined, keyIds: keyIds.filter((kid) => kid !== "") };
}

/** The email address of the service account in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  return textAt(jsonOf(bundle)("service-account.json"), ["email"]);
}

function factOf(items: readonly Resource[]): (field: string) => string | undefined {
  const facts = jsonOf(bundleAt(items, clusterBundlePath))(clusterFile);
  return (field) => (isMap(facts) ? textAt(facts, [field]) || undefined : undefined);
}

// A package whose issuer is managed elsewhere may have no cluster bundle.
function identityBefore(items: readonly Resource[]): Resource | undefined {
  return bundleAt(items, identityBundlePath);
}

function namesInIssuer(bundle: Resource | undefined): FactsBefore {
  const file = jsonOf(bundle);
  const name = textAt(file("provider.json"), ["name"]);
  const [, projectNumber, pool, provider] = providerForm.exec(name) ?? [];
  if (projectNumber === undefined || pool === undefined || provider === undefined) return {};
  // With any other key storage, Google reads the discovery document, so the package has it.
  const keyStorage = file("openid-configuration") === null ? { keyStorage: "PoolJWKFile" } : {};
  return { projectNumber, pool, provider, ...keyStorage };
}

const providerForm = /^projects\/(\d+)\/locations\/global\/workloadIdentityPools\/([^/]+)\/providers\/([^/]+)$/;

function namesInIdentity(bundle: Resource | undefined): FactsBefore {
  const file = jsonOf(bundle);
  const projectID = /^projects\/([^/]+)\/serviceAccounts\//.exec(textAt(file("service-account.json"), ["name"]))?.[1];
  const [principal = null]: readonly Value[] = listAt(file("bindings.json"), ["serviceAccount"]);
  const [, projectNumber, pool] =
    /\/projects\/(\d+)\/locations\/global\/workloadIdentityPools\/([^/]+)\//.exec(asText(principal)) ?? [];
  return {
    ...(projectID === undefined ? {} : { projectID }),
    ...(projectNumber === undefined ? {} : { projectNumber }),
    ...(pool === undefined ? {} : { pool }),
  };
}
