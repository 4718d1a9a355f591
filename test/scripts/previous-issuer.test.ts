import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { run } from "../helpers/ccf.ts";
import { initSample } from "../helpers/sample.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws.stop());

const bucketIssuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";
const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555";

/** A package, its export, and its scripts in an account of the stand-in. */
function cluster() {
  aws.reset();
  const root = temporary();
  initSample(join(root, "demo"));
  const config = join(root, "demo", "cluster-identity.yaml");
  const original = readFileSync(config, "utf8");
  const ccf = (...args: readonly string[]) => {
    const { status, stderr } = run(args, { cwd: root });
    expect({ args, status, errors: stderr.match(/^error.*$/gm) }).toEqual({ args, status: 0, errors: null });
  };
  const script = (name: string, ...flags: readonly string[]) => {
    const { status, stdout, stderr } = aws.run(join(root, "out", "aws", name), flags, { env: { CCF_WAIT: "0" } });
    expect({ name, status, stderr }).toMatchObject({ name, status: flags.includes("--dry-run") ? 2 : 0 });
    return stdout
      .replace(/^(\w[\w ]{12}) +/gm, "$1")
      .replaceAll(/ +/g, " ")
      .split("\n");
  };
  return {
    configure({ previous, hosting }: { previous: string; hosting: Readonly<Record<string, string>> }) {
      const issuerHosting = Object.entries(hosting).map(([name, value]) => `        ${name}: ${value}\n`);
      const text = original.replace("  issuer:\n", `  issuer:\n    previous:\n    - ${previous}\n`);
      writeFileSync(config, `${text}      issuerHosting:\n${issuerHosting.join("")}`);
    },
    apply() {
      ccf("render", "demo");
      ccf("export", "demo", "--output-dir", "out");
      return script("apply.sh");
    },
    script,
  };
}

describe("what destroy.sh does with issuers that the cluster moved away from", () => {
  it("a distribution that got a custom domain is kept, and so is its bucket", () => {
    const demo = cluster();
    demo.configure({ previous: "https://other.example.com", hosting: { type: "S3CloudFront" } });
    const domain =
      demo
        .apply()
        .join("\n")
        .match(/distributionDomain: (\S+)/)?.[1] ?? "";
    demo.configure({
      previous: `https://${domain}`,
      hosting: { type: "S3CloudFront", domain: "oidc.example.com", certificateARN: certificate },
    });
    demo.apply();
    const before = aws.state();
    const id = Object.keys(before.distributions)[0];
    // After enough reads, the distribution has its new domain everywhere.
    demo.script("status.sh");
    demo.script("status.sh");
    expect(demo.script("destroy.sh", "--previous", "--yes")).toContain(
      `kept distribution ${id}: the package's own issuer uses it`,
    );
    expect(aws.state()).toEqual(before);
    demo.script("destroy.sh", "--yes");
    expect(aws.state()).toMatchObject({ buckets: {}, distributions: {}, originAccessControls: {}, providers: {} });
  });

  it("a bucket that only the previous issuer uses is deleted after its provider", () => {
    const demo = cluster();
    demo.configure({ previous: "https://other.example.com", hosting: { type: "S3Public" } });
    demo.apply();
    demo.configure({ previous: bucketIssuer, hosting: { type: "S3Public", bucket: "demo-second-oidc" } });
    demo.apply();
    expect(Object.keys(aws.state().providers)).toHaveLength(2);
    const removed = demo.script("destroy.sh", "--yes").filter((line) => line.startsWith("removed "));
    const place = (text: string) => removed.indexOf(`removed ${text}`);
    expect(place("provider demo-oidc.s3.us-east-2.amazonaws.com")).toBeGreaterThan(-1);
    expect(place("bucket demo-oidc")).toBeGreaterThan(place("provider demo-oidc.s3.us-east-2.amazonaws.com"));
    expect(aws.state()).toMatchObject({ buckets: {}, providers: {}, roles: {} });
  });
});
