import { listAt, textAt, type Value, valueAt } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { counted } from "../../core/words.ts";
import { discoveryPath, keysPath } from "../../oidc/issuer-url.ts";
import { clusterFile, fileIn, markIn } from "../rendered.ts";
import { bucketArn, readIamArn, roleArn } from "./cluster/resource-names.ts";
import { discoveryFile, providerFile, roleFiles } from "./rendered/facts.ts";

/** What a package wants in an account: facts about the cluster, and the resources in the order of their creation. */
export interface AwsResources {
  readonly facts: ResourceFacts;
  readonly wanted: readonly WantedResource[];
  /** The documents of an issuer that is hosted elsewhere, by URL. */
  readonly documents: ReadonlyMap<string, string>;
}

/** What `cluster.json` contains, and what follows from it. */
export interface ResourceFacts {
  readonly accountId: string;
  readonly partition: string;
  readonly region: string;
  readonly prefix: string;
  /** The key of the tag that marks what the package owns, and its value. */
  readonly ownerTag: string;
  readonly ownerMark: string;
  /** The bucket with the documents; undefined if they are published elsewhere. */
  readonly bucket: string | undefined;
  /** The ARN of the issuer's provider; undefined until CloudFront has assigned the issuer's domain. */
  readonly provider: string | undefined;
  /** The domain that CloudFront assigned to the distribution, if the package contains it. */
  readonly assignedDomain: string | undefined;
  /** The issuer's own domain, which the distribution serves. */
  readonly ownDomain: string | undefined;
  readonly previousIssuers: readonly FormerIssuer[];
}

/** An issuer that roles still trust, or trusted before, and what hosts its documents as far as its URL shows it. */
interface FormerIssuer {
  readonly provider: string;
  readonly bucket: string | undefined;
  /** Of a distribution. */
  readonly domain: string | undefined;
}

/** The kinds of resources, as people call them. */
export const kinds = {
  /** With its tags and its public access block. */
  bucket: "bucket",
  bucketPolicy: "bucket policy",
  document: "document",
  accessControl: "origin access control",
  distribution: "distribution",
  /** With its tags; its client IDs and thumbprints beside those of the package are kinds of their own. */
  provider: "provider",
  /** With its trust policy, permissions boundary and tags. */
  role: "role",
  inlinePolicy: "inline policy",
  attachedPolicy: "attached policy",
  /** Only in the cloud, never wanted as such: what others added, and what left the package. */
  clientId: "client ID",
  thumbprint: "thumbprint",
  publishedKey: "published key",
} as const;

const issuerDirectory = "aws/issuer";

type Files = ReadonlyMap<string, string>;

/**
 * The resources of a package. A body has the fields of the AWS API, those of several requests together; policy documents are
 * values. What AWS assigns is empty: the ID of the access control in the distribution, and that of the distribution at the end
 * of the ARN in the bucket policy.
 *
 * @param files the files of its bundle ConfigMaps, or of its export, by path; complete.
 */
export function awsResources(files: Files): AwsResources {
  const facts = factsOf(files);
  const issuer = issuerOf(files, facts);
  const needs = issuer.map(({ id }) => id);
  const parts = [...directoriesOf(files)].map(([directory, paths]) => roleParts(files, directory, paths, facts, needs));
  const wanted = [
    ...issuer,
    ...parts.map(({ role }) => role),
    ...parts.map(({ inline }) => inline),
    ...parts.flatMap(({ attached }) => attached),
  ];
  const { issuer: url } = fileIn(files, `${issuerDirectory}/${discoveryFile}`);
  const elsewhere = facts.bucket === undefined && typeof url === "string" ? [discoveryPath, keysPath] : [];
  const documents = new Map(elsewhere.map((path) => [`${url}/${path}`, textOf(files, path)]));
  return { facts, wanted, documents };
}

