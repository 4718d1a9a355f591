import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import type { CloudIdentity, PolicyFile, RenderedIdentity, Trust } from "../../../permissions/identity.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { literalGrants, undecidedGrants } from "../../../permissions/terms.ts";
import {
  isOfWorkload,
  jsonIn,
  publishedElsewhere,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  secretKeyIn,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { isTexts, textsOf } from "../../request.ts";
import { gcpNames, gcpServiceAccount } from "../cluster/cluster.ts";
import { bucketResource, poolName, providerName, readPrincipal } from "../cluster/resource-names.ts";
import { bucketRolesIn } from "../resources.ts";
import {
  accountFile,
  bindingsFile,
  discoveryFile,
  type GcpFacts,
  isIdentityBundle,
  issuerBundleAmong,
  providerFile,
  readFacts,
} from "./facts.ts";

/** A service account, read from its files. */
interface RenderedServiceAccount extends RenderedIdentity {
  readonly directory: string;
  /** The principals that may impersonate it; undefined if the file cannot be read. */
  readonly principals: readonly string[] | undefined;
}

const roleFile = "role.json";

/**
 * Reads a service account's bundle: what it may do, and which tokens it trusts. A file that cannot be read counts as
 * permissions that cannot be decided.
 */
function readServiceAccount(
  { directory, resource, files }: RenderedBundle,
  issuer: RenderedIssuer,
): RenderedServiceAccount {
  const read = (name: string) => valueIn({ files }, name);
  const [account, bindings, role] = [read(accountFile), read(bindingsFile), read(roleFile)];
  const key = secretKeyIn({ files });
  const email = textAt(account, ["email"]);
  const principals = textsAt(bindings, "serviceAccount");
  const bound = textsAt(bindings, "project");
  const roleName = textAt(role, ["name"]);
  const needsRole = bound?.some((name) => !name.startsWith("roles/")) === true;
  const isWhole =
    email !== "" && principals !== undefined && bound !== undefined && (!files.has(roleFile) || isMap(role));
  const permissions = [
    ...boundGrants(bound, roleName),
    ...bucketGrants(bindings),
    ...roleGrants(files.has(roleFile) ? role : undefined),
  ];
  const subjects = (principals ?? []).map(subjectOf).sort(compareText);
  const compared: CloudIdentity | undefined =
    !isWhole || key === undefined
      ? undefined
      : {
          ...gcpServiceAccount,
          key,
          request: undefined,
          permissions,
          subjects,
          trust: undefined,
          boundary: undefined,
          tokenPath: undefined,
          email,
        };
  return {
    directory,
    resource,
    key,
    isOfWorkload: isOfWorkload({ files }),
    id: email || undefined,
    principals,
    trusts: (principals ?? []).map((principal) => trustOf(principal, issuer)),
    permissions,
    managedPolicies: [],
    boundary: undefined,
    maxSessionDuration: undefined,
    trustFiles: files.has(bindingsFile)
      ? [{ field: `data.${bindingsFile}`, permissions: trustGrants(principals) }]
      : [],
    permissionFiles: permissionFiles(files, bound, roleName, role, needsRole, bindings),
    compared,
  };
}

/** The computed names in the files of a service account besides the one in its email: that of its custom role. */
export function ownNamesIn(
  files: RenderedBundle["files"],
): readonly { readonly name: string; readonly value: string }[] {
  const name = textAt(valueIn({ files }, roleFile), ["name"]);
  return name === "" ? [] : [{ name: "custom role name", value: name.slice(name.lastIndexOf("/") + 1) }];
}

function textsAt(value: Value, field: string): readonly string[] | undefined {
  const list = valueAt(value, [field]);
  return isTexts(list) ? list : undefined;
}

// The custom role's own permissions are in its file.
function boundGrants(bound: readonly string[] | undefined, roleName: string): Grant[] {
  return literalGrants(
    "role",
    (bound ?? []).filter((name) => name !== roleName),
  );
}

// A role on a bucket applies to the bucket and its objects (Cloud Storage, "IAM permissions", resource names of policies).
function bucketGrants(bindings: Value): Grant[] {
  return bucketRolesIn(bindings).flatMap(({ bucket, role }) =>
    literalGrants("role", [role]).map((grant) => ({
      ...grant,
      resources: [bucketResource(bucket), `${bucketResource(bucket)}/*`],
    })),
  );
}

function roleGrants(role: Value | undefined): Grant[] {
  if (role === undefined) return [];
  const unread: string[] = [];
  const names = textsOf(valueAt(role, ["includedPermissions"]), "permissions", unread);
  return [...literalGrants("permission", names), ...unread.flatMap(undecidedGrants)];
}

function permissionFiles(
  files: RenderedBundle["files"],
  bound: readonly string[] | undefined,
  roleName: string,
  role: Value,
  needsRole: boolean,
  bindings: Value,
): PolicyFile[] {
  const found: PolicyFile[] = [];
  const bindingGrants = [...boundGrants(bound, roleName), ...bucketGrants(bindings)];
  if (files.has(bindingsFile)) found.push({ field: `data.${bindingsFile}`, permissions: bindingGrants });
  if (files.has(roleFile) || needsRole) found.push({ field: `data.${roleFile}`, permissions: roleGrants(role) });
  return found;
}

function trustGrants(principals: readonly string[] | undefined): Grant[] {
  return literalGrants("role", principals === undefined ? [] : ["roles/iam.workloadIdentityUser"]);
}

// A member that is not a subject of a pool is compared verbatim.
function subjectOf(principal: string): string {
  return readPrincipal(principal)?.subject ?? principal;
}

function trustOf(principal: string, issuer: RenderedIssuer): Trust {
  const read = readPrincipal(principal);
  const isOwnPool = read !== undefined && issuer.id?.startsWith(`${poolName(read)}/providers/`) === true;
  return {
    effect: "Allow",
    issuer: isOwnPool && issuer.url !== undefined ? `https://${issuer.url}` : undefined,
    subjects: isOwnPool ? [read.subject] : [],
    audiences: isOwnPool ? issuer.clientIds : undefined,
    conditions: isOwnPool ? [] : [`the caller is ${principal}`],
  };
}

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
    ...publishedElsewhere(facts.keyStorage === "External" ? bundle : undefined),
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
