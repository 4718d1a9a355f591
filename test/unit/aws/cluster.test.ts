import { describe, expect, it } from "vitest";
import { partitionOfRegion } from "../../../src/clouds/aws/cluster/partition.ts";
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

  it("names a near region for one that has the form of none", () => {
    const message = expectFinding(
      makeCredentials(identity({ aws: { region: "xx-foo-1" } }), [value]),
      "error",
      "region-unknown",
    );
    expect(message).toBe(
      '"spec.platform.aws.region" is "xx-foo-1", which has the form of no AWS region (did you mean "us-east-1"?). For a region of a new form, set "spec.platform.aws.partition" too.',
    );
    expect(
      expectFinding(makeCredentials(identity({ aws: { region: "eu-wset1" } }), [value]), "error", "region-unknown"),
    ).toContain('"eu-west-1"');
  });

  it("takes any region with a partition", () => {
    const made = makeCredentials(identity({ aws: { region: "xx-foo-1", partition: "aws-iso" } }), [value]);
    expectClean(made);
    expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      "arn:aws-iso:iam::123456789012:oidc-provider/demo-oidc.s3.xx-foo-1.c2s.ic.gov",
    );
  });

  it("warns of a region that is on no list, unless the partition is given", () => {
    const message = expectFinding(
      makeCredentials(identity({ aws: { region: "us-esat-2" } }), [value]),
      "warning",
      "region-unlisted",
    );
    expect(message).toContain('is "us-esat-2", which is on no list known here (the nearest is "us-east-2")');
    expectClean(makeCredentials(identity({ aws: { region: "us-esat-2", partition: "aws" } }), [value]));
  });

  it.each([
    [
      { region: "us-east-2", partition: "aws-cn" },
      [],
      '"spec.platform.aws.partition" is "aws-cn", but the region "us-east-2" is of "aws"',
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

  it("takes the region from the cluster's Infrastructure, and from no other object of the name", () => {
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
    ["ab", "has 2 characters, and must have 3 to 63"],
    ["a".repeat(64), "has 64 characters"],
    ["Upper", "must hold lower case letters"],
    ["a.b.c", "must hold lower case letters"],
    ["-abc", "must hold lower case letters"],
    ["xn--abc", 'holds "xn--"'],
    ["sthree-abc", 'holds "sthree-"'],
    ["amzn-s3-demo-abc", 'holds "amzn-s3-demo-"'],
    ["abc-s3alias", 'holds "-s3alias"'],
    ["abc--ol-s3", 'holds "--ol-s3"'],
    ["abc--x-s3", 'holds "--x-s3"'],
  ])("%s is refused", (bucket, message) => {
    const made = makeIssuer(identity({ aws: { issuerHosting: { bucket } } }));
    expect(expectFinding(made, "error", "bucket-name-invalid")).toContain(message);
  });

  it("a prefix of 58 characters leaves room for the suffix, one of 59 does not", () => {
    expectClean(makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(58), issuer: identity().spec.issuer } })));
    const made = makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(59), issuer: identity().spec.issuer } }));
    expect(expectFinding(made, "error", "bucket-name-invalid")).toContain("has 64 characters");
  });
});

