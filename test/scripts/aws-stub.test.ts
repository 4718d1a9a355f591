import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type How, StubAws } from "../helpers/aws-stub/index.ts";
import { run } from "../helpers/programs.ts";
import { temporary, writeTree } from "../helpers/temporary.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const region = { AWS_DEFAULT_REGION: "us-east-2" };

function call(args: readonly string[], options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {}) {
  return aws.run("aws", args, { ...options, env: options.env ?? region });
}

/** What a call says that must succeed. */
function ok(args: readonly string[]) {
  const { status, stdout, stderr } = call(args);
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout === "" ? undefined : JSON.parse(stdout);
}

/** The code of the error of a call that AWS must refuse. */
function refused(args: readonly string[]) {
  const { status, stdout, stderr } = call(args);
  expect({ status, stdout }, args.join(" ")).toEqual({ status: 255, stdout: "" });
  return /^\nAn error occurred \((\w+)\) when calling the \w+ operation/.exec(stderr)?.[1];
}

const trust = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Federated: "x" }, Action: "sts:AssumeRoleWithWebIdentity" }],
});
const role = ["iam", "create-role", "--role-name", "r", "--assume-role-policy-document", trust];
const getRole = ["iam", "get-role", "--role-name", "r"];
const bucket = ["--bucket", "bucket"];

describe("what is printed", () => {
  it("is JSON, or a query's text, byte by byte", () => {
    expect(call(["sts", "get-caller-identity", "--query", "Account", "--output", "text"]).stdout).toBe(
      "123456789012\n",
    );
    expect(call(["sts", "get-caller-identity", "--query", "[Account,Nothing]", "--output=text"]).stdout).toBe(
      "123456789012\tNone\n",
    );
    expect(call(["sts", "get-caller-identity", "--query", "Account"]).stdout).toBe('"123456789012"\n');
    expect(call(["cloudfront", "list-distributions"])).toMatchObject({ status: 0, stdout: "" });
  });

  it("is a page's at a time, as text", () => {
    aws.reset({ roles: { a: {}, b: {}, c: {} } });
    aws.settings({ page: 2 });
    const query = ["iam", "list-roles", "--query", "Roles[?RoleName=='c'].RoleName | [0]", "--output"];
    expect(call([...query, "text"]).stdout).toBe("None\nc\n");
    expect(call([...query, "json"]).stdout).toBe('"c"\n');
  });

  it("is bytes of an object, and a text with every character", () => {
    aws.reset({ buckets: { bucket: { objects: { key: { body: "base64:AAH/", headers: {}, metadata: {} } } } } });
    const cwd = temporary();
    const { status } = call(["s3api", "get-object", ...bucket, "--key", "key", "out"], { cwd });
    expect(status).toBe(0);
    expect([...readFileSync(join(cwd, "out"))]).toEqual([0, 1, 255]);
    const tags = ["--tagging", `TagSet=[{Key=k,Value="ü, \\"x\\" y"}]`];
    ok(["s3api", "put-bucket-tagging", ...bucket, ...tags]);
    expect(ok(["s3api", "get-bucket-tagging", ...bucket])).toEqual({ TagSet: [{ Key: "k", Value: 'ü, "x" y' }] });
  });
});