/** The directories of roles, sorted, and the paths of their files. */
function directoriesOf(files: Files): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of [...files.keys()].sort(compareText)) {
    const directory = /^aws\/roles\/[^/]+(?=\/)/.exec(path)?.[0];
    if (directory === undefined) continue;
    const paths = found.get(directory) ?? [];
    paths.push(path);
    found.set(directory, paths);
  }
  return found;
}

function factsOf(files: Files): ResourceFacts {
  const cluster = fileIn(files, `aws/${clusterFile}`);
  const fact = (name: string, of: Value = cluster) => textAt(of, [name]) || undefined;
  const aliases = listAt(distributionConfig(files), ["Aliases", "Items"]);
  return {
    accountId: fact("accountID") ?? "",
    partition: fact("partition") ?? "",
    region: fact("region") ?? "",
    prefix: fact("resourcePrefix") ?? "",
    ownerTag: fact("ownerTag") ?? "",
    ownerMark: markIn(cluster),
    bucket: fact("Bucket", fileIn(files, `${issuerDirectory}/create-bucket.json`)),
    provider: fact("identityProviderARN"),
    assignedDomain: fact("distributionDomain"),
    ownDomain: aliases.map(String)[0],
    previousIssuers: listAt(cluster, ["previousIssuers"]).map((one) => ({
      provider: fact("identityProviderARN", one) ?? "",
      bucket: fact("bucket", one),
      domain: fact("domain", one),
    })),
  };
}

/** The content of a document of the issuer, by its path below the issuer. */
function textOf(files: Files, path: string): string {
  return files.get(`${issuerDirectory}/${path.slice(path.lastIndexOf("/") + 1)}`) ?? "";
}

const distributionFile = `${issuerDirectory}/create-distribution-with-tags.json`;

function distributionConfig(files: Files): Value {
  return valueAt(fileIn(files, distributionFile), ["DistributionConfigWithTags", "DistributionConfig"]) ?? null;
}

function issuerOf(files: Files, facts: ResourceFacts): WantedResource[] {
  const { bucket, provider } = facts;
  const storage = bucket === undefined ? [] : storageOf(files, facts, bucket);
  if (provider === undefined) return storage;
  const isGiven = !files.has(`${issuerDirectory}/${providerFile}`);
  const body = isGiven ? {} : fileIn(files, `${issuerDirectory}/${providerFile}`);
  const needs = storage.map(({ id }) => id);
  const name = readIamArn(provider)?.providerUrl ?? provider;
  const one = { kind: kinds.provider, id: provider, name, needs, body, source: issuerDirectory };
  const kept = "spec.platform.aws.identityProviderARN names it, so only you remove it";
  return [...storage, isGiven ? { ...one, shared: true, kept } : one];
}

function storageOf(files: Files, { partition, assignedDomain }: ResourceFacts, name: string): WantedResource[] {
  const file = (one: string) => fileIn(files, `${issuerDirectory}/${one}`);
  const id = bucketArn(partition, name);
  const base = { name, source: issuerDirectory };
  const bucket: WantedResource = {
    ...{ ...base, kind: kinds.bucket, id, needs: [] },
    body: {
      ...file("create-bucket.json"),
      ...file("put-bucket-tagging.json"),
      ...file("put-public-access-block.json"),
    },
  };
  const isPublished = files.has(distributionFile);
  const control = `origin-access-control/${name}`;
  const distribution = `distribution/${name}`;
  const cloudFront: WantedResource[] = [
    { ...base, kind: kinds.accessControl, id: control, needs: [], body: file("create-origin-access-control.json") },
    {
      ...{ ...base, kind: kinds.distribution, id: distribution, needs: [id, control] },
      ...{ body: fileIn(files, distributionFile) },
      ...(assignedDomain === undefined ? {} : { assigned: { DomainName: assignedDomain } }),
    },
  ];
  const { ExpectedBucketOwner = "" } = bucket.body;
  const policy: WantedResource = {
    ...{ ...base, kind: kinds.bucketPolicy, id: `${id}#policy`, part: id },
    needs: isPublished ? [id, distribution] : [id],
    body: { Bucket: name, ExpectedBucketOwner, Policy: file("bucket-policy.json") },
  };
  const documents = [discoveryPath, keysPath].flatMap((path): WantedResource[] => {
    const input = file(`put-object-${path.replace(/^.*\//, "").replace(/\.json$/, "")}.json`);
    if (input["Key"] === undefined) return [];
    const body = { ...input, Body: textOf(files, path) };
    return [
      { ...base, kind: kinds.document, id: bucketArn(partition, name, path), name: path, needs: [id], part: id, body },
    ];
  });
  return [bucket, ...(isPublished ? cloudFront : []), policy, ...documents];
}

