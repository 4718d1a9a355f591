import { asText } from "../../../core/json.ts";
import { listAt, type Resource, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import type { Published } from "../../cloud.ts";
import {
  bundleAt,
  bundleNames,
  bundleOf,
  bundlesAt,
  clusterFile,
  isOfWorkload,
  issuerKeyIds,
  jsonIn,
  nameBefore,
  type RenderedBundle,
  type RenderedFacts,
  valueAmong,
  valueIn,
} from "../../rendered.ts";
import { prefixOfTagKey, readIamArn } from "../cluster/resource-names.ts";

/** The facts about a cluster on AWS. */
export interface AwsFacts extends RenderedFacts {
  /** The account, and the partition that it is in. */
  readonly home: { readonly accountId: string; readonly partition: string } | undefined;
  /** The path of its roles. */
  readonly rolePath: string | undefined;
  /** The path of the roles of workloads. */
  readonly workloadPath: string | undefined;
  /** The ARNs of the providers that roles trust, the cluster's own first; undefined for one that is not known yet. */
  readonly providers: readonly (string | undefined)[];
}

/** The names of the files in a role's bundle that other modules read. */
export const roleFiles = {
  create: "create-role.json",
  trust: "trust-policy.json",
  permissions: "permissions-policy.json",
} as const;

/** The name of the discovery document in the issuer's bundle. */
export const discoveryFile = discoveryPath.split("/").at(-1) ?? "";

/** The name of the input that creates the provider, in the issuer's bundle. */
export const providerFile = "create-open-id-connect-provider.json";

/** The bundles of a package for AWS. */
export const awsBundles = bundleNames("aws", "roles", "aws-role-");

/** Tells whether a bundle is a role's, even if some of its files are missing or broken. */
export function isIdentityBundle({ files }: RenderedBundle): boolean {
  return Object.values(roleFiles).some((name) => files.has(name));
}

/** Reads the facts about a cluster. A package whose issuer is managed elsewhere has only roles. */
export function readFacts(bundles: readonly RenderedBundle[]): AwsFacts {
  const facts = valueAmong(bundles, clusterFile);
  const roles = bundles.filter(isIdentityBundle);
  const ofWorkloads = roles.filter(isOfWorkload);
  const ofComponents = roles.filter((role) => !isOfWorkload(role));
  const [create, ofWorkload] = [ofComponents[0], ofWorkloads[0]].map((role) => valueIn(role, roleFiles.create)) as [
    Value,
    Value,
  ];
  const named = [facts, ...listAt(facts, ["previousIssuers"])].map((one) => textAt(one, ["identityProviderARN"]));
  const given = homeOf(facts);
  const trusted = facts === null || given === undefined ? trustedProviders(roles) : [];
  const home = given ?? homeOfAll(trusted);
  return {
    account: home?.accountId,
    home,
    region: textAt(facts, ["region"]) || undefined,
    resourcePrefix: textAt(facts, ["resourcePrefix"]) || (prefixOfTags(create) ?? prefixOfTags(ofWorkload)),
    rolePath: textAt(create, ["Path"]) || undefined,
    workloadPath: textAt(ofWorkload, ["Path"]) || undefined,
    providers: facts === null ? trusted : named.map((arn) => arn || undefined),
  };
}

/** The facts about the cluster that a package was rendered for, and the name that its ClusterIdentity had then. */
export function factsBefore(items: readonly Resource[]): AwsFacts & { readonly name: string | undefined } {
  const roles = bundlesAt(items, awsBundles.identities);
  const firsts = [roles.find((role) => !isOfWorkload(role)), roles.find(isOfWorkload)];
  const bundles = [bundleAt(items, awsBundles.cluster), ...firsts].filter((one) => one !== undefined);
  return { ...readFacts(bundles), name: nameBefore(bundles) };
}

/** What a package publishes: the issuer in its discovery document, and the IDs of its keys in order. */
export function publishedBy(items: readonly Resource[]): Published {
  const bundle = bundleAt(items, awsBundles.issuer);
  const url = textAt(valueIn(bundle, discoveryFile), ["issuer"]) || undefined;
  return { url, keyIds: issuerKeyIds({ keys: jsonIn(bundle, keysPath) }) };
}

/** The name of the role in a bundle; "" if the bundle has another form. */
export function nameOf(bundle: Resource): string {
  return textAt(valueIn(bundleOf(bundle), roleFiles.create), ["RoleName"]);
}

function homeOf(facts: Value): AwsFacts["home"] {
  const [accountId, partition] = [textAt(facts, ["accountID"]), textAt(facts, ["partition"])];
  return accountId === "" || partition === "" ? undefined : { accountId, partition };
}

function trustedProviders(roles: readonly RenderedBundle[]): string[] {
  const statements = roles.flatMap((role) => listAt(valueIn(role, roleFiles.trust), ["Statement"]));
  return [...new Set(statements.map((statement) => asText(valueAt(statement, ["Principal", "Federated"]))))];
}

// If the ARNs are in different accounts, or one is not an ARN, the account is unknown.
function homeOfAll(arns: readonly string[]): AwsFacts["home"] {
  const [first, ...others] = arns.map(readIamArn);
  if (first === undefined) return undefined;
  const { accountId, partition } = first;
  const isSame = others.every((one) => one?.accountId === accountId && one.partition === partition);
  return isSame ? { accountId, partition } : undefined;
}

function prefixOfTags(create: Value): string | undefined {
  return listAt(create, ["Tags"])
    .map((tag) => prefixOfTagKey(textAt(tag, ["Key"])))
    .find((prefix) => prefix !== undefined);
}
