import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { awsOf, type Fields, oneRequest, renderedPackage } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { exported, ScriptsAws } from "../../helpers/scripts-aws.ts";

/*
 * The made-up CloudFront forgets which access control an origin has, has its own ideas of ARNs and never changes an ETag.
 * The behavior of the scripts is therefore tested with a stand-in; here, only that the real AWS CLI accepts each input.
 */

let aws: ScriptsAws;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describeWith(["aws", "moto_server"], "the AWS CLI accepts the inputs of a distribution", () => {
  beforeAll(async () => {
    aws = await ScriptsAws.start();
  });
  afterAll(async () => {
    await aws?.stop();
  });

  const certificateARN = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000";
  it.each([
    ["its default domain", {}, { Quantity: 0 }, { CloudFrontDefaultCertificate: true }],
    [
      "a custom domain",
      { domain: "issuer.example.com", certificateARN },
      { Quantity: 1, Items: ["issuer.example.com"] },
      { ACMCertificateArn: certificateARN, SSLSupportMethod: "sni-only", MinimumProtocolVersion: "TLSv1.2_2021" },
    ],
  ])("with %s", async (_, given, aliases, certificate) => {
    await aws.reset();
    const directory = renderedPackage(oneRequest(), (spec) => {
      awsOf(spec)["issuerHosting"] = { type: "S3CloudFront", ...given };
    });
    const issuer = join(exported(directory), "aws/issuer");
    const ok = (...args: string[]) => aws.ok(args, "us-east-2", issuer);
    const filled = (name: string, empty: string, full: string) => {
      const text = readFileSync(join(issuer, name), "utf8");
      expect(text.split(empty)).toHaveLength(2);
      return text.replace(empty, full);
    };

    for (const call of ["create-bucket", "put-bucket-tagging", "put-public-access-block"]) {
      await ok("s3api", call, "--cli-input-json", `file://${call}.json`);
    }
    const accessControl = "create-origin-access-control";
    const made = await ok("cloudfront", accessControl, "--cli-input-json", `file://${accessControl}.json`);
    const control = made["OriginAccessControl"] as { Id: string; OriginAccessControlConfig: Fields };
    expect(control.OriginAccessControlConfig).toEqual({
      Name: "demo-oidc",
      Description: "openshift.io/cloud-credential-operator/demo",
      SigningProtocol: "sigv4",
      SigningBehavior: "always",
      OriginAccessControlOriginType: "s3",
    });

    const create = "create-distribution-with-tags";
    const input = filled(`${create}.json`, '"OriginAccessControlId": ""', `"OriginAccessControlId": "${control.Id}"`);
    const { Distribution } = await ok("cloudfront", create, "--cli-input-json", input);
    const { Id, DistributionConfig } = Distribution as { Id: string; DistributionConfig: Fields };
    expect(DistributionConfig).toMatchObject({
      CallerReference: "demo-oidc",
      Aliases: aliases,
      Origins: { Quantity: 1, Items: [{ Id: "demo-oidc", DomainName: "demo-oidc.s3.us-east-2.amazonaws.com" }] },
      Enabled: true,
      ViewerCertificate: certificate,
    });

    const policy = filled("bucket-policy.json", ':distribution/"', `:distribution/${Id}"`);
    await ok("s3api", "put-bucket-policy", "--bucket", "demo-oidc", "--policy", policy);
    const { Policy } = await ok("s3api", "get-bucket-policy", "--bucket", "demo-oidc");
    expect(JSON.parse(String(Policy))).toMatchObject({
      Statement: [
        {
          Principal: { Service: "cloudfront.amazonaws.com" },
          Condition: {
            StringEquals: { "AWS:SourceArn": `arn:aws:cloudfront::123456789012:distribution/${Id}` },
          },
        },
      ],
    });
  });
});
