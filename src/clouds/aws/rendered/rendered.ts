import { asText } from "../../../core/json.ts";
import { isMap, listAt, type Value, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { discoveryPath, keysPath } from "../../../oidc/discovery.ts";
import { jsonIn, unreadableFindings, valueAmong, valueIn } from "../../read-rendered.ts";
import {
  clusterFile,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  unknownIssuer,
} from "../../rendered.ts";
import { providerArn, withoutScheme } from "../cluster/arn.ts";
import { awsNames } from "../names.ts";
import { prefixOfTags } from "./rendered-before.ts";
import { isRoleBundle, type RenderedRole, readRole } from "./role.ts";

/** What was rendered for a cluster on AWS. */
export interface RenderedAwsCluster extends RenderedCluster {
  readonly identities: readonly RenderedRole[];
}

/** Reads what a package or an export contains for AWS; undefined if nothing in it was rendered for AWS. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedAwsCluster | undefined {
  const facts = valueAmong(bundles, clusterFile);
  const roles = bundles.filter(isRoleBundle);
  // A package whose issuer is managed elsewhere has no cluster facts. Its roles trust a provider in their own account.
  const trusted = facts === null ? trustedProviders(roles) : [];
  const account = accountOf(facts) ?? accountOfAll(trusted);
  const publishing = bundles.find(({ files }) => issuerFiles.some((name) => files.has(name)));
  if (account === undefined && roles.length === 0 && publishing === undefined) return undefined;
  const previous = listAt(facts, ["previousIssuers"]);
  const named = [facts, ...previous].map((value) => textAt(value, "identityProviderARN"));
  const [given, ...former] = facts === null ? trusted : named;
  const issuers = [currentIssuer(publishing, given, account), ...former.flatMap(issuerOnly)];
  const identities = roles
    .map((bundle) => readRole(bundle, account, issuers))
    .sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  return {
    account: account?.accountId,
    region: textAt(facts, "region"),
    resourcePrefix: textAt(facts, "resourcePrefix") ?? prefixOfTags(valueIn(roles[0], "create-role.json")),
    issuers,
    documentIssuer: textAt(valueIn(publishing, discoveryFile), "issuer"),
    identities,
    findings: unreadableFindings(identities, "role-unreadable", awsNames.identityNoun),
  };
}

const discoveryFile = discoveryPath.split("/").at(-1) ?? "";
const providerFile = "create-open-id-connect-provider.json";
const issuerFiles = [discoveryFile, keysPath, providerFile];

/** An account, as ARNs identify it. */
interface Account {
  readonly accountId: string;
  readonly partition: string;
}

function accountOf(facts: Value): Account | undefined {
  const [accountId, partition] = [textAt(facts, "accountID"), textAt(facts, "partition")];
  return accountId === undefined || partition === undefined ? undefined : { accountId, partition };
}

function trustedProviders(roles: readonly RenderedBundle[]): string[] {
  const statements = roles.flatMap((role) => listAt(valueIn(role, "trust-policy.json"), ["Statement"]));
  return [...new Set(statements.map((statement) => asText(valueAt(statement, ["Principal", "Federated"]))))];
}

// If the ARNs are in different accounts, or one is not an ARN, the account is unknown.
function accountOfAll(arns: readonly string[]): Account | undefined {
  const accounts = new Set(arns.map((arn) => /^arn:[a-z-]+:iam::\d{12}(?=:)/.exec(arn)?.[0] ?? ""));
  const [, partition, , , accountId] = accounts.size === 1 ? ([...accounts][0] ?? "").split(":") : [];
  return accountId === undefined || partition === undefined ? undefined : { accountId, partition };
}

function currentIssuer(
  bundle: RenderedBundle | undefined,
  given: string | undefined,
  account: Account | undefined,
): RenderedIssuer {
  const create = valueIn(bundle, providerFile);
  const url = textAt(create, "Url");
  const clientIds = valueAt(create, ["ClientIDList"]);
  const documents = { discovery: jsonIn(bundle, discoveryFile), keys: jsonIn(bundle, keysPath) };
  if (url !== undefined) {
    const ids = Array.isArray(clientIds) ? clientIds.filter((clientID) => typeof clientID === "string") : undefined;
    const id = account === undefined ? undefined : providerArn(account, url);
    return { url: withoutScheme(url), id, clientIds: ids, ...documents };
  }
  return { ...(issuerOnly(given)[0] ?? unknownIssuer), ...documents };
}

// An issuer known only by its provider's ARN: the ARN contains its URL, but no file contains its client IDs.
function issuerOnly(arn: string | undefined): RenderedIssuer[] {
  const url = /^arn:[a-z-]+:iam::\d{12}:oidc-provider\/(.+)$/.exec(arn ?? "")?.[1];
  return arn === undefined || url === undefined ? [] : [{ ...unknownIssuer, id: arn, url }];
}

function textAt(value: Value, field: string): string | undefined {
  const found = isMap(value) ? value[field] : undefined;
  return typeof found === "string" && found !== "" ? found : undefined;
}
