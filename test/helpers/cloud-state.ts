import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "./cluster-package.ts";
import { exportedJson, type ScriptsAws } from "./scripts-aws.ts";

/** The resources of an account of the kinds that the scripts create, without what AWS adds, such as times and IDs. */
export interface CloudState {
  readonly buckets: Record<string, Fields>;
  readonly providers: Record<string, Fields>;
  readonly roles: Record<string, Fields>;
}

/** Reads all of an account's buckets, providers and roles. */
export async function cloudState(aws: ScriptsAws, region = "us-east-2"): Promise<CloudState> {
  const ask = (...args: string[]) => aws.ok(args, region);
  const buckets: Record<string, Fields> = {};
  for (const { Name } of list(await ask("s3api", "list-buckets"), "Buckets")) {
    buckets[String(Name)] = await bucketState(aws, String(Name), region);
  }
  const providers: Record<string, Fields> = {};
  for (const { Arn } of list(await ask("iam", "list-open-id-connect-providers"), "OpenIDConnectProviderList")) {
    const found = await ask("iam", "get-open-id-connect-provider", "--open-id-connect-provider-arn", String(Arn));
    providers[String(Arn)] = providerFields({
      ...found,
      Url: `https://${String(found["Url"]).replace("https://", "")}`,
    });
  }
  const [details, plain] = await Promise.all([
    ask("iam", "get-account-authorization-details", "--filter", "Role"),
    ask("iam", "list-roles"),
  ]);
  const roles: Record<string, Fields> = {};
  for (const detail of list(details, "RoleDetailList")) {
    const role = list(plain, "Roles").find(({ RoleName }) => RoleName === detail["RoleName"]);
    roles[String(detail["RoleName"])] = roleFields({ ...role, ...detail });
  }
  return { buckets, providers, roles };
}

async function bucketState(aws: ScriptsAws, name: string, region: string): Promise<Fields> {
  const part = async (call: string, ...more: string[]): Promise<Fields> => {
    const { status, stdout } = await aws.call(["s3api", call, "--bucket", name, ...more], region);
    return status === 0 && stdout !== "" ? (JSON.parse(stdout) as Fields) : {};
  };
  const [tags, policy, block, location, objects] = await Promise.all([
    part("get-bucket-tagging"),
    part("get-bucket-policy"),
    part("get-public-access-block"),
    part("get-bucket-location"),
    part("list-objects-v2"),
  ]);
  const documents: Record<string, Fields> = {};
  for (const { Key, ETag } of list(objects, "Contents")) {
    const { ContentType } = await part("head-object", "--key", String(Key));
    documents[String(Key)] = { digest: String(ETag).replaceAll('"', ""), ContentType };
  }
  return {
    location: location["LocationConstraint"] ?? "us-east-1",
    tags: byKey(tags["TagSet"]),
    policy: policy["Policy"] === undefined ? undefined : JSON.parse(String(policy["Policy"])),
    block: block["PublicAccessBlockConfiguration"],
    documents,
  };
}

/** What an account holds after an export was applied to it, read off the exported files. */
export function exportedState(out: string): CloudState {
  const { region, identityProviderARN } = exportedJson(out, "cluster.json");
  const issuer = (name: string) => exportedJson(out, `issuer/${name}`);
  const documents: Record<string, Fields> = {};
  for (const name of ["openid-configuration", "keys"]) {
    const { Key, ContentType } = issuer(`put-object-${name}.json`);
    const body = readFileSync(join(out, "aws/issuer", name === "keys" ? "keys.json" : name));
    documents[String(Key)] = { digest: createHash("md5").update(body).digest("hex"), ContentType };
  }
  const bucket = {
    location: region,
    tags: byKey((issuer("put-bucket-tagging.json")["Tagging"] as Fields)["TagSet"]),
    policy: issuer("bucket-policy.json"),
    block: issuer("put-public-access-block.json")["PublicAccessBlockConfiguration"],
    documents,
  };
  const roles = exportedRoles(out).map((baseName) => exportedRole(out, baseName));
  return {
    buckets: { [String(issuer("create-bucket.json")["Bucket"])]: bucket },
    providers: { [String(identityProviderARN)]: providerFields(issuer("create-open-id-connect-provider.json")) },
    roles: Object.fromEntries(roles),
  };
}

/** The names of the directories of an export's roles. */
export function exportedRoles(out: string): string[] {
  const directory = join(out, "aws/roles");
  return existsSync(directory) ? readdirSync(directory).sort() : [];
}

function exportedRole(out: string, baseName: string): [string, Fields] {
  const json = (name: string) => exportedJson(out, `roles/${baseName}/${name}`);
  const { AssumeRolePolicyDocument, PermissionsBoundary, ...role } = json("create-role.json");
  const files = readdirSync(join(out, "aws/roles", baseName));
  const attached = files.filter((name) => name.startsWith("attach-role-policy-"));
  const state = roleFields({
    ...role,
    AssumeRolePolicyDocument: json("trust-policy.json"),
    ...(PermissionsBoundary === undefined
      ? {}
      : { PermissionsBoundary: { PermissionsBoundaryArn: PermissionsBoundary } }),
    RolePolicyList: [
      { PolicyName: json("put-role-policy.json")["PolicyName"], PolicyDocument: json("permissions-policy.json") },
    ],
    AttachedManagedPolicies: attached.map(json),
  });
  return [String(role["RoleName"]), state];
}

function roleFields(role: Fields): Fields {
  const { Path, Description, MaxSessionDuration, AssumeRolePolicyDocument, PermissionsBoundary } = role;
  const inline = list(role, "RolePolicyList").map(({ PolicyName, PolicyDocument }) => [PolicyName, PolicyDocument]);
  return {
    Path,
    Description,
    MaxSessionDuration,
    trust: AssumeRolePolicyDocument,
    boundary: (PermissionsBoundary as Fields | undefined)?.["PermissionsBoundaryArn"],
    tags: byKey(role["Tags"]),
    inline: Object.fromEntries(inline),
    attached: list(role, "AttachedManagedPolicies")
      .map(({ PolicyArn }) => PolicyArn)
      .sort(),
  };
}

function providerFields({ Url, ClientIDList, ThumbprintList = [], Tags }: Fields): Fields {
  return { Url, ClientIDList, ThumbprintList, tags: byKey(Tags) };
}

// The emulated S3 omits empty values.
function byKey(tags: unknown): Fields {
  return Object.fromEntries(((tags ?? []) as Fields[]).map(({ Key, Value = "" }) => [Key, Value]));
}

function list(answer: Fields, name: string): Fields[] {
  return (answer[name] ?? []) as Fields[];
}
