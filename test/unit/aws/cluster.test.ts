import { describe, expect, it } from "vitest";
import { partitionOfRegion } from "../../../src/clouds/aws/cluster/regions.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  makeCredentials,
  makeIssuer,
  request,
} from "../../helpers/cluster.ts";

const value = request("one");
const role = "aws/roles/ns-one-credentials.yaml";

describe("region and partition", () => {
  it.each([
    ["us-east-1", "aws", "amazonaws.com"],
    ["mx-central-1", "aws", "amazonaws.com"],
    ["cn-north-1", "aws-cn", "amazonaws.com.cn"],
    ["us-gov-west-1", "aws-us-gov", "amazonaws.com"],
    ["eusc-de-east-1", "aws-eusc", "amazonaws.eu"],
    ["us-iso-east-1", "aws-iso", "c2s.ic.gov"],
    ["us-isob-east-1", "aws-iso-b", "sc2s.sgov.gov"],
    ["eu-isoe-west-1", "aws-iso-e", "cloud.adc-e.uk"],
    ["us-isof-south-1", "aws-iso-f", "csp.hci.ic.gov"],
  ])("%s is of %s with %s", (region, partition, suffix) => {
    expect(partitionOfRegion(region)).toMatchObject({ id: partition, dnsSuffix: suffix });
    const made = makeCredentials(identity({ aws: { region } }), [value]);
    expectClean(made);
    const files = made.bundle(role);
    const host = `demo-oidc.s3.${region}.${suffix}`;
    expect(files["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      `arn:${partition}:iam::123456789012:oidc-provider/${host}`,
    );
    expect(Object.keys(files["trust-policy.json"].Statement[0].Condition.StringEquals)).toEqual([`${host}:sub`]);
    const secret = made.objects["manifests/ns-one-credentials-credentials.yaml"].stringData.credentials;
    expect(secret).toContain(`role_arn = arn:${partition}:iam::123456789012:role/demo-ns-one-credentials\n`);
  });

  it("suggests a similar region for a name that does not look like an AWS region", () => {
    const message = expectFinding(
      makeCredentials(identity({ aws: { region: "xx-foo-1" } }), [value]),
      "error",
      "region-unknown",
    );
    expect(message).toBe(
      '"spec.platform.aws.region" is "xx-foo-1", which does not look like an AWS region (did you mean "us-east-1"?). If AWS has introduced a new form of region name, set "spec.platform.aws.partition" too.',
    );
    expect(
      expectFinding(makeCredentials(identity({ aws: { region: "eu-wset1" } }), [value]), "error", "region-unknown"),
    ).toContain('"eu-west-1"');
  });

  it("accepts any region if the partition is set", () => {
    const made = makeCredentials(identity({ aws: { region: "xx-foo-1", partition: "aws-iso" } }), [value]);
    expectClean(made);
    expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      "arn:aws-iso:iam::123456789012:oidc-provider/demo-oidc.s3.xx-foo-1.c2s.ic.gov",
    );
  });

  it("warns about an unknown region, unless the partition is set", () => {
    const message = expectFinding(
      makeCredentials(identity({ aws: { region: "us-esat-2" } }), [value]),
      "warning",
      "region-unlisted",
    );
    expect(message).toContain('is "us-esat-2", a region unknown to this version (the most similar is "us-east-2")');
    expectClean(makeCredentials(identity({ aws: { region: "us-esat-2", partition: "aws" } }), [value]));
  });

  it.each([
    [
      { region: "us-east-2", partition: "aws-cn" },
      [],
      '"spec.platform.aws.partition" is "aws-cn", but the region "us-east-2" is in "aws"',
    ],
    [
      { region: "us-east-2" },
      [infrastructure("eu-west-1")],
      'is "us-east-2", but the Infrastructure "cluster" says "eu-west-1"',
    ],
  ])("refuses a contradiction: %j", (aws, items, message) => {
    expect(
      expectFinding(makeCredentials(identity({ aws }), [value, ...items]), "error", "region-contradiction"),
    ).toContain(message);
  });

  it("reads the region from the cluster's Infrastructure, and ignores another kind of object with the same name", () => {
    const made = makeCredentials(identity({ aws: { region: undefined } }), [value, infrastructure("eu-west-1")]);
    expectClean(made);
    expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toContain("s3.eu-west-1.");
    const other = { ...infrastructure("eu-west-1"), apiVersion: "infra.example.com/v1" };
    const message = expectFinding(
      makeCredentials(identity({ aws: { region: undefined } }), [value, other]),
      "error",
      "config-missing-field",
    );
    expect(message).toContain('"spec.platform.aws.region" is required, unless');
  });
});

