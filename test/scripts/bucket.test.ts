import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { awsOf } from "../helpers/cluster-package.ts";
import { account, bucket, copied, exported, inFront, Operator, roles, said } from "../helpers/exported-package.ts";

let aws: StubAws;
let out: string;
let operator: Operator;
beforeAll(async () => {
  aws = await StubAws.start();
  out = exported();
  operator = new Operator(aws, out);
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const changing = () => aws.calls().filter(({ changes }) => changes);

describe("a bucket of another account", () => {
  const seed = { buckets: { [bucket]: { owner: "999999999999", open: true } } };

  it.each([
    ["apply.sh", []],
    ["apply.sh", ["--adopt", bucket]],
    ["apply.sh", ["--dry-run"]],
    ["status.sh", []],
    ["destroy.sh", ["--yes"]],
  ])("is never written to: %s %j", (script, flags) => {
    aws.reset(seed);
    const before = aws.state();
    const { status, stderr } = operator.run(script, flags);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: the bucket ${bucket} belongs to another account, or these credentials may not read it; nothing was written to it. To use another name, set spec.platform.aws.issuerHosting.bucket\n`,
    });
    expect(changing()).toEqual([]);
    expect(aws.state()).toEqual(before);
  });

  it("that was created a moment ago is not written to either", () => {
    // Another account takes the name between the check and the creation.
    const taken = JSON.stringify({ ask: "change", argument: seed });
    const env = inFront(
      aws,
      `case "$*" in *create-bucket*) printf %s '${taken}' | "$stub" --stub-control ;; esac\nexec "$stub" "$@"`,
    );
    const { status, stderr } = new Operator(aws, copied(out), env).apply();
    expect(status).toBe(1);
    expect(stderr).toContain("error: aws s3api create-bucket: An error occurred (BucketAlreadyExists)");
    expect(changing().map(({ operation }) => operation)).toEqual(["CreateBucket"]);
    expect(aws.state().buckets[bucket]).toMatchObject({ owner: "999999999999", objects: {} });
    expect(operator.apply()).toMatchObject({ status: 1 });
    expect(changing()).toHaveLength(1);
  });
});

describe("a new bucket", () => {
  const created = () => {
    const calls = changing().filter(({ operation }) => /^(?:Create|Put)Bucket(?:Tagging)?$/.test(operation));
    return calls.map(({ operation, error }) => (error === undefined ? operation : `${operation} ${error}`));
  };

  it("is created with its tags in one request, as organizations require", () => {
    const owner = "openshift.io/cloud-credential-operator/demo";
    aws.policy({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: "*", Resource: "*" },
        {
          Effect: "Deny",
          Action: "s3:CreateBucket",
          Resource: "*",
          Condition: { Null: { [`aws:RequestTag/${owner}`]: "true" } },
        },
      ],
    });
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(created()).toEqual(["CreateBucket"]);
    const tagged = aws.state();
    expect(tagged.buckets[bucket]?.tags).toContainEqual({ Key: owner, Value: "owned" });

    // An older AWS CLI does not support tags there, and sends nothing.
    aws.reset();
    aws.settings({ bucketTags: false });
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(created()).toEqual(["CreateBucket client", "CreateBucket", "PutBucketTagging"]);
    expect(aws.state()).toEqual(tagged);
  });

  it.each(["MalformedXML", "NotImplemented"])("gets its tags later where S3 answers %s", (code) => {
    const error = `An error occurred (${code}) when calling the CreateBucket operation: no`;
    const script = `case "$*" in *create-bucket*'"Tags"'*) echo '${error}' >&2; exit 254 ;; esac\nexec "$stub" "$@"`;
    expect(new Operator(aws, copied(out), inFront(aws, script)).apply()).toMatchObject({ status: 0, stderr: "" });
    expect(created()).toEqual(["CreateBucket", "PutBucketTagging"]);
    expect(operator.status().status).toBe(0);
  });

  it("gets its tags later where the caller may not tag yet, under the policy of an older export", () => {
    aws.policy({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: "*", Resource: "*" },
        { Effect: "Deny", Action: "s3:TagResource", Resource: "*" },
      ],
    });
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(created()).toEqual(["CreateBucket AccessDenied", "CreateBucket", "PutBucketTagging"]);
  });

  it("has no location constraint in us-east-1, where naming it is an error", () => {
    const region = exported((spec) => void Object.assign(awsOf(spec), { region: "us-east-1" }));
    expect(new Operator(aws, region).apply()).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(changing()[0]?.parameters.CreateBucketConfiguration)).toEqual(["Tags"]);
  });
});

describe("a bucket without tags", () => {
  const refusal = `refused       bucket ${bucket}: it already exists without the owner tag, so it is not touched. To adopt it, run: apply.sh --adopt ${bucket}`;

  /** Kills the script after the bucket is created, before it is tagged. @returns the export that it was run from. */
  function interrupted(from: string): Operator {
    const operator = new Operator(aws, from);
    aws.settings({ bucketTags: false });
    aws.failAt(5, "killed-after");
    expect(operator.apply().signal).toBe("SIGKILL");
    expect(aws.calls().at(-1)).toMatchObject({ operation: "CreateBucket" });
    expect(aws.state().buckets[bucket]?.tags).toBeUndefined();
    return operator;
  }

  it("belongs to the script if a marker file says so", () => {
    const operator = interrupted(copied(out));
    expect(operator.notes()).toEqual([`.creating-${bucket}`]);
    expect(operator.status().status).toBe(2);
    expect(operator.apply()).toMatchObject({ status: 0 });
    expect(operator.notes()).toEqual([]);
    expect(operator.status().status).toBe(0);
  });

  it("is treated as foreign if the export was deleted, until --adopt names it", () => {
    const operator = interrupted(copied(out));
    rmSync(join(operator.out, "aws", `.creating-${bucket}`));
    const { status, stderr, lines } = said(operator.apply());
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(lines).toContain(refusal);
    expect(changing().map(({ operation, error }) => [operation, error])).toEqual([
      ["CreateBucket", "client"],
      ["CreateBucket", undefined],
    ]);
    expect(operator.apply("--adopt", bucket)).toMatchObject({ status: 0 });
    expect(operator.apply()).toMatchObject({ status: 0, stdout: expect.stringContaining("No changes: ") });
  });

  it("is created from a read-only export without an error", () => {
    const from = copied(out);
    chmodSync(join(from, "aws"), 0o555);
    try {
      expect(new Operator(aws, from).apply()).toMatchObject({ status: 0, stderr: "" });
    } finally {
      chmodSync(join(from, "aws"), 0o755);
    }
  });
});

describe("Block Public Access for the whole account", () => {
  it("is reported with the fix, and the script stops", () => {
    aws.reset({ accountPublicAccessBlock: { ...aws.state().accountPublicAccessBlock, BlockPublicPolicy: true } });
    const { status, stderr } = operator.apply();
    expect(status).toBe(1);
    expect(stderr).toContain(
      "note: Block Public Access is enabled for the whole account or organization, so its buckets cannot be public. Use the hosting type S3CloudFront.\n",
    );
    expect(stderr).toContain("error: aws s3api put-bucket-policy: An error occurred (AccessDenied)");
    expect(Object.keys(aws.state().providers)).toEqual([]);
  });
});

describe("a bucket in another region", () => {
  it("is not moved", () => {
    const tags = [{ Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" }];
    aws.reset({ buckets: { [bucket]: { region: "eu-west-1", tags } } });
    expect(operator.apply()).toMatchObject({
      status: 1,
      stderr: `error: the bucket ${bucket} is in the region eu-west-1, but the package is for us-east-2; a bucket cannot be moved\n`,
    });
    expect(changing()).toEqual([]);
  });

  it("is not moved if an older AWS CLI does not report the region with the bucket", () => {
    const older = `case "$*" in *head-bucket*) "$stub" "$@" >"$TMPDIR/said" || exit; rm "$TMPDIR/said" ;; *) exec "$stub" "$@" ;; esac`;
    const old = new Operator(aws, operator.out, inFront(aws, older));
    expect(operator.apply()).toMatchObject({ status: 0 });
    expect(old.status()).toMatchObject({ status: 0, stderr: "" });
    expect(aws.calls().filter(({ operation }) => operation === "GetBucketLocation")).not.toEqual([]);
    const state = aws.state();
    Object.assign(state.buckets[bucket] ?? {}, { region: "eu-west-1" });
    aws.reset(state);
    expect(old.status()).toMatchObject({
      status: 1,
      stderr: `error: the bucket ${bucket} is in the region eu-west-1, but the package is for us-east-2; a bucket cannot be moved\n`,
    });
  });
});

describe("credentials of another account", () => {
  const refused = {
    status: 1,
    stderr: `error: the credentials are for the account 210987654321, but the package is for ${account}; nothing was changed\n`,
  };

  it.each([
    ["apply.sh", ["GetAccountAuthorizationDetails", "GetCallerIdentity"]],
    ["status.sh", ["GetAccountAuthorizationDetails", "GetCallerIdentity"]],
    ["destroy.sh", ["GetCallerIdentity"]],
  ])("do nothing: %s", (script, calls) => {
    aws.reset({ account: "210987654321" });
    expect(operator.run(script, script === "destroy.sh" ? ["--yes"] : [])).toMatchObject(refused);
    expect(aws.calls().map(({ operation }) => operation)).toEqual(calls);
  });

  it.each(["apply.sh", "status.sh"])("are recognized by the first role of that account: %s", (script) => {
    aws.reset({ account: "210987654321", roles: { theirs: {} } });
    expect(operator.run(script, [])).toMatchObject(refused);
    expect(aws.calls().map(({ operation }) => operation)).toEqual(["GetAccountAuthorizationDetails"]);
  });
});

describe("a role that AWS does not know everywhere yet", () => {
  it("is waited for", () => {
    aws.lag(4);
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    const state = aws.state();
    aws.reset();
    expect(operator.apply()).toMatchObject({ status: 0 });
    expect(state).toEqual(aws.state());
  });

  it("is waited for only a limited time, and the next run continues", () => {
    aws.lag(7);
    const { status, stderr } = operator.apply();
    expect(status).toBe(1);
    expect(stderr).toContain("error: aws iam put-role-policy: An error occurred (NoSuchEntity)");
    expect(stderr).toContain("Nothing is lost");
    aws.lag(0);
    // The role is still not visible, so the script tries to create it, and AWS refuses.
    expect(operator.apply().stderr).toContain("error: aws iam create-role: An error occurred (EntityAlreadyExists)");
    expect(operator.apply()).toMatchObject({ status: 0 });
    expect(Object.keys(aws.state().roles).sort()).toEqual([...roles].sort());
    expect(operator.status().status).toBe(0);
  });
});