describe("arguments", () => {
  it("come from files, from standard input and from JSON, and options go first", () => {
    const cwd = temporary();
    writeTree(cwd, { "in.json": JSON.stringify({ RoleName: "s", Description: "d" }), "trust.json": trust });
    const input = ["--cli-input-json", "file://in.json", "--assume-role-policy-document", "file://trust.json"];
    expect(call(["iam", "create-role", ...input, "--role-name", "r"], { cwd })).toMatchObject({ status: 0 });
    expect(aws.state().roles).toMatchObject({ r: { description: "d" } });
    aws.change({ buckets: { bucket: {} } });
    call(["s3api", "put-object", ...bucket, "--key", "k", "--body", "/dev/stdin"], { input: "text" });
    expect(aws.state().buckets["bucket"]?.objects["k"]?.body).toBe("text");
  });

  it.each([
    [["iam", "get-role"], 2, "the following arguments are required: --role-name"],
    [["iam", "get-role", "--role-name"], 2, "argument --role-name: expected one argument"],
    [[...getRole, "--nothing", "x"], 255, "Unknown options: --nothing, x"],
    [[...getRole, "--no-cli-pager"], 255, "Unknown options: --no-cli-pager"],
    [
      ["iam", "get-role", "--role-name", ""],
      255,
      "Invalid length for parameter RoleName, value: 0, valid min length: 1",
    ],
    [["iam", "get-role", "--cli-input-json", '{"Role":"x"}'], 255, 'Missing required parameter in input: "RoleName"'],
    [["iam", "create-role", "--cli-input-json", "file://no"], 255, "Unable to load paramfile file://no"],
    [["iam", "list-roles", "--query", "Roles[].{a"], 255, "Bad value for --query Roles[].{a"],
    [["iam", "list-users"], 70, 'no operation "iam list-users"'],
  ])("%j are refused", (args, status, message) => {
    const done = call(args);
    expect(done).toMatchObject({ status, stdout: "" });
    expect(done.stderr).toContain(message);
    expect(aws.calls()).toMatchObject([{ args, error: status === 70 ? "not-covered" : "client" }]);
  });

  it("are those of version 2, when that is asked for", () => {
    aws.settings({ cli: 2 });
    expect(call([...getRole, "--no-cli-pager"]).status).toBe(254);
    expect(call(["iam", "get-role"]).status).toBe(252);
  });
});

describe("buckets", () => {
  const create = ["s3api", "create-bucket", ...bucket];
  const at = (name: string) => ["--create-bucket-configuration", `LocationConstraint=${name}`];

  it("are made where the request and its endpoint agree", () => {
    expect(refused(create)).toBe("IllegalLocationConstraintException");
    expect(refused([...create, ...at("eu-west-1")])).toBe("IllegalLocationConstraintException");
    // Version 1 does not look at AWS_REGION, and asks us-east-1.
    expect(call([...create, ...at("us-east-1")], { env: { AWS_REGION: "us-east-2" } }).stderr).toContain(
      "InvalidLocationConstraint",
    );
    ok([...create, ...at("us-east-2")]);
    expect(refused([...create, ...at("us-east-2")])).toBe("BucketAlreadyOwnedByYou");
    expect(ok(["s3api", "get-bucket-location", ...bucket])).toEqual({ LocationConstraint: "us-east-2" });
    ok(["s3api", "create-bucket", "--bucket", "other", "--region", "us-east-1"]);
    ok(["s3api", "create-bucket", "--bucket", "other", "--region", "us-east-1"]);
  });

  it.each([true, false])("of others are not touched, open to all: %s", (open) => {
    aws.reset({ buckets: { bucket: { owner: "999999999999", open } } });
    const before = aws.state();
    const mine = [...bucket, "--expected-bucket-owner", "123456789012"];
    expect(refused(["s3api", "put-bucket-tagging", ...mine, "--tagging", "TagSet=[{Key=a,Value=b}]"])).toBe(
      "AccessDenied",
    );
    expect(refused(["s3api", "put-object", ...mine, "--key", "k"])).toBe("AccessDenied");
    expect(call(["s3api", "head-bucket", ...mine]).stderr).toBe(
      "\nAn error occurred (403) when calling the HeadBucket operation: Forbidden\n",
    );
    expect(aws.state()).toEqual(before);
    expect(refused([...create, ...at("us-east-2")])).toBe("BucketAlreadyExists");
    expect(aws.calls().map(({ foreign, changes }) => [foreign, changes])).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [true, true],
    ]);
    // Without the owner's number, nothing stops a write to a bucket that its owner opened.
    expect(call(["s3api", "put-object", ...bucket, "--key", "k"]).status).toBe(open ? 0 : 255);
  });

  it("are public only where that is not blocked, for the bucket and for the account", () => {
    ok([...create, ...at("us-east-2")]);
    const policy = {
      Statement: [{ Effect: "Allow", Principal: "*", Action: ["s3:GetObject"], Resource: "arn:aws:s3:::bucket/*" }],
    };
    const put = ["s3api", "put-bucket-policy", ...bucket, "--policy", JSON.stringify(policy)];
    expect(refused(put)).toBe("AccessDenied");
    const block = ["--public-access-block-configuration", "BlockPublicAcls=true,BlockPublicPolicy=false"];
    ok(["s3api", "put-public-access-block", ...bucket, ...block]);
    const { accountPublicAccessBlock } = aws.state();
    aws.change({ accountPublicAccessBlock: { ...accountPublicAccessBlock, BlockPublicPolicy: true } });
    expect(call(put).stderr).toContain("are blocked by the BlockPublicPolicy block public access setting");
    aws.change({ accountPublicAccessBlock });
    ok(put);
    expect(JSON.parse(ok(["s3api", "get-bucket-policy", ...bucket]).Policy).Statement).toMatchObject([
      { Action: "s3:GetObject" },
    ]);
  });

  it("keep the tags of AWS's own services", () => {
    const Tags = [{ Key: "aws:cloudformation:stack-name", Value: "x" }];
    aws.reset({ buckets: { bucket: { tags: Tags } } });
    const put = (tags: unknown[]) => [
      "s3api",
      "put-bucket-tagging",
      ...bucket,
      "--tagging",
      JSON.stringify({ TagSet: tags }),
    ];
    expect(refused(put([]))).toBe("InvalidTag");
    expect(refused(put([...Tags, { Key: "aws:x", Value: "" }]))).toBe("InvalidTag");
    ok(put([...Tags, { Key: "a", Value: "" }]));
  });

  it("keep their objects until these are deleted", () => {
    aws.reset({ buckets: { bucket: {} } });
    ok(["s3api", "put-object", ...bucket, "--key", "k"]);
    expect(refused(["s3api", "put-object", ...bucket, "--key", "k", "--if-none-match", "*"])).toBe(
      "PreconditionFailed",
    );
    expect(refused(["s3api", "delete-bucket", ...bucket])).toBe("BucketNotEmpty");
    ok(["s3api", "delete-object", ...bucket, "--key", "k"]);
    ok(["s3api", "delete-bucket", ...bucket]);
    expect(aws.state().buckets).toEqual({});
  });
});