function infrastructure(region: string): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { platformStatus: { type: "AWS", aws: { region } } },
  };
}

describe("bucket names", () => {
  it.each([
    ["ab", "has 2 characters, but must have 3 to 63"],
    ["a".repeat(64), "has 64 characters"],
    ["Upper", "must contain only lowercase letters"],
    ["a.b.c", "must contain only lowercase letters"],
    ["-abc", "must contain only lowercase letters"],
    ["xn--abc", 'contains "xn--"'],
    ["sthree-abc", 'contains "sthree-"'],
    ["amzn-s3-demo-abc", 'contains "amzn-s3-demo-"'],
    ["abc-s3alias", 'contains "-s3alias"'],
    ["abc--ol-s3", 'contains "--ol-s3"'],
    ["abc--x-s3", 'contains "--x-s3"'],
  ])("%s is refused", (bucket, message) => {
    const made = makeIssuer(identity({ aws: { issuerHosting: { bucket } } }));
    expect(expectFinding(made, "error", "bucket-name-invalid")).toContain(message);
  });

  it("a prefix of 58 characters is short enough for the suffix, a prefix of 59 is not", () => {
    expectClean(makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(58), issuer: identity().spec.issuer } })));
    const made = makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(59), issuer: identity().spec.issuer } }));
    expect(expectFinding(made, "error", "bucket-name-invalid")).toContain("has 64 characters");
  });
});

describe("tags", () => {
  it("start with the owner tag and the name, followed by the config's tags, sorted", () => {
    const made = makeCredentials(identity({ aws: { tags: { team: "a", cost: "é 1" } } }), [value]);
    expect(made.bundle(role)["create-role.json"].Tags).toEqual([
      { Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" },
      { Key: "Name", Value: "demo" },
      { Key: "cost", Value: "é 1" },
      { Key: "team", Value: "a" },
    ]);
  });

  it.each([
    [{ "": "x" }, "must have a key of 1 to 128 characters"],
    [{ ["k".repeat(129)]: "x" }, "must have a key of 1 to 128 characters"],
    [{ "aws:x": "x" }, 'must not begin with "aws:"'],
    [{ k: "v".repeat(257) }, "must have a value of at most 256 characters"],
    [{ k: "a;b" }, "must contain only letters, digits, spaces and _.:/=+-@"],
    [{ "k\n": "b" }, "must contain only letters, digits, spaces and _.:/=+-@"],
    [{ name: "x" }, "is already set; tag keys are not case-sensitive"],
    [{ a: "1", A: "2" }, "is already set; tag keys are not case-sensitive"],
    [
      Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, ""])),
      "there are 49 tags, but at most 48 are allowed: AWS allows 50, and ccf sets 2 itself",
    ],
  ])("refuses %j", (tags, message) => {
    expect(expectFinding(makeCredentials(identity({ aws: { tags } }), [value]), "error", "tag-invalid")).toContain(
      message,
    );
  });

  it("accepts 48 tags from the config", () => {
    expectClean(
      makeCredentials(
        identity({ aws: { tags: Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`k${index}`, ""])) } }),
        [value],
      ),
    );
  });
});