function roleParts(
  files: Files,
  source: string,
  paths: readonly string[],
  facts: ResourceFacts,
  issuer: readonly string[],
) {
  const file = (name: string) => fileIn(files, `${source}/${name}`);
  const create = file(roleFiles.create);
  const [name, path] = [textAt(create, ["RoleName"]), textAt(create, ["Path"])];
  const id = roleArn(facts, path, name);
  const body = { ...create, AssumeRolePolicyDocument: file(roleFiles.trust) };
  const trust = trustDetail(body.AssumeRolePolicyDocument);
  const role: WantedResource = { kind: kinds.role, id, name, needs: issuer, body, ...trust, source };
  const part = { needs: [id], part: id, source };
  const put = file("put-role-policy.json");
  const policy = textAt(put, ["PolicyName"]);
  const permissions = file(roleFiles.permissions);
  const inline: WantedResource = {
    ...{ kind: kinds.inlinePolicy, id: policyId(id, policy), name: partName(name, policy), ...part },
    ...{ body: { ...put, PolicyDocument: permissions }, ...permissionsDetail(permissions) },
  };
  const inputs = paths.filter((one) => one.startsWith(`${source}/attach-role-policy-`));
  const attached = inputs.map((input): WantedResource => {
    const [attach, arn] = [fileIn(files, input), textAt(fileIn(files, input), ["PolicyArn"])];
    const [key, called] = [policyId(id, arn), partName(name, arn)];
    const detail = `attached policy ${arn}`;
    return { kind: kinds.attachedPolicy, id: key, name: called, ...part, source: input, body: attach, detail };
  });
  return { role, inline, attached };
}

type Detail = Pick<WantedResource, "detail">;

/** How many service accounts a trust policy names; nothing if it also trusts by other conditions. */
function trustDetail(document: Value): Detail {
  const subjects = listAt(document, ["Statement"]).map((statement) => {
    const equal = Object.entries(valueAt(statement, ["Condition", "StringEquals"]) ?? {});
    return equal.filter(([key]) => key.endsWith(":sub")).flatMap(([, value]) => texts(value));
  });
  if (subjects.length === 0 || subjects.some(({ length }) => length === 0)) return {};
  return { detail: `trusts ${counted(new Set(subjects.flat()).size, "service account")}` };
}

/** How many actions a permissions policy allows; nothing if it allows everything but some. */
function permissionsDetail(document: Value): Detail {
  const allowed = listAt(document, ["Statement"]).filter((statement) => textAt(statement, ["Effect"]) === "Allow");
  const actions = allowed.map((statement) => texts(valueAt(statement, ["Action"])));
  if (actions.length === 0 || actions.some(({ length }) => length === 0)) return {};
  const all = new Set(actions.flat());
  const patterns = [...all].filter((action) => action.includes("*")).length;
  return { detail: `${counted(all.size, "permission")}${patterns === 0 ? "" : ` (${patterns} with *)`}` };
}

/** The texts of an element of a policy, which is one text or a list. */
function texts(value: Value | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

/** Identifies what a resource has: a policy of a role, by its name or ARN, a client ID of a provider. */
export function policyId(resource: string, policy: string): string {
  return `${resource}#${policy}`;
}

/** How people call what a resource has. */
export function partName(resource: string, part: string): string {
  return `${resource}: ${part}`;
}