describe("distributions", () => {
  const config = (Origin: Record<string, string>) => ({
    CallerReference: "once",
    Comment: "",
    Enabled: true,
    Origins: {
      Quantity: 1,
      Items: [
        {
          Id: "o",
          DomainName: "bucket.s3.us-east-2.amazonaws.com",
          S3OriginConfig: { OriginAccessIdentity: "" },
          ...Origin,
        },
      ],
    },
    DefaultCacheBehavior: { TargetOriginId: "o", ViewerProtocolPolicy: "https-only", CachePolicyId: "x" },
  });
  const create = (given: unknown) => {
    const whole = { DistributionConfig: given, Tags: { Items: [{ Key: "a", Value: "b" }] } };
    return ["cloudfront", "create-distribution-with-tags", "--distribution-config-with-tags", JSON.stringify(whole)];
  };
  const control = [
    "cloudfront",
    "create-origin-access-control",
    "--origin-access-control-config",
    "Name=n,SigningProtocol=sigv4,SigningBehavior=always,OriginAccessControlOriginType=s3",
  ];

  it("are made, changed and deleted in the order that CloudFront wants", () => {
    expect(refused(create(config({ OriginAccessControlId: "NOTHERE" })))).toBe("InvalidOriginAccessControl");
    const { OriginAccessControl, ETag: tagOfControl } = ok(control);
    expect(refused(control)).toBe("OriginAccessControlAlreadyExists");
    const { Distribution } = ok(create(config({ OriginAccessControlId: OriginAccessControl.Id })));
    expect(Distribution.Id).toMatch(/^[A-Z0-9]+$/);
    const id = ["--id", Distribution.Id];
    const status = () => ok(["cloudfront", "get-distribution", ...id]).Distribution.Status;
    expect([status(), status(), status()]).toEqual(["InProgress", "InProgress", "Deployed"]);

    const { ETag, DistributionConfig } = ok(["cloudfront", "get-distribution-config", ...id]);
    const remove = (tag: string) => ["cloudfront", "delete-distribution", ...id, "--if-match", tag];
    expect(refused(remove(ETag))).toBe("DistributionNotDisabled");
    const update = (tag: string, changes: object) => [
      ...["cloudfront", "update-distribution", ...id, "--if-match", tag],
      ...["--distribution-config", JSON.stringify({ ...DistributionConfig, ...changes })],
    ];
    expect(refused(update("EOLD", {}))).toBe("PreconditionFailed");
    expect(refused(update(ETag, { CallerReference: "twice" }))).toBe("IllegalUpdate");
    const { ETag: next } = ok(update(ETag, { Enabled: false }));
    expect(next).not.toBe(ETag);
    expect(refused(remove(next))).toBe("DistributionNotDisabled");
    while (status() !== "Deployed") status();
    const removeControl = ["cloudfront", "delete-origin-access-control", "--id", OriginAccessControl.Id];
    expect(refused([...removeControl, "--if-match", tagOfControl])).toBe("OriginAccessControlInUse");
    ok(remove(next));
    ok([...removeControl, "--if-match", tagOfControl]);
    expect(refused(create(config({})))).toBe("DistributionAlreadyExists");
    expect(aws.state()).toMatchObject({ distributions: {}, originAccessControls: {} });
  });

  it("have tags", () => {
    const { ARN } = ok(create(config({}))).Distribution;
    const tags = ["--resource", ARN, "--tags", "Items=[{Key=a,Value=c},{Key=d,Value=e}]"];
    ok(["cloudfront", "tag-resource", ...tags]);
    ok(["cloudfront", "untag-resource", "--resource", ARN, "--tag-keys", "Items=d"]);
    expect(ok(["cloudfront", "list-tags-for-resource", "--resource", ARN])).toEqual({
      Tags: { Items: [{ Key: "a", Value: "c" }] },
    });
  });

  it("are not for the credentials of another partition", () => {
    aws.reset({ partition: "aws-us-gov" });
    const env = { AWS_DEFAULT_REGION: "us-gov-west-1" };
    expect(call(["sts", "get-caller-identity"], { env }).status).toBe(0);
    expect(call(["cloudfront", "list-distributions"], { env }).stderr).toContain("InvalidClientTokenId");
    expect(refused(["sts", "get-caller-identity"])).toBe("InvalidClientTokenId");
  });
});

