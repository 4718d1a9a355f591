import type { JsonReading } from "../../../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { type Clause, describeCondition } from "../../../permissions/condition.ts";
import type { CloudIdentity, PolicyFile, RenderedIdentity, Trust } from "../../../permissions/identity.ts";
import type { Grant, Permissions } from "../../../permissions/permissions.ts";
import {
  isOfWorkload,
  jsonIn,
  publishedElsewhere,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  secretKeyIn,
  unknownIssuer,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { awsNames, awsRole } from "../cluster/cluster.ts";
import { inPartition, providerArn, readIamArn, roleArn, withoutScheme } from "../cluster/resource-names.ts";
import { managedPolicies, policyPermissions } from "../permissions/permissions.ts";
import { assumeAction } from "../tokens/identity.ts";
import { type AwsFacts, discoveryFile, isIdentityBundle, providerFile, readFacts, roleFiles } from "./facts.ts";

/** A role, read from its files: the AWS CLI's input files and its policies. */
interface RenderedRole extends RenderedIdentity {
  readonly directory: string;
  /** The trust policy, for checks that need the original document. */
  readonly trust: JsonReading;
}

/**
 * Reads a role's bundle: what the role may do, and which tokens it trusts.
 *
 * Permissions are compared with resources in the partition "aws", as requests name them. Managed policies are compared by
 * their ARNs, because their owner defines their contents.
 *
 * @param account the account in the cluster's files; without it, that of the provider that the role trusts.
 */
function readRole(
  { directory, resource, files }: RenderedBundle,
  account: { readonly accountId: string; readonly partition: string } | undefined,
  issuers: readonly RenderedIssuer[],
): RenderedRole {
  const read = (name: string) => jsonIn({ files }, name) ?? missing;
  const [create, trust, permissions] = [
    valueRead(read(roleFiles.create)),
    read(roleFiles.trust),
    read(roleFiles.permissions),
  ];
  const key = secretKeyIn({ files });
  const home = account ?? accountOf(valueRead(trust));
  const name = fieldText(create, "RoleName");
  const duration = valueAt(create ?? null, ["MaxSessionDuration"]);
  const attached = [...files.keys()].filter((text) => text.startsWith("attach-role-policy-"));
  const managed = attached.map((text) => fieldText(valueRead(read(text)), "PolicyArn"));
  const policies = [...managed].filter((text) => text !== "").sort(compareText);
  const partition = accountOf(valueRead(trust))?.partition ?? home?.partition ?? "aws";
  const asRequested = (document: JsonReading) => grantsOf(document).map((grant) => inPartitionAws(grant, partition));
  const isWhole =
    name !== "" && [create, valueRead(trust), valueRead(permissions)].every((value) => value !== undefined);
  const boundary = fieldText(create, "PermissionsBoundary");
  return {
    directory,
    resource,
    key,
    isOfWorkload: isOfWorkload({ files }),
    id: home === undefined || name === "" ? undefined : roleArn(home, fieldText(create, "Path") || "/", name),
    trusts: trustsOf(trust, issuers),
    permissions: grantsOf(permissions),
    managedPolicies: policies,
    boundary: boundary || undefined,
    maxSessionDuration: typeof duration === "number" ? duration : undefined,
    trustFiles: policyFile(files, roleFiles.trust, grantsOf(trust)),
    permissionFiles: policyFile(files, roleFiles.permissions, asRequested(permissions)),
    compared:
      isWhole && key !== undefined ? comparedRole(key, asRequested(permissions), managed, trust, boundary) : undefined,
    trust,
  };
}

function comparedRole(
  key: string,
  permissions: Permissions,
  managed: readonly string[],
  trust: JsonReading,
  boundary: string,
): CloudIdentity {
  return {
    ...awsRole,
    key,
    request: undefined,
    permissions: [...permissions, ...managedPolicies(managed)],
    subjects: subjectsOf(valueRead(trust) ?? null),
    trust: grantsOf(trust),
    boundary,
    tokenPath: undefined,
  };
}

const missing: JsonReading = { problem: "is missing" };

function valueRead(reading: JsonReading): Value | undefined {
  return "value" in reading ? reading.value : undefined;
}

function fieldText(value: Value | undefined, field: string): string {
  const found = value === undefined ? undefined : valueAt(value, [field]);
  return typeof found === "string" ? found : "";
}

// A file that cannot be read counts as a policy that cannot be read, and a missing one as none.
function policyFile(files: RenderedBundle["files"], name: string, permissions: Permissions): PolicyFile[] {
  return files.has(name) ? [{ field: `data.${name}`, permissions }] : [];
}

function grantsOf(document: JsonReading): readonly Grant[] {
  if ("value" in document) return policyPermissions(document.value);
  const open = { effect: "Allow", principals: [""], actions: ["*"], resources: ["*"], condition: [] } as const;
  return [{ ...open, undecided: `the document ${document.problem}` }];
}

function inPartitionAws(grant: Grant, partition: string): Grant {
  return { ...grant, resources: grant.resources.map((resource) => inPartition(resource, partition, "aws")) };
}

function statementsOf(trust: Value): readonly Value[] {
  const statements = valueAt(trust, ["Statement"]);
  return Array.isArray(statements) ? (statements as readonly Value[]) : [];
}

function accountOf(trust: Value = null) {
  const [first = null] = statementsOf(trust);
  return readIamArn(fieldText(valueAt(first, ["Principal"]), "Federated"));
}

function trustsOf(trust: JsonReading, issuers: readonly RenderedIssuer[]): Trust[] {
  return grantsOf(trust).flatMap((grant) => grant.principals.map((principal) => trustOf(grant, principal, issuers)));
}

const federated = "Federated:";

function trustOf(grant: Grant, principal: string, issuers: readonly RenderedIssuer[]): Trust {
  const url = principal.startsWith(federated) ? readIamArn(principal.slice(federated.length))?.providerUrl : undefined;
  const host = url?.toLowerCase() ?? "";
  const isEqual = ({ operator, key }: Clause, name: string) => operator === "StringEquals" && key === `${host}:${name}`;
  const named = (name: string) => grant.condition.find((clause) => isEqual(clause, name))?.values;
  const calls = grant.actions.some((action) => action.toLowerCase() !== assumeAction.toLowerCase());
  const rest = grant.condition.filter((clause) => !isEqual(clause, "sub") && !isEqual(clause, "aud"));
  return {
    effect: grant.effect,
    issuer: url === undefined ? undefined : `https://${url}`,
    subjects: named("sub") ?? [],
    audiences: named("aud") ?? issuers.find((issuer) => issuer.url === url)?.clientIds,
    conditions: [
      ...(url === undefined && principal !== "" ? [`the caller is ${principal}`] : []),
      ...rest.map((clause) => describeCondition([clause])),
      ...(calls ? [`the call is ${grant.actions.join(" or ")}`] : []),
    ],
    ...(grant.undecided === undefined ? {} : { unread: grant.undecided }),
  };
}

// Each issuer has its own statement. The result lists the subjects of all statements. A statement that is not a plain list
// of subjects is included verbatim, so that a change to it is visible.
function subjectsOf(trust: Value): string[] {
  const all = statementsOf(trust).flatMap((statement) => {
    const equals = valueAt(statement, ["Condition", "StringEquals"]);
    const [operators, keys] = [valueAt(statement, ["Condition"]), equals].map((value) =>
      isMap(value) ? Object.keys(value) : [],
    );
    const sub = keys?.find((key) => key.endsWith(":sub"));
    const values = sub === undefined ? undefined : (equals as Record<string, Value>)[sub];
    const list = typeof values === "string" ? [values] : values;
    const isPlain = operators?.length === 1 && Array.isArray(list) && list.every((value) => typeof value === "string");
    return isPlain ? (list as string[]) : [`anyone who meets ${JSON.stringify(statement)}`];
  });
  return [...new Set(all)].sort();
}

/** What was rendered for a cluster on AWS. */
export interface RenderedAwsCluster extends RenderedCluster {
  readonly identities: readonly RenderedRole[];
}

/** Reads what a package or an export contains for AWS; undefined if nothing in it was rendered for AWS. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedAwsCluster | undefined {
  const facts = readFacts(bundles);
  const { account, region, resourcePrefix, home, providers } = facts;
  const roles = bundles.filter(isIdentityBundle);
  const publishing = bundles.find(({ files }) => issuerFiles.some((name) => files.has(name)));
  if (account === undefined && roles.length === 0 && publishing === undefined) return undefined;
  const [own, ...previous] = providers;
  const issuers = [currentIssuer(publishing, own, home), ...previous.flatMap(issuerOnly)];
  const identities = roles
    .map((bundle) => readRole(bundle, home, issuers))
    .sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  return {
    account,
    region,
    resourcePrefix,
    issuers,
    documentIssuer: textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined,
    identities,
    findings: unreadableFindings(identities, "role-unreadable", awsNames.identityNoun),
  };
}

const issuerFiles = [discoveryFile, keysPath, providerFile];

function currentIssuer(
  bundle: RenderedBundle | undefined,
  given: string | undefined,
  home: AwsFacts["home"],
): RenderedIssuer {
  const create = valueIn(bundle, providerFile);
  const url = textAt(create, ["Url"]);
  const clientIds = valueAt(create, ["ClientIDList"]);
  const isElsewhere = bundle?.files.has("create-bucket.json") === false;
  const documents = {
    discovery: jsonIn(bundle, discoveryFile),
    keys: jsonIn(bundle, keysPath),
    ...publishedElsewhere(isElsewhere ? bundle : undefined),
  };
  if (url === "") return { ...(issuerOnly(given)[0] ?? unknownIssuer), ...documents };
  const ids = Array.isArray(clientIds) ? clientIds.filter((clientID) => typeof clientID === "string") : undefined;
  const id = home === undefined ? undefined : providerArn(home, url);
  return { url: withoutScheme(url), id, clientIds: ids, ...documents };
}

// An issuer known only by its provider's ARN: the ARN contains its URL, but no file contains its client IDs.
function issuerOnly(arn = ""): RenderedIssuer[] {
  const url = readIamArn(arn)?.providerUrl;
  return url === undefined ? [] : [{ ...unknownIssuer, id: arn, url }];
}
