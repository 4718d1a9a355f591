import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { optionOf, shapeOf } from "../../helpers/amazon/parameters.mjs";
import { services } from "../../helpers/aws-stub/execute.mjs";
import { StubAws } from "../../helpers/aws-stub/index.ts";
import { MadeUpAws, twoAtATime } from "../../helpers/moto.ts";
import { describeWith } from "../../helpers/need.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

// The stand-in is held to the real AWS CLI: to its parameters, and to what it says of a made-up AWS.

let real: MadeUpAws;
let stub: StubAws;

describeWith(["aws", "moto_server"], "the stand-in is like the AWS CLI", () => {
  beforeAll(async () => {
    [real, stub] = await Promise.all([MadeUpAws.start({ withPolicies: true }), StubAws.start()]);
  });
  afterAll(async () => {
    await Promise.all([real?.stop(), stub?.stop()]);
  });

  it("knows no parameter of a change that the CLI does not know", async () => {
    const all = Object.entries(services).flatMap(([service, operations]) =>
      Object.entries(operations).map(([name, operation]) => ({ service, name, ...operation })),
    );
    const changes = all.filter((one) => one.changes === true);
    expect(changes.length).toBeGreaterThan(30);
    await twoAtATime(changes, async ({ service, name, parameters }) => {
      const skeleton = await real.ok([service, optionOf(name), "--generate-cli-skeleton"]);
      expect(pathsOf(skeleton), name).toEqual(expect.arrayContaining(namesIn(shapeOf(parameters))));
    });
  });

  it("says the same, call by call", async () => {
    await twoAtATime(sequences(), async (calls) => {
      const { directory: cwd, remove } = keptTemporary();
      writeFileSync(join(cwd, "body"), "text");
      for (const args of calls) {
        const theirs = await real.call(args, { cwd });
        const ours = stub.run("aws", args, { cwd, env: { AWS_DEFAULT_REGION: "us-east-2" } });
        expect(likeness(ours), args.join(" ")).toEqual(likeness(theirs));
      }
      remove();
    });
  });
});