describe("the issuer", () => {
  const url = "https://oidc.example.com/demo";

  it("is derived from the bucket", () => {
    const made = makeIssuer(identity({ aws: { issuerHosting: { bucket: "my-bucket" } } }));
    expectClean(made);
    const files = made.bundle("aws/issuer.yaml");
    expect(files["openid-configuration"]).toEqual({
      issuer: "https://my-bucket.s3.us-east-2.amazonaws.com",
      jwks_uri: "https://my-bucket.s3.us-east-2.amazonaws.com/keys.json",
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      claims_supported: ["aud", "exp", "sub", "iat", "iss"],
    });
    expect(files["create-bucket.json"]).toEqual({
      Bucket: "my-bucket",
      CreateBucketConfiguration: { LocationConstraint: "us-east-2" },
    });
    expect(files["put-public-access-block.json"]).toEqual({
      Bucket: "my-bucket",
      ExpectedBucketOwner: "123456789012",
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: false,
        RestrictPublicBuckets: false,
      },
    });
    expect(files["bucket-policy.json"].Statement).toEqual([
      {
        Sid: "AllowReadOfIssuerDocuments",
        Effect: "Allow",
        Principal: "*",
        Action: "s3:GetObject",
        Resource: ["arn:aws:s3:::my-bucket/.well-known/openid-configuration", "arn:aws:s3:::my-bucket/keys.json"],
      },
    ]);
    expect(JSON.parse(files["put-bucket-policy.json"].Policy)).toEqual(files["bucket-policy.json"]);
    expect(files["create-open-id-connect-provider.json"]).toEqual({
      Url: "https://my-bucket.s3.us-east-2.amazonaws.com",
      ClientIDList: ["openshift", "sts.amazonaws.com"],
      Tags: files["put-bucket-tagging.json"].Tagging.TagSet,
    });
    expect(made.objects["manifests/cluster-authentication-02-config.yaml"].spec).toEqual({
      serviceAccountIssuer: "https://my-bucket.s3.us-east-2.amazonaws.com",
    });
  });

  it("in us-east-1 has no LocationConstraint", () => {
    const files = makeIssuer(identity({ aws: { region: "us-east-1" } })).bundle("aws/issuer.yaml");
    expect(files["create-bucket.json"]).toEqual({ Bucket: "demo-oidc" });
  });

  it("hosted elsewhere has no bucket, and a provider unless one already exists", () => {
    const external = { issuerHosting: { type: "External" } };
    const made = makeIssuer(
      identity({ aws: external, spec: { issuer: { ...identity().spec.issuer, url, audiences: ["a"] } } }),
    );
    expectClean(made);
    expect(Object.keys(made.bundle("aws/issuer.yaml"))).toEqual([
      "create-open-id-connect-provider.json",
      "keys.json",
      "openid-configuration",
    ]);
    expect(made.bundle("aws/issuer.yaml")["create-open-id-connect-provider.json"]).toMatchObject({
      Url: url,
      ClientIDList: ["a"],
    });
    const given = { ...external, identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/oidc.example.com/demo" };
    const withProvider = makeIssuer(identity({ aws: given, spec: { issuer: { ...identity().spec.issuer, url } } }));
    expect(Object.keys(withProvider.bundle("aws/issuer.yaml"))).toEqual(["keys.json", "openid-configuration"]);
  });

  it("hosted elsewhere is read from the cluster's Authentication if no URL is set", () => {
    const authentication = {
      apiVersion: "config.openshift.io/v1",
      kind: "Authentication",
      metadata: { name: "cluster" },
      spec: { serviceAccountIssuer: url },
    };
    const aws = { issuerHosting: { type: "External" } };
    const made = makeCredentials(identity({ aws }), [value, authentication]);
    expectClean(made);
    expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      "arn:aws:iam::123456789012:oidc-provider/oidc.example.com/demo",
    );
    expect(expectFinding(makeCredentials(identity({ aws }), [value]), "error", "config-missing-field")).toContain(
      '"spec.issuer.url" is required for the hosting type "External"',
    );
    for (const bad of [
      "http://x.example.com",
      "https://x.example.com/",
      "https://x.example.com:8443",
      "https://X.example.com",
      "https://x.example.com?a=b",
    ]) {
      const wrong = { ...authentication, spec: { serviceAccountIssuer: bad } };
      expect(
        expectFinding(makeCredentials(identity({ aws }), [value, wrong]), "error", "config-invalid-field"),
      ).toContain(`has the issuer "${bad}"`);
    }
  });

  it("behind CloudFront is known once its domain is known", () => {
    const cloudFront = (more: Any) => identity({ aws: { issuerHosting: { type: "S3CloudFront", ...more } } });
    for (const [more, host] of [
      [{ distributionDomain: "d111111abcdef8.cloudfront.net" }, "d111111abcdef8.cloudfront.net"],
      [
        { domain: "oidc.example.com", certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/x" },
        "oidc.example.com",
      ],
    ] as const) {
      const made = makeCredentials(cloudFront(more), [value]);
      expectClean(made);
      expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
        `arn:aws:iam::123456789012:oidc-provider/${host}`,
      );
      const issuer = makeIssuer(cloudFront(more));
      expectClean(issuer);
      expect(issuer.bundle("aws/issuer.yaml")["openid-configuration"].issuer).toBe(`https://${host}`);
      expect(issuer.objects["manifests/cluster-authentication-02-config.yaml"].spec.serviceAccountIssuer).toBe(
        `https://${host}`,
      );
    }
  });

  it("behind CloudFront is unknown before that: only the bucket, the access control and the distribution are generated", () => {
    const config = identity({ aws: { issuerHosting: { type: "S3CloudFront" } } });
    for (const made of [makeCredentials(config, [value]), makeIssuer(config, [value])]) {
      expect(expectFinding(made, "warning", "issuer-unknown")).toContain(
        '"spec.platform.aws.issuerHosting.distributionDomain"',
      );
      expect(made.exitCode).toBe(0);
    }
    expect(makeCredentials(config, [value]).objects).toEqual({});
    const { objects, bundle, clusterFiles = {} } = makeIssuer(config, [value]);
    expect(Object.keys(objects)).toEqual(["aws/issuer.yaml"]);
    expect(Object.keys(clusterFiles)).toEqual(["admin-policy.json", "cluster.json"]);
    expect(JSON.parse(clusterFiles["cluster.json"] ?? "")).not.toHaveProperty("identityProviderARN");
    expect(Object.keys(bundle("aws/issuer.yaml"))).toEqual([
      "bucket-policy.json",
      "create-bucket.json",
      "create-distribution-with-tags.json",
      "create-origin-access-control.json",
      "put-bucket-tagging.json",
      "put-public-access-block.json",
    ]);
  });

  it.each([
    ["us-gov-west-1", "aws-us-gov"],
    ["eusc-de-east-1", "aws-eusc"],
    ["us-iso-east-1", "aws-iso"],
  ])("cannot be behind CloudFront in %s", (region, partition) => {
    const config = identity({ aws: { region, issuerHosting: { type: "S3CloudFront" } } });
    for (const made of [makeCredentials(config, [value]), makeIssuer(config)]) {
      expect(expectFinding(made, "error", "cloudfront-not-available")).toBe(
        `"spec.platform.aws.issuerHosting.type" is "S3CloudFront", but CloudFront has no endpoint in the partition "${partition}" of the region "${region}". Set it to "S3Public", or to "External" with "spec.issuer.url".`,
      );
    }
  });

  it.each(["arn:aws:acm:eu-west-1:123456789012:certificate/x", "arn:aws:acm:us-east-1:210987654321:certificate/x"])(
    "requires a certificate where CloudFront looks for it, not %s",
    (certificateARN) => {
      const issuerHosting = { type: "S3CloudFront", domain: "oidc.example.com", certificateARN };
      expect(expectFinding(makeIssuer(identity({ aws: { issuerHosting } })), "error", "arn-mismatch")).toBe(
        `"spec.platform.aws.issuerHosting.certificateARN" is "${certificateARN}", but must begin with "arn:aws:acm:us-east-1:123456789012:certificate/": the cluster's account, and the region where CloudFront looks for certificates.`,
      );
    },
  );

  it("with a custom domain requires more than its URL", () => {
    const aws = { issuerHosting: { type: "S3CloudFront" } };
    const issuer = { ...identity().spec.issuer, url: "https://oidc.example.com" };
    expect(expectFinding(makeIssuer(identity({ aws, spec: { issuer } })), "error", "issuer-contradiction")).toBe(
      '"spec.issuer.url" is "https://oidc.example.com", a custom domain. A distribution serves a custom domain only if "spec.platform.aws.issuerHosting.domain" and "spec.platform.aws.issuerHosting.certificateARN" are set; set both.',
    );
  });

  it.each([
    [{ issuerHosting: { domain: "oidc.example.com" } }, 'requires the type "S3CloudFront", but the type is "S3Public"'],
    [
      { issuerHosting: { type: "S3CloudFront", domain: "oidc.example.com" } },
      'requires both "domain" and "certificateARN"',
    ],
    [{ issuerHosting: { type: "External", bucket: "some-bucket" } }, 'but the type "External" has no bucket'],
  ])("refuses %j", (aws, message) => {
    const made = makeIssuer(identity({ aws, spec: { issuer: { ...identity().spec.issuer, url } } }));
    const found = made.results.filter((result) => result.tags.code === "hosting-contradiction");
    expect(found.map((result) => result.message).join()).toContain(message);
    expect(made.exitCode).toBe(1);
  });

  it("cannot make the bucket of a previous issuer private", () => {
    const issuer = { ...identity().spec.issuer, previous: ["https://demo-oidc.s3.us-east-2.amazonaws.com"] };
    const issuerHosting = { type: "S3CloudFront", distributionDomain: "d111111abcdef8.cloudfront.net" };
    const made = makeIssuer(identity({ aws: { issuerHosting }, spec: { issuer } }));
    expect(expectFinding(made, "error", "hosting-contradiction")).toBe(
      'the bucket "demo-oidc" contains the documents of the previous issuer "https://demo-oidc.s3.us-east-2.amazonaws.com" and would become private. AWS would then refuse every token of that issuer. Set "spec.platform.aws.issuerHosting.bucket" to another name.',
    );
    const another = { ...issuerHosting, bucket: "demo-private-oidc" };
    expectClean(makeIssuer(identity({ aws: { issuerHosting: another }, spec: { issuer } })));
  });

  it("cannot have a URL other than where the documents are published", () => {
    const made = makeIssuer(identity({ spec: { issuer: { ...identity().spec.issuer, url } } }));
    expect(expectFinding(made, "error", "issuer-contradiction")).toContain(
      'with this hosting the issuer is "https://demo-oidc.s3.us-east-2.amazonaws.com"',
    );
  });
});

