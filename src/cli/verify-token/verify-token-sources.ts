import { withoutScheme } from "../../clouds/aws/cluster/arn.ts";
import type { Provider } from "../../clouds/aws/rendered/rendered.ts";
import { type RoleToAssume, roleToAssume } from "../../clouds/aws/tokens/role-to-assume.ts";
import { finding } from "../../core/finding.ts";
import { didYouMean } from "../../core/nearest.ts";
import { type JsonReading, readJson } from "../../core/read-json.ts";
import { isMap, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { inputProblem, readDocument, readJsonFile } from "../files/input-file.ts";
import { readRenderedDirectory } from "../files/rendered-directory.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** Where the command line says that the AWS side of an exchange is found. */
export interface SourceFlags {
  readonly package?: string | undefined;
  readonly discovery?: string | undefined;
  readonly jwks?: string | undefined;
  readonly "provider-file"?: string | undefined;
  readonly "role-file"?: readonly string[] | undefined;
  readonly role?: string | undefined;
}

/** The AWS side of an exchange: who is asked, and what AWS would know. */
export interface Sources {
  readonly providers: readonly Provider[];
  readonly roles: readonly RoleToAssume[];
  /** Every role that is known, asked for or not. */
  readonly roleArns: readonly string[];
  /** The package's objects, for what must fit beside the exchange; undefined where there is no package. */
  readonly items: readonly Resource[] | undefined;
  readonly region: string | undefined;
}

/** Reads them: a package or an export, and files of a live cluster, each of which stands in for what the package says. */
export function readSources(flags: SourceFlags): Sources {
  const files = flags["role-file"] ?? [];
  if (flags.package === undefined && files.length === 0)
    throw new UsageError("--package DIR is required, or --role-file FILE with what `aws iam get-role` says");
  const rendered = flags.package === undefined ? undefined : readRenderedDirectory(flags.package);
  const all =
    files.length > 0
      ? files.map(readRoleFile)
      : (rendered?.cluster.roles ?? []).flatMap(({ arn, trust }) => roleToAssume(arn, trust) ?? []);
  return {
    providers: withFiles(rendered?.cluster.providers ?? [], flags),
    roles: chosen(all, flags.role),
    roleArns: all.map(({ arn }) => arn),
    items: rendered?.items,
    region: rendered?.cluster.region,
  };
}

const unknownProvider: Provider = {
  url: undefined,
  arn: undefined,
  clientIds: undefined,
  discovery: undefined,
  keys: undefined,
};

function withFiles(known: readonly Provider[], flags: SourceFlags): Provider[] {
  const path = flags["provider-file"];
  const [main = unknownProvider] = known;
  let providers = known.length > 0 ? [...known] : [unknownProvider];
  if (path !== undefined) {
    const given = readProviderFile(path);
    const same = known.find(({ url }) => url === given.url) ?? main;
    const others = known.filter(({ url }) => url !== given.url);
    providers = [{ ...given, discovery: same.discovery, keys: same.keys }, ...others.slice(same === main ? 1 : 0)];
  }
  const discovery = flags.discovery === undefined ? undefined : readDocument("--discovery", flags.discovery);
  const keys = flags.jwks === undefined ? undefined : readDocument("--jwks", flags.jwks);
  return providers.map((one) => ({ ...one, discovery: discovery ?? one.discovery, keys: keys ?? one.keys }));
}

/** What `aws iam get-open-id-connect-provider` says: the URL, with or without its scheme, and the client IDs. */
function readProviderFile(path: string): Provider {
  const value = readJsonFile("--provider-file", path);
  const url = valueAt(value, ["Url"]);
  const ids = valueAt(value, ["ClientIDList"]) ?? [];
  if (typeof url !== "string" || !Array.isArray(ids) || !ids.every((one) => typeof one === "string")) {
    const problem =
      'is not the output of `aws iam get-open-id-connect-provider`: it must have "Url" and "ClientIDList"';
    throw inputProblem("--provider-file", path, problem);
  }
  return { ...unknownProvider, url: withoutScheme(url), clientIds: ids as readonly string[] };
}

/** What `aws iam get-role` says: the CLI gives the trust policy as an object, the API as URL-encoded JSON (RFC 3986). */
function readRoleFile(path: string): RoleToAssume {
  const value = readJsonFile("--role-file", path);
  const role = valueAt(value, ["Role"]) ?? value;
  const arn = valueAt(role, ["Arn"]);
  const policy = valueAt(role, ["AssumeRolePolicyDocument"]);
  const found = typeof arn === "string" && policy !== undefined ? roleToAssume(arn, trustOf(policy)) : undefined;
  if (found === undefined) {
    const problem =
      'is not the output of `aws iam get-role`: it must have "Role" with "Arn" and "AssumeRolePolicyDocument"';
    throw inputProblem("--role-file", path, problem);
  }
  return found;
}

function trustOf(policy: Value): JsonReading {
  if (isMap(policy)) return { value: policy };
  if (typeof policy !== "string") return { problem: "is neither an object nor a text" };
  if (policy.trimStart().startsWith("{")) return readJson(policy);
  try {
    return readJson(decodeURIComponent(policy));
  } catch {
    return { problem: "is not URL-encoded JSON" };
  }
}

function chosen(all: readonly RoleToAssume[], wanted: string | undefined): readonly RoleToAssume[] {
  if (all.length === 0)
    throw new UsageError("the package has no roles; while the issuer is not known, nothing can trust its tokens");
  if (wanted === undefined) return all;
  const found = all.filter(({ arn, name }) => wanted === arn || wanted === name);
  if (found.length > 0) return found;
  const names = all.map((one) => (wanted.startsWith("arn:") ? one.arn : one.name));
  const message = `There is no role ${quote(wanted)} here${didYouMean(wanted, names)}.`;
  throw new FindingsError([finding("error", "role-not-found", message)]);
}