describe("tags", () => {
  it("are the owner's first, then the config's, sorted", () => {
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
    [{ k: "a;b" }, "must hold letters, digits, spaces and _.:/=+-@ alone"],
    [{ "k\n": "b" }, "must hold letters, digits, spaces and _.:/=+-@ alone"],
    [{ name: "x" }, "is there already; keys are not told apart by case"],
    [{ a: "1", A: "2" }, "is there already; keys are not told apart by case"],
    [
      Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, ""])),
      "there are 49 tags, and with the owner's two at most 50",
    ],
  ])("refuses %j", (tags, message) => {
    expect(expectFinding(makeCredentials(identity({ aws: { tags } }), [value]), "error", "tag-invalid")).toContain(
      message,
    );
  });

  it("takes 48 of its own", () => {
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

  it("follows from the bucket", () => {
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

  it("elsewhere has no bucket, and a provider unless one is given", () => {
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

  it("elsewhere without a URL is the one of the cluster's Authentication", () => {
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

  it("behind CloudFront is known when its domain is", () => {
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

  it("behind CloudFront is not known before: bucket, access control and distribution are made, and nothing else", () => {
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
        `"spec.platform.aws.issuerHosting.type" is "S3CloudFront", and CloudFront has no endpoint in the partition "${partition}" of the region "${region}"; use "S3Public", or "External" with "spec.issuer.url".`,
      );
    }
  });

  it.each(["arn:aws:acm:eu-west-1:123456789012:certificate/x", "arn:aws:acm:us-east-1:210987654321:certificate/x"])(
    "has a certificate where CloudFront looks, and not %s",
    (certificateARN) => {
      const issuerHosting = { type: "S3CloudFront", domain: "oidc.example.com", certificateARN };
      expect(expectFinding(makeIssuer(identity({ aws: { issuerHosting } })), "error", "arn-mismatch")).toBe(
        `"spec.platform.aws.issuerHosting.certificateARN" is "${certificateARN}", and must begin with "arn:aws:acm:us-east-1:123456789012:certificate/": the cluster's account, and where CloudFront looks for certificates.`,
      );
    },
  );

  it("that is a domain of one's own needs more than its URL", () => {
    const aws = { issuerHosting: { type: "S3CloudFront" } };
    const issuer = { ...identity().spec.issuer, url: "https://oidc.example.com" };
    expect(expectFinding(makeIssuer(identity({ aws, spec: { issuer } })), "error", "issuer-contradiction")).toBe(
      '"spec.issuer.url" is "https://oidc.example.com", a domain of your own, and a distribution answers to it only with "spec.platform.aws.issuerHosting.domain" and its "certificateARN"; set both.',
    );
  });

  it.each([
    [{ issuerHosting: { domain: "oidc.example.com" } }, 'is for the type "S3CloudFront", and the type is "S3Public"'],
    [
      { issuerHosting: { type: "S3CloudFront", domain: "oidc.example.com" } },
      'needs "domain" and "certificateARN" together',
    ],
    [{ issuerHosting: { type: "External", bucket: "some-bucket" } }, 'and the type is "External"'],
  ])("refuses %j", (aws, message) => {
    const made = makeIssuer(identity({ aws, spec: { issuer: { ...identity().spec.issuer, url } } }));
    const found = made.results.filter((result) => result.tags.code === "hosting-contradiction");
    expect(found.map((result) => result.message).join()).toContain(message);
    expect(made.exitCode).toBe(1);
  });

  it("is never private where a previous issuer's documents are", () => {
    const issuer = { ...identity().spec.issuer, previous: ["https://demo-oidc.s3.us-east-2.amazonaws.com"] };
    const issuerHosting = { type: "S3CloudFront", distributionDomain: "d111111abcdef8.cloudfront.net" };
    const made = makeIssuer(identity({ aws: { issuerHosting }, spec: { issuer } }));
    expect(expectFinding(made, "error", "hosting-contradiction")).toBe(
      'the bucket "demo-oidc" holds the documents of the previous issuer "https://demo-oidc.s3.us-east-2.amazonaws.com", and becomes private, so that no token of that issuer would be believed any more; set "spec.platform.aws.issuerHosting.bucket" to another name.',
    );
    const another = { ...issuerHosting, bucket: "demo-private-oidc" };
    expectClean(makeIssuer(identity({ aws: { issuerHosting: another }, spec: { issuer } })));
  });

  it("is not another than where the documents are", () => {
    const made = makeIssuer(identity({ spec: { issuer: { ...identity().spec.issuer, url } } }));
    expect(expectFinding(made, "error", "issuer-contradiction")).toContain(
      'make the issuer "https://demo-oidc.s3.us-east-2.amazonaws.com"',
    );
  });
});

describe("ARNs", () => {
  it.each([
    [
      "roles",
      { roles: { permissionsBoundaryARN: "arn:aws:iam::999999999999:policy/boundary" } },
      'and must begin with "arn:aws:iam::123456789012:policy/"',
    ],
    [
      "roles",
      { roles: { permissionsBoundaryARN: "arn:aws-cn:iam::123456789012:policy/boundary" } },
      'and must begin with "arn:aws:iam::123456789012:policy/"',
    ],
    [
      "overrides",
      { overrides: { "ns-one/credentials": { managedPolicyARNs: ["arn:aws:iam::123456789012:role/x"] } } },
      "overrides.ns-one/credentials.managedPolicyARNs",
    ],
    [
      "provider",
      { identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/other.example.com" },
      "roles that trust another would trust nobody",
    ],
  ])("of %s must be the cluster's", (_, aws, message) => {
    expect(expectFinding(makeCredentials(identity({ aws }), [value]), "error", "arn-mismatch")).toContain(message);
  });

  it("of AWS's own policies are taken", () => {
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