/** Calls, in lists that do not touch each other. */
function sequences(): readonly (readonly (readonly string[])[])[] {
  const statement = { Effect: "Allow", Principal: { Federated: "x" }, Action: "sts:AssumeRoleWithWebIdentity" };
  const trust = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  const permissions = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: ["s3:Get*"], Resource: "*" }],
  });
  const iam = (operation: string, ...rest: string[]) => ["iam", operation, "--role-name", "r", ...rest];
  const policy = ["--policy-name", "p"];
  const create = ["--assume-role-policy-document", trust, "--tags", "Key=a,Value=b c", "Key=e,Value="];
  const managed = ["--policy-arn", "arn:aws:iam::aws:policy/ReadOnlyAccess"];
  const details = ["iam", "get-account-authorization-details", "--filter", "Role"];
  const arn = "arn:aws:iam::123456789012:oidc-provider/issuer.example.com/x";
  const provider = (operation: string, ...rest: string[]) => [
    ...["iam", operation, "--open-id-connect-provider-arn", arn],
    ...rest,
  ];
  const newProvider = ["iam", "create-open-id-connect-provider", "--url", "https://issuer.example.com/x"];
  const s3 = (operation: string, ...rest: string[]) => ["s3api", operation, "--bucket", "stand-in-bucket", ...rest];
  const blocks = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=false,RestrictPublicBuckets=false";
  const control = "Name=n,Description=d,SigningProtocol=sigv4,SigningBehavior=always,OriginAccessControlOriginType=s3";
  return [
    [
      s3("head-bucket"),
      s3("create-bucket"),
      s3("create-bucket", "--create-bucket-configuration", "Tags=[{Key=a}]"),
      s3("create-bucket", "--create-bucket-configuration", "LocationConstraint=us-east-2"),
      s3("create-bucket", "--create-bucket-configuration", "LocationConstraint=us-east-2"),
      s3("get-bucket-location"),
      s3("get-bucket-tagging"),
      s3("put-bucket-tagging", "--tagging", "TagSet=[{Key=a,Value=b}]"),
      s3("get-bucket-tagging"),
      s3("put-public-access-block", "--public-access-block-configuration", blocks),
      s3("get-public-access-block"),
      s3("delete-public-access-block"),
      s3("get-public-access-block"),
      s3("get-bucket-policy"),
      s3("list-objects-v2"),
      s3("put-object", "--key", "k", "--body", "body", "--content-type", "application/json", "--cache-control", "x"),
      s3("head-object", "--key", "k"),
      s3("get-object", "--key", "k", "out"),
      s3("list-objects-v2", "--query", "Contents[].[Key,Size]", "--output", "text"),
      s3("head-object", "--key", "other"),
      s3("get-object", "--key", "other", "out"),
      s3("delete-bucket"),
      s3("delete-object", "--key", "k"),
      s3("delete-bucket"),
    ],
    [
      iam("get-role"),
      iam("create-role", ...create),
      iam("create-role", ...create),
      iam("get-role"),
      iam("get-role", "--output", "text", "--query", "Role.[RoleName,MaxSessionDuration,Description,Tags]"),
      ["iam", "list-roles", "--output", "text", "--query", "Roles[].AssumeRolePolicyDocument"],
      iam("put-role-policy", ...policy, "--policy-document", permissions),
      iam("get-role-policy", ...policy),
      iam("delete-role"),
      iam("delete-role-policy", ...policy),
      iam("delete-role-policy", ...policy),
      iam("attach-role-policy", "--policy-arn", "arn:aws:iam::123456789012:policy/nothing"),
      iam("attach-role-policy", ...managed),
      iam("list-attached-role-policies"),
      [...details, "--query", "length(RoleDetailList[?RoleName=='none'])"],
      iam("detach-role-policy", ...managed),
      iam("tag-role", "--tags", "Key=x,Value=1", "Key=X,Value=2"),
      iam("untag-role", "--tag-keys", "a", "e"),
      iam("get-role"),
      iam("delete-role"),
    ],
    [
      ["iam", "get-role"],
      iam("get-role", "--nothing", "x"),
      iam("get-role", "--no-cli-pager"),
      ["iam", "get-role", "--role-name"],
      ["iam", "get-role", "--role-name", ""],
      ["iam", "get-role", "--cli-input-json", '{"RoleName":"r","Foo":1}'],
      ["iam", "get-role", "--cli-input-json", '{"RoleName":1}'],
      ["iam", "get-role", "--cli-input-json", "file://nothing.json"],
      iam("create-role", "--assume-role-policy-document", trust, "--tags", "Key=a,Other=b"),
      s3("put-bucket-tagging", "--tagging", "TagSet=[{Key=a,Value=b},{Key=c,Value=}]"),
      s3("get-object", "--key", "k"),
      s3("get-object", "--key", "k", "one", "two"),
    ],
    [
      ["iam", "list-open-id-connect-providers"],
      [...newProvider, "--client-id-list", "a", "b", "--thumbprint-list", "0".repeat(40)],
      [...newProvider, "--client-id-list", "a"],
      provider("tag-open-id-connect-provider", "--tags", "Key=a,Value=b"),
      provider("get-open-id-connect-provider"),
      provider("list-open-id-connect-provider-tags"),
      provider("get-open-id-connect-provider", "--query", "ClientIDList", "--output", "text"),
      provider("delete-open-id-connect-provider"),
      provider("get-open-id-connect-provider"),
    ],
    [
      ["cloudfront", "list-distributions"],
      ["cloudfront", "create-origin-access-control", "--origin-access-control-config", control],
      ["cloudfront", "list-origin-access-controls"],
      ["cloudfront", "get-origin-access-control", "--id", "NOTHING"],
      ["cloudfront", "get-distribution", "--id", "NOTHING"],
      ["cloudfront", "create-origin-access-control", "--origin-access-control-config", "Name=n"],
    ],
  ];
}

/** What of a run must be the same: all but what is made up, and the words of AWS. */
function likeness({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) {
  const message = stderr
    .replace(/^usage: .*?(?=aws: error|\n\nUnknown)/s, "")
    .replace(/(operation[^:]*|Expected): .*/s, "$1");
  const isJson = stdout.startsWith("{");
  return {
    status,
    message: message.trim(),
    stdout: isJson ? "" : stdout,
    paths: isJson ? pathsOf(JSON.parse(stdout)).filter((path) => !saidByOne.test(path)) : [],
  };
}

// What only the made-up AWS says, or only the real one and the stand-in.
const saidByOne = /^\.Location$|RoleLastUsed|BucketArn|ServerSideEncryption|Checksum/;

function pathsOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((value) => pathsOf(value, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [`${at}.${name}`, ...pathsOf(one, `${at}.${name}`)]);
}

function namesIn(shape: ReturnType<typeof shapeOf>, at = ""): string[] {
  if (shape.item !== undefined) return namesIn(shape.item, `${at}[]`);
  return [...(shape.members ?? [])].flatMap(([name, one]) => [`${at}.${name}`, ...namesIn(one, `${at}.${name}`)]);
}