describe("faults", () => {
  const script = [
    "set -e",
    `before=$(aws iam list-roles --query 'length(Roles)' --output text)`,
    `make() { aws "$@"; }`,
    'made=$(make "$@") || { echo "failed $?"; exit 1; }',
    "echo done",
  ].join("\n");

  it.each<[How, string, NodeJS.Signals | null, boolean]>([
    ["refused", "failed 255\n", null, false],
    ["unavailable", "failed 255\n", null, false],
    ["lost", "failed 255\n", null, true],
    ["lost-and-retried", "failed 255\n", null, true],
    ["killed-before", "", "SIGKILL", false],
    ["killed-after", "", "SIGKILL", true],
  ])("%s", (how, stdout, signal, done) => {
    aws.failAt(2, how);
    const ended = aws.run("bash", ["-c", script, "bash", ...role], { env: region });
    expect(ended).toMatchObject({ stdout, signal });
    expect(Object.keys(aws.state().roles)).toEqual(done ? ["r"] : []);
    expect(aws.calls().map(({ operation }) => operation)).toEqual(["ListRoles", "CreateRole"]);
    aws.failAt(2, how);
    expect([call(getRole).status, call(getRole).signal]).toEqual([done ? 0 : 255, signal]);
  });

  it("kill nothing but the script: not a caller in the process group of the tests", () => {
    aws.failAt(1, "killed-before");
    const { status, stderr } = run("aws", role, { env: { ...aws.environment, ...region } });
    expect([status, stderr]).toEqual([70, "aws stand-in: its caller has no process group\n"]);
  });

  it("say what the CLI says", () => {
    const hows: How[] = ["refused", "unavailable", "lost", "lost-and-retried"];
    for (const [index, how] of hows.entries()) aws.failAt(index + 1, how);
    expect(hows.map(() => call(role).stderr.trim())).toEqual([
      "An error occurred (AccessDenied) when calling the CreateRole operation: Access Denied",
      "An error occurred (ServiceUnavailable) when calling the CreateRole operation (reached max retries: 4): Service Unavailable",
      'Connection was closed before we received a valid response from endpoint URL: "https://iam.amazonaws.com/".',
      "An error occurred (EntityAlreadyExists) when calling the CreateRole operation: Role with name r already exists.",
    ]);
  });

  it("lose a refusal as they lose an answer", () => {
    aws.failAt(1, "lost");
    expect(call(getRole).stderr).toContain("Connection was closed");
    expect(aws.state().roles).toEqual({});
  });

  it("hide a new role for a while", () => {
    aws.lag(2);
    ok(role);
    expect([refused(getRole), refused(getRole)]).toEqual(["NoSuchEntity", "NoSuchEntity"]);
    expect(refused(role)).toBe("EntityAlreadyExists");
    ok(getRole);
  });
});