describe("ARNs", () => {
  it.each([
    [
      "roles",
      { roles: { permissionsBoundaryARN: "arn:aws:iam::999999999999:policy/boundary" } },
      'but must begin with "arn:aws:iam::123456789012:policy/"',
    ],
    [
      "roles",
      { roles: { permissionsBoundaryARN: "arn:aws-cn:iam::123456789012:policy/boundary" } },
      'but must begin with "arn:aws:iam::123456789012:policy/"',
    ],
    [
      "overrides",
      { overrides: { "ns-one/credentials": { managedPolicyARNs: ["arn:aws:iam::123456789012:role/x"] } } },
      "overrides.ns-one/credentials.managedPolicyARNs",
    ],
    [
      "provider",
      { identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/other.example.com" },
      "Correct the ARN, or remove it",
    ],
  ])("of %s must be the cluster's", (_, aws, message) => {
    expect(expectFinding(makeCredentials(identity({ aws }), [value]), "error", "arn-mismatch")).toContain(message);
  });

  it("of AWS managed policies are accepted", () => {
    const aws = {
      roles: { permissionsBoundaryARN: "arn:aws:iam::aws:policy/PowerUserAccess" },
      overrides: {
        "ns-one/credentials": {
          managedPolicyARNs: [
            "arn:aws:iam::aws:policy/ReadOnlyAccess",
            "arn:aws:iam::123456789012:policy/ReadOnlyAccess",
          ],
        },
      },
    };
    const files = makeCredentials(identity({ aws }), [value]).bundle(role);
    expect(files["create-role.json"].PermissionsBoundary).toBe("arn:aws:iam::aws:policy/PowerUserAccess");
    const attached = Object.entries(files).filter(([name]) => name.startsWith("attach-role-policy-ReadOnlyAccess-"));
    expect(attached.map(([, file]) => file.PolicyArn).sort()).toEqual(
      [...aws.overrides["ns-one/credentials"].managedPolicyARNs].sort(),
    );
  });
});
