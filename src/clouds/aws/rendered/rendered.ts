import { type JsonReading, readJson } from "../../../core/read-json.ts";
import { listAt, type Value, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { discoveryPath, keysPath } from "../../../oidc/discovery.ts";
import { providerArn, roleArn, withoutScheme } from "../cluster/arn.ts";

/** The plain files of a rendered package, by the paths that an export gives them: `aws/issuer/keys.json`. */
export type RenderedFiles = ReadonlyMap<string, string>;

/** An OpenID Connect provider in IAM, and what its issuer publishes, as far as somebody says it. */
export interface Provider {
  /** The issuer's host and path, without `https://`; undefined where nobody says it. */
  readonly url: string | undefined;
  /** Undefined where only the URL is known: then it is in the account of the role that is asked for. */
  readonly arn: string | undefined;
  readonly clientIds: readonly string[] | undefined;
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
}

/** A role as its files say it: the AWS CLI's input files and its policies. */
export interface RenderedRole {
  /** `<secret namespace>/<secret name>`, as the description has it, or the name of its directory. */
  readonly key: string;
  readonly name: string;
  readonly arn: string;
  readonly trust: JsonReading;
  readonly permissions: JsonReading;
  readonly managedPolicyArns: readonly string[];
  readonly permissionsBoundaryArn: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number | undefined;
}

/** What was rendered for a cluster on AWS, as it stands in files, whoever wrote them last. */
export interface RenderedCluster {
  readonly region: string | undefined;
  /** The cluster's provider first, then those that it moves away from. */
  readonly providers: readonly Provider[];
  /** Sorted by key. */
  readonly roles: readonly RenderedRole[];
}

/** Reads what a package or an export holds for AWS; undefined where it holds no cluster that was rendered. */
export function readRendered(files: RenderedFiles): RenderedCluster | undefined {
  const facts = fileValue(files, "aws/cluster.json");
  // A package whose issuer others make has no facts of the cluster; its roles trust a provider of their own account.
  const trusted = facts === null ? trustedProviders(files) : [];
  const account = accountOf(facts) ?? accountOfAll(trusted);
  if (account === undefined) return undefined;
  const previous = listAt(facts, ["previousIssuers"]);
  const named = [facts, ...previous].map((one) => textAt(one, "identityProviderARN"));
  const [given, ...former] = facts === null ? trusted : named;
  return {
    region: textAt(facts, "region"),
    providers: [currentProvider(files, given, account), ...former.flatMap(providerOnly)],
    roles: rolesOf(files, account),
  };
}

type Account = { readonly accountId: string; readonly partition: string };

function accountOf(facts: Value): Account | undefined {
  const [accountId, partition] = [textAt(facts, "accountID"), textAt(facts, "partition")];
  return accountId === undefined || partition === undefined ? undefined : { accountId, partition };
}

function trustedProviders(files: RenderedFiles): string[] {
  const paths = [...files.keys()].filter((path) => /^aws\/roles\/[^/]+\/trust-policy\.json$/.test(path));
  const statements = paths.flatMap((path) => listAt(fileValue(files, path), ["Statement"]));
  return [...new Set(statements.map((one) => String(valueAt(one, ["Principal", "Federated"]))))];
}

// Where the ARNs differ in their account, or one is none, nothing is known.
function accountOfAll(arns: readonly string[]): Account | undefined {
  const accounts = new Set(arns.map((arn) => /^arn:[a-z-]+:iam::\d{12}(?=:)/.exec(arn)?.[0] ?? ""));
  const [, partition, , , accountId] = accounts.size === 1 ? ([...accounts][0] ?? "").split(":") : [];
  return accountId === undefined || partition === undefined ? undefined : { accountId, partition };
}

function currentProvider(files: RenderedFiles, given: string | undefined, account: Account): Provider {
  const create = fileValue(files, "aws/issuer/create-open-id-connect-provider.json");
  const url = textAt(create, "Url");
  const clientIds = valueAt(create, ["ClientIDList"]);
  const documents = {
    discovery: jsonOf(files, `aws/issuer/${discoveryPath.split("/").at(-1)}`),
    keys: jsonOf(files, `aws/issuer/${keysPath}`),
  };
  if (url !== undefined) {
    const ids = Array.isArray(clientIds) ? clientIds.filter((one) => typeof one === "string") : undefined;
    return { url: withoutScheme(url), arn: providerArn(account, url), clientIds: ids, ...documents };
  }
  return { ...(providerOnly(given)[0] ?? nothing), ...documents };
}

const nothing: Provider = {
  url: undefined,
  arn: undefined,
  clientIds: undefined,
  discovery: undefined,
  keys: undefined,
};

// A provider that exists already: its ARN names its URL, and nobody says its client IDs.
function providerOnly(arn: string | undefined): Provider[] {
  const url = /^arn:[a-z-]+:iam::\d{12}:oidc-provider\/(.+)$/.exec(arn ?? "")?.[1];
  return arn === undefined || url === undefined ? [] : [{ ...nothing, arn, url }];
}

function rolesOf(files: RenderedFiles, account: Account): RenderedRole[] {
  const stems = [...files.keys()].flatMap((path) => /^aws\/roles\/([^/]+)\/create-role\.json$/.exec(path)?.[1] ?? []);
  return stems
    .flatMap((stem) => {
      const directory = `aws/roles/${stem}`;
      const create = fileValue(files, `${directory}/create-role.json`);
      const name = textAt(create, "RoleName");
      if (name === undefined) return [];
      const duration = valueAt(create, ["MaxSessionDuration"]);
      return {
        key: /^OpenShift role for ([^/\s]+\/\S+)$/.exec(textAt(create, "Description") ?? "")?.[1] ?? stem,
        name,
        arn: roleArn(account, textAt(create, "Path") ?? "/", name),
        trust: jsonOf(files, `${directory}/trust-policy.json`) ?? { problem: "is missing" },
        permissions: jsonOf(files, `${directory}/permissions-policy.json`) ?? { problem: "is missing" },
        managedPolicyArns: attached(files, directory),
        permissionsBoundaryArn: textAt(create, "PermissionsBoundary"),
        maxSessionDuration: typeof duration === "number" ? duration : undefined,
      };
    })
    .sort((a, b) => compareText(a.key, b.key));
}

function attached(files: RenderedFiles, directory: string): string[] {
  const names = [...files.keys()].filter((path) => path.startsWith(`${directory}/attach-role-policy-`));
  return names.flatMap((path) => textAt(fileValue(files, path), "PolicyArn") ?? []).sort(compareText);
}

function jsonOf(files: RenderedFiles, path: string): JsonReading | undefined {
  const text = files.get(path);
  return text === undefined ? undefined : readJson(text);
}

function fileValue(files: RenderedFiles, path: string): Value {
  const read = jsonOf(files, path);
  return read !== undefined && "value" in read ? read.value : null;
}

function textAt(value: Value, field: string): string | undefined {
  const found = valueAt(value, [field]);
  return typeof found === "string" && found !== "" ? found : undefined;
}
