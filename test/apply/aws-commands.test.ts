import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../src/clouds/aws/apply/client.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { engines } from "../../src/clouds/engines.ts";
import { account, exported, s3Public } from "../helpers/exported-package.ts";
import { answerOf } from "../helpers/in-process.ts";
import { type Applied, applied } from "./aws-applied.ts";
import { AwsCloud } from "./aws-cloud.ts";

const cloud = new AwsCloud();
const credentials = {
  AWS_ACCESS_KEY_ID: "testing",
  AWS_SECRET_ACCESS_KEY: "testing",
  AWS_EC2_METADATA_DISABLED: "true",
};
// S3 answers a HEAD request without a body, so only the status says what is wrong.
const s3 = createServer((_, outgoing) => outgoing.writeHead(403).end());
const asked: string[] = [];
let directory: string;
let start: Applied["start"];

beforeAll(async () => {
  s3.on("request", ({ method, url }) => asked.push(`${method} ${url}`));
  await new Promise<void>((resolve) => s3.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`;
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL_S3: endpoint });
  const environment = { AWS_ENDPOINT_URL_S3: endpoint };
  const real = connect({ accountId: account, partition: "aws", region: "us-east-2" }, { environment });
  const made = cloud.connection();
  const connection = {
    ...made,
    send: (call: string, input: Record<string, unknown>) => (call === "s3:HeadBucket" ? real : made).send(call, input),
  };
  engines["aws"] = async () => (access) => awsEngine(access, connection);
  directory = exported(s3Public);
  ({ start } = await applied(cloud));
});
afterAll(async () => {
  for (const name of [...Object.keys(credentials), "AWS_ENDPOINT_URL_S3"]) delete process.env[name];
  s3.closeAllConnections();
  await new Promise((resolve) => s3.close(resolve));
});
beforeEach(() => {
  cloud.reset({}, { deployment: 0 });
  asked.length = 0;
});

const refused =
  "bucket demo-oidc: It belongs to another account, or these credentials may not read it. Use credentials with the permissions in admin-policy.json, or set spec.platform.aws.issuerHosting.bucket to another name, and render again.\n";

describe("a bucket whose HEAD request is answered with 403", () => {
  it("stops ccf apply: neither it nor what needs it is created", async () => {
    const { status, stdout, stderr } = await answerOf(["apply", "--yes", directory]);
    expect([status, asked.slice(0, 1)]).toEqual([1, ["HEAD /demo-oidc/"]]);
    expect(stdout).toContain(`? ${refused}`);
    expect(stdout).not.toMatch(/\+ (bucket|document|provider|role)/);
    expect(stderr).toMatch(
      /^error: demo: \d+ resources were refused or could not be read\. The plan gives the reasons\./m,
    );
    expect(cloud.changing()).toEqual([]);
  });

  it("is not something to create for ccf apply --dry-run, whatever the flags", async () => {
    for (const flags of [[], ["--adopt", "demo-oidc"], ["--allow", "replace-key,replace-issuer"], ["--prune"]]) {
      const { status, stdout } = await answerOf(["apply", "--dry-run", ...flags, directory]);
      expect([status, stdout.includes(`? ${refused}`)], flags.join(" ")).toEqual([1, true]);
      expect(stdout, flags.join(" ")).toMatch(/^\d+ not known\. Digest /m);
    }
  });

  it("leaves open for ccf status whether the cloud matches, although everything else is in sync", async () => {
    start("S3Public");
    const { status, stdout } = await answerOf(["status", directory]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`? not known: ${refused}`)]);
    expect(stdout).toContain(`${refused}  ? and 8 resources that need one of these\n9 not known.`);
    expect(stdout).not.toMatch(/\+ |demo: in sync/);
  });

  it("stays with ccf destroy, which says so", async () => {
    start("S3Public");
    const { status, stdout, stderr } = await answerOf(["destroy", "--yes", "demo", directory]);
    expect([status, stdout + stderr]).toEqual([
      1,
      expect.stringContaining("bucket demo-oidc: It belongs to another account"),
    ]);
    expect(cloud.changing().filter((call) => call.startsWith("s3:"))).toEqual([]);
  });
});