describe("a policy", () => {
  const tagged = [...role, "--tags", "Key=owner,Value=me", "--permissions-boundary", "arn:aws:iam::aws:policy/B"];
  const allow = (Action: string, Resource: string, Condition = {}) => ({
    Effect: "Allow",
    Action,
    Resource,
    Condition,
  });
  const boundary = { ArnEquals: { "iam:PermissionsBoundary": "arn:aws:iam::aws:policy/B" } };
  const roles = "arn:aws:iam::123456789012:role/*";

  it.each<[string, unknown[], boolean]>([
    ["of all", [allow("*", "*")], true],
    ["of nothing", [], false],
    ["of both actions", [allow("iam:createrole", roles), allow("iam:Tag*", "*")], true],
    ["without the second action", [allow("iam:CreateRole", roles)], false],
    ["of other roles", [allow("iam:*", "arn:aws:iam::123456789012:role/ocp/*")], false],
    ["with the boundary", [allow("iam:CreateRole", "*", boundary), allow("iam:TagRole", "*")], true],
    ["with another", [allow("iam:*", "*", { StringEquals: { "iam:PermissionsBoundary": "x" } })], false],
    ["with the tag", [allow("iam:*", "*", { StringEquals: { "aws:RequestTag/owner": "me" } })], true],
    ["with its keys", [allow("iam:*", "*", { "ForAllValues:StringEquals": { "aws:TagKeys": ["a", "owner"] } })], true],
    ["with other keys", [allow("iam:*", "*", { "ForAllValues:StringLike": { "aws:TagKeys": "x*" } })], false],
    ["with an unknown condition key", [allow("iam:*", "*", { DateLessThan: { "aws:CurrentTime": "x" } })], false],
    ["that denies", [allow("*", "*"), { Effect: "Deny", Action: "iam:TagRole", Resource: "*" }], false],
  ])("%s", (_, Statement, allowed) => {
    aws.policy({ Version: "2012-10-17", Statement });
    const { status, stderr } = call(tagged);
    expect(status, stderr).toBe(allowed ? 0 : 255);
    if (!allowed)
      expect(stderr).toMatch(/\(AccessDenied\).*because no identity-based policy allows the iam:\w+ action/);
    expect(aws.usedActions()).toEqual(new Set(["iam:CreateRole", "iam:TagRole"]));
  });

  it("needs a role's boundary to change its policies", () => {
    ok(tagged);
    aws.policy({ Statement: [allow("iam:PutRolePolicy", "*", boundary)] });
    const put = ["iam", "put-role-policy", "--role-name", "r", "--policy-name", "p", "--policy-document"];
    ok([...put, JSON.stringify({ Statement: [allow("s3:*", "*")] })]);
    expect(refused(["iam", "delete-role-policy", "--role-name", "r", "--policy-name", "p"])).toBe("AccessDenied");
  });

  it("hides that an object is not there from who may not list", () => {
    aws.reset({ buckets: { bucket: {} } });
    aws.policy({ Statement: [allow("s3:GetObject", "*")] });
    const head = ["s3api", "head-object", ...bucket, "--key", "k"];
    expect(refused(head)).toBe("403");
    aws.policy({ Statement: [allow("s3:GetObject", "*"), allow("s3:ListBucket", "*")] });
    expect(refused(head)).toBe("404");
  });
});
