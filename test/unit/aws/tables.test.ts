import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  isKnownRegion,
  nearestRegion,
  partitionOfRegion,
  partitions,
} from "../../../src/clouds/aws/cluster/regions.ts";
import {
  bucketNameProblem,
  clusterTags,
  ownerTagKey,
  providerArn,
  roleArn,
  withoutScheme,
} from "../../../src/clouds/aws/cluster/resource-names.ts";
import { permissionsPolicy, policySize, roleName, trustPolicy } from "../../../src/clouds/aws/identities/identity.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  makeCredentials,
  makeIssuer,
  request,
  statements,
} from "../../helpers/cluster.ts";

const role = "aws/roles/ns-one-credentials.yaml";
const value = request("one");

// From the AWS SDKs' partitions.json: partition, DNS suffix, some of its regions.
const table: [partition: string, suffix: string, regions: string][] = [
  [
    "aws",
    "amazonaws.com",
    "us-east-1 us-west-2 ca-west-1 mx-central-1 sa-east-1 eu-central-2 eu-north-1 af-south-1 il-central-1 me-south-1 ap-southeast-7",
  ],
  ["aws-cn", "amazonaws.com.cn", "cn-north-1 cn-northwest-1"],
  ["aws-us-gov", "amazonaws.com", "us-gov-east-1 us-gov-west-1"],
  ["aws-eusc", "amazonaws.eu", "eusc-de-east-1"],
  ["aws-iso", "c2s.ic.gov", "us-iso-east-1 us-iso-west-1"],
  ["aws-iso-b", "sc2s.sgov.gov", "us-isob-east-1 us-isob-west-1"],
  ["aws-iso-e", "cloud.adc-e.uk", "eu-isoe-west-1"],
  ["aws-iso-f", "csp.hci.ic.gov", "us-isof-east-1 us-isof-south-1"],
];

describe("partitions", () => {
  it("are exactly these", () => {
    expect(partitions.map(({ id, dnsSuffix }) => [id, dnsSuffix])).toEqual(table.map(([id, suffix]) => [id, suffix]));
  });

  it.each(table)("%s with %s: %s", (id, dnsSuffix, regions) => {
    for (const region of regions.split(" ")) {
      expect(partitionOfRegion(region), region).toMatchObject({ id, dnsSuffix });
      expect(partitions.filter((each) => each.regions.test(region))).toHaveLength(1);
      expect(isKnownRegion(region), region).toBe(true);
    }
  });

  it.each([
    "",
    "us-east",
    "us-east-",
    "us-east-1a",
    "US-EAST-1",
    "us--1",
    "eusc-fr-west-1",
    "us-gov-1-2-3",
    "x us-east-1",
    "us-east-1\n",
  ])("%j has no partition", (region) => expect(partitionOfRegion(region)).toBeUndefined());

  it("finds the partition of an unknown region in a known form", () => {
    expect(partitionOfRegion("eu-newplace-9")?.id).toBe("aws");
    expect(isKnownRegion("eu-newplace-9")).toBe(false);
  });

  it.each([
    ["us-esat-1", "us-east-1"],
    ["useast2", "us-east-2"],
    ["us-gov-wset-1", "us-gov-west-1"],
    ["eu-west1", "eu-west-1"],
    ["cn-nroth-1", "cn-north-1"],
    ["zzzzzzzzzzzzzzzzzzzzzzzz", "us-east-1"],
  ])("%s is nearest to %s", (region, nearest) => expect(nearestRegion(region)).toBe(nearest));
});

describe("issuers, by hosting and partition", () => {
  const rows = table.map(([id, suffix, regions]) => [id, suffix, regions.split(" ")[0] ?? ""] as const);

  it.each(rows)("a bucket in %s (%s, %s)", (partition, suffix, region) => {
    const made = makeIssuer(identity({ aws: { region } }));
    expectClean(made);
    const files = made.bundle("aws/issuer.yaml");
    const url = `https://demo-oidc.s3.${region}.${suffix}`;
    expect(files["openid-configuration"].issuer).toBe(url);
    expect(files["openid-configuration"].jwks_uri).toBe(`${url}/keys.json`);
    expect(files["create-open-id-connect-provider.json"].Url).toBe(url);
    expect(files["create-bucket.json"]).toEqual(
      region === "us-east-1"
        ? { Bucket: "demo-oidc" }
        : { Bucket: "demo-oidc", CreateBucketConfiguration: { LocationConstraint: region } },
    );
    expect(files["bucket-policy.json"].Statement[0].Resource).toEqual([
      `arn:${partition}:s3:::demo-oidc/.well-known/openid-configuration`,
      `arn:${partition}:s3:::demo-oidc/keys.json`,
    ]);
  });

  it.each(rows)("an external issuer in %s", (partition, _suffix, region) => {
    const url = "https://oidc.example.com/a/b";
    const aws = { region, issuerHosting: { type: "External" } };
    const made = makeCredentials(identity({ aws, spec: { issuer: { url } } }), [value]);
    expectClean(made);
    const { Principal, Condition } = made.bundle(role)["trust-policy.json"].Statement[0];
    expect(Principal).toEqual({ Federated: `arn:${partition}:iam::123456789012:oidc-provider/oidc.example.com/a/b` });
    expect(Condition.StringEquals).toEqual({ "oidc.example.com/a/b:sub": "system:serviceaccount:ns-one:one-operator" });
  });

  it("with CloudFront: a custom domain takes precedence over the distribution's, and a URL must match it", () => {
    const certificateARN = "arn:aws:acm:us-east-1:123456789012:certificate/x";
    const hosting = {
      type: "S3CloudFront",
      domain: "oidc.example.com",
      distributionDomain: "d111111abcdef8.cloudfront.net",
      certificateARN,
    };
    const made = (url?: string) =>
      makeCredentials(
        identity({ aws: { issuerHosting: hosting }, spec: { issuer: url === undefined ? {} : { url } } }),
        [value],
      );
    for (const same of [made(), made("https://oidc.example.com")]) {
      expectClean(same);
      expect(same.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
        "arn:aws:iam::123456789012:oidc-provider/oidc.example.com",
      );
    }
    expect(expectFinding(made("https://d111111abcdef8.cloudfront.net"), "error", "issuer-contradiction")).toBe(
      '"spec.issuer.url" is "https://d111111abcdef8.cloudfront.net", but with this hosting the issuer is "https://oidc.example.com". Remove the URL, or set the hosting type to "External".',
    );
  });

  it("with CloudFront before its domain is known: a URL can contain it", () => {
    const aws = { issuerHosting: { type: "S3CloudFront" } };
    const url = "https://d111111abcdef8.cloudfront.net";
    expectClean(makeCredentials(identity({ aws, spec: { issuer: { url } } }), [value]));
    expect(expectFinding(makeIssuer(identity({ aws })), "warning", "issuer-unknown")).toBe(
      'the issuer is not known yet: CloudFront assigns a distribution\'s domain when the distribution is created. Only the bucket, the access control and the distribution are generated; Secrets, roles and the Authentication are not. Apply the distribution, set "spec.platform.aws.issuerHosting.distributionDomain" to the domain that "ccf apply" prints, and render again.',
    );
  });
});

describe("an existing provider", () => {
  const arn = "arn:aws:iam::123456789012:oidc-provider/demo-oidc.s3.us-east-2.amazonaws.com";

  it("of the issuer is trusted and not created", () => {
    const config = identity({ aws: { identityProviderARN: arn } });
    expect(makeCredentials(config, [value]).bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      arn,
    );
    const files = makeIssuer(config).bundle("aws/issuer.yaml");
    expect(Object.keys(files)).not.toContain("create-open-id-connect-provider.json");
    expect(Object.keys(files)).toContain("create-bucket.json");
  });

  it.each([
    "arn:aws-cn:iam::123456789012:oidc-provider/demo-oidc.s3.us-east-2.amazonaws.com",
    "arn:aws:iam::210987654321:oidc-provider/demo-oidc.s3.us-east-2.amazonaws.com",
    "arn:aws:iam::123456789012:oidc-provider/demo-oidc.s3.us-east-1.amazonaws.com",
    `${arn}/`,
  ])("%s is another's, and the right one is named in full", (wrong) => {
    const made = makeCredentials(identity({ aws: { identityProviderARN: wrong } }), [value]);
    expect(expectFinding(made, "error", "arn-mismatch")).toBe(
      `"spec.platform.aws.identityProviderARN" is "${wrong}", but the provider of the issuer "demo-oidc.s3.us-east-2.amazonaws.com" in this account is "${arn}". Correct the ARN, or remove it to have the provider created.`,
    );
  });
});

it("thumbprints are in lowercase, without duplicates, and omitted if none is set", () => {
  const provider = (aws: Any) =>
    makeIssuer(identity({ aws })).bundle("aws/issuer.yaml")["create-open-id-connect-provider.json"];
  const thumbprints = ["AB".repeat(20), "cd".repeat(20), "ab".repeat(20)];
  expect(provider({ thumbprints }).ThumbprintList).toEqual(["ab".repeat(20), "cd".repeat(20)]);
  expect(provider({ thumbprints: [] })).not.toHaveProperty("ThumbprintList");
  expect(provider({})).not.toHaveProperty("ThumbprintList");
});

describe("what the list says about the cluster", () => {
  const infrastructure = (region: Any, path: string) => ({
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster", annotations: { "config.kubernetes.io/path": path } },
    status: { platformStatus: { type: "AWS", aws: { region } } },
  });
  const authentication = (issuer: Any, path: string) => ({
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster", annotations: { "config.kubernetes.io/path": path } },
    spec: { serviceAccountIssuer: issuer },
  });
  const eachOrder = <T>(a: T, b: T): T[][] => [
    [a, b],
    [b, a],
  ];

  it("with two equal objects is unambiguous", () => {
    for (const both of eachOrder(infrastructure("eu-west-1", "a.yaml"), infrastructure("eu-west-1", "b.yaml"))) {
      const made = makeCredentials(identity({ aws: { region: undefined } }), [...both, value]);
      expectClean(made);
      expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toContain(".s3.eu-west-1.");
    }
  });

  it("with two regions is a contradiction, whichever comes first", () => {
    for (const both of eachOrder(infrastructure("us-east-2", "a.yaml"), infrastructure("eu-west-1", "b.yaml"))) {
      for (const region of [undefined, "us-east-2"]) {
        const made = makeCredentials(identity({ aws: { region } }), [...both, value]);
        expect(expectFinding(made, "error", "region-contradiction")).toBe(
          'the Infrastructure "cluster" appears more than once in the package, with the regions "eu-west-1" and "us-east-2"; remove the wrong one.',
        );
      }
    }
  });

  it.each([[undefined], [""], [5], [null]])("with the region %j is ignored", (region) => {
    expectClean(makeCredentials(identity(), [infrastructure(region, "a.yaml"), value]));
    const made = makeCredentials(identity({ aws: { region: undefined } }), [infrastructure(region, "a.yaml"), value]);
    expect(expectFinding(made, "error", "config-missing-field")).toBe(
      '"spec.platform.aws.region" is required, unless the package contains the Infrastructure "cluster" with the region in its status.',
    );
  });

  it("with two issuers is an error, whichever comes first", () => {
    const aws = { issuerHosting: { type: "External" } };
    for (const both of eachOrder(
      authentication("https://b.example.com", "a.yaml"),
      authentication("https://a.example.com", "b.yaml"),
    )) {
      expect(
        expectFinding(makeCredentials(identity({ aws }), [...both, value]), "error", "authentication-repeated"),
      ).toBe(
        'the Authentication "cluster" appears more than once in the package, with the issuers "https://a.example.com" and "https://b.example.com". Remove the wrong one, or set "spec.issuer.url".',
      );
      expectClean(
        makeCredentials(identity({ aws, spec: { issuer: { url: "https://c.example.com" } } }), [...both, value]),
      );
    }
  });

  it("with a repeated Authentication reports the same one, whatever the order and the other findings", () => {
    const written = [authentication("", "b.yaml"), authentication("", "a.yaml"), authentication("", "c.yaml")];
    for (const items of [written, [...written].reverse()]) {
      for (const config of [identity(), identity({ aws: { region: "xx-foo-1" } })]) {
        const made = makeIssuer(config, items);
        expect(expectFinding(made, "error", "authentication-repeated")).toBe(
          'appears 3 times in the package ("a.yaml", "b.yaml", "c.yaml"); a cluster has exactly one. Remove all but one.',
        );
        const [{ file }] = made.results.filter((result) => result.tags.code === "authentication-repeated");
        expect(file).toEqual({ path: "b.yaml", index: 0 });
      }
    }
  });
});

describe("bucket names", () => {
  it.each(["abc", "a1b", "0-9", "a".repeat(63), "xn-abc", "my-s3alias-x", "a--b"])("%s is one", (name) => {
    expect(bucketNameProblem(name)).toBeUndefined();
  });

  const letters = "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";
  it.each([
    ["", "has 0 characters, but must have 3 to 63"],
    ["ab", "has 2 characters, but must have 3 to 63"],
    ["a".repeat(64), "has 64 characters, but must have 3 to 63"],
    ["abc-", letters],
    ["a_c", letters],
    ["äbc", letters],
    ["192.168.0.1", letters],
    ["a/../b", letters],
    ["abc--table-s3", 'contains "--table-s3", which AWS reserves'],
    ["xn--abc", 'contains "xn--", which AWS reserves'],
    ["abc--x-s3", 'contains "--x-s3", which AWS reserves'],
  ])("%j %s", (name, problem) => expect(bucketNameProblem(name)).toBe(problem));
});

describe("tags", () => {
  it.each([
    [{ ["k".repeat(128)]: "v".repeat(256) }],
    [{ "a B_c.d:e/f=g+h-i@j": "é ü 漢 1" }],
    [{ empty: "" }],
    [{ xaws: "aws:x" }],
  ])("may be %j", (extra) => expect(clusterTags({ prefix: "demo", mark: "owned" }, extra).problems).toEqual([]));

  it("are all reported, sorted, and cannot replace the owner tag or the name", () => {
    const { problems } = clusterTags(
      { prefix: "demo", mark: "owned" },
      {
        "openshift.io/cloud-credential-operator/DEMO": "shared",
        "AWS:x": "",
        NAME: "x",
        "k\u001b": "x",
      },
    );
    expect(problems).toEqual([
      'the tag "AWS:x" must not begin with "aws:".',
      'the tag "NAME" is already set; tag keys are not case-sensitive.',
      'the tag "k\\u001b" must contain only letters, digits, spaces and _.:/=+-@.',
      'the tag "openshift.io/cloud-credential-operator/DEMO" is already set; tag keys are not case-sensitive.',
    ]);
  });

  it("have an owner key within the limit for every prefix", () => {
    expect(ownerTagKey("demo")).toBe("openshift.io/cloud-credential-operator/demo");
    expect(ownerTagKey("p".repeat(63)).length).toBeLessThanOrEqual(128);
  });
});

describe("ARNs", () => {
  const account = { partition: "aws-us-gov", accountId: "012345678901" };

  it.each([
    ["/", "arn:aws-us-gov:iam::012345678901:role/name"],
    ["/a/b/", "arn:aws-us-gov:iam::012345678901:role/a/b/name"],
  ])("of a role below %s", (path, expected) => expect(roleArn(account, path, "name")).toBe(expected));

  it("of a provider, without the leading scheme only", () => {
    expect(providerArn(account, "https://a.example.com/https://b")).toBe(
      "arn:aws-us-gov:iam::012345678901:oidc-provider/a.example.com/https://b",
    );
    expect(withoutScheme("https://a.example.com")).toBe("a.example.com");
  });
});

describe("role names over 64 characters", () => {
  const names = ["demo", "n".repeat(40), "s".repeat(30)] as const;
  const full = names.join("-");

  it("end, with Hash, in the first digits of SHA-256 over the full name", () => {
    const hash = createHash("sha256").update(full).digest("hex").slice(0, 8);
    expect(roleName(...names, "Hash")).toBe(`${full.slice(0, 55)}-${hash}`);
  });

  it("are not hashed at 64, and have no '-' or '.' before the hash", () => {
    const sixtyFour = ["demo", "n".repeat(40), "s".repeat(18)] as const;
    for (const overflow of ["Truncate", "Hash", "Fail"] as const) {
      expect(roleName(...sixtyFour, overflow)).toBe(sixtyFour.join("-"));
    }
    expect(roleName("demo", "n".repeat(49), "s".repeat(30), "Hash")).toMatch(/^demo-n{49}-[0-9a-f]{8}$/);
  });
});

describe("policies", () => {
  const trusted = {
    url: "https://i.example.com",
    providerArn: "arn:aws:iam::123456789012:oidc-provider/i.example.com",
  };

  it("have one statement for each issuer, with elements in AWS's order", () => {
    const other = { url: "https://j.example.com/x", providerArn: "arn:other" };
    const policy = trustPolicy([trusted, other], [{ namespace: "n", name: "a" }], ["aud"]);
    expect(JSON.stringify(policy)).toBe(
      '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":"arn:aws:iam::123456789012:oidc-provider/i.example.com"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"i.example.com:sub":"system:serviceaccount:n:a","i.example.com:aud":"aud"}}},{"Effect":"Allow","Principal":{"Federated":"arn:other"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"j.example.com/x:sub":"system:serviceaccount:n:a","j.example.com/x:aud":"aud"}}}]}',
    );
  });

  it("trust an issuer once, however often it is listed as a previous one", () => {
    const previous = ["https://old.example.com", "https://old.example.com"];
    const made = makeCredentials(identity({ spec: { issuer: { previous } } }), [value]);
    expect(expectFinding(made, "info", "previous-issuer")).toBe(
      'roles still trust the previous issuer "https://old.example.com". When the cluster has moved, run "ccf destroy --previous" and remove the issuer from "spec.issuer.previous".',
    );
    expect(made.bundle(role)["trust-policy.json"].Statement).toHaveLength(2);
  });

  it.each([
    ["arn:aws:s3:::x", "arn:aws-cn:s3:::x", true],
    ["arn:aws-cn:s3:::x", "arn:aws-cn:s3:::x", false],
    ["arn:aws-us-gov:s3:::x", "arn:aws-us-gov:s3:::x", false],
    ["arn:*:s3:::x", "arn:*:s3:::x", false],
    ["*", "*", false],
    ["arn:aws:s3:::arn:aws:y", "arn:aws-cn:s3:::arn:aws:y", true],
  ])("in aws-cn, %s is %s", (resource, expected, isRewritten) => {
    const { policy, rewritten } = permissionsPolicy([{ effect: "Allow", action: ["a:b"], resource }], "aws-cn");
    expect(policy.Statement[0]?.["Resource"]).toBe(expected);
    expect(rewritten).toEqual(isRewritten ? [resource] : []);
  });

  it("in the partition aws are not rewritten, and nothing is said", () => {
    const item = request("one", {
      spec: statements({ effect: "Allow", action: ["s3:GetObject"], resource: "arn:aws:s3:::x" }),
    });
    const made = makeCredentials(identity(), [item]);
    expect(made.results).toEqual([]);
    expect(made.bundle(role)["permissions-policy.json"].Statement[0].Resource).toBe("arn:aws:s3:::x");
  });

  it("keep IAM's own variables", () => {
    const policyCondition = {
      StringLike: { "s3:prefix": ["${aws:username}/*", "${aws:PrincipalTag/team, 'none'}", "${*}"] },
    };
    const resource = "arn:aws:s3:::x/${aws:userid}";
    const item = request("one", {
      spec: statements({ effect: "Allow", action: ["s3:ListBucket"], resource, policyCondition }),
    });
    const made = makeCredentials(identity(), [item]);
    expectClean(made);
    expect(made.bundle(role)["permissions-policy.json"].Statement[0]).toEqual({
      Effect: "Allow",
      Action: "s3:ListBucket",
      Resource: resource,
      Condition: policyCondition,
    });
  });

  it.each(["${NAMESPACE}", "${ns:-default}", "${}", "${AWS:x"])("treat %s as a placeholder", (text) => {
    const item = request("one", {
      spec: statements({ effect: "Allow", action: ["s3:ListBucket"], resource: `arn:aws:s3:::${text}` }),
    });
    expect(expectFinding(makeCredentials(identity(), [item]), "error", "request-placeholder")).toBe(
      `"spec.providerSpec.statementEntries[0].resource" is "arn:aws:s3:::${text}", a placeholder that was not filled in. Replace it with the value.`,
    );
  });

  it("have the size that IAM measures", () => {
    expect(policySize('{"a":\t"b c"\r\n}')).toBe(10);
  });
});

// Texts are padded so that the policy has exactly the required size.
describe("at the limit", () => {
  const trustOf = (length: number) => {
    const accounts = Array.from({ length: 40 }, (_, index) => `account-${index}`);
    const withLast = (last: string) =>
      makeCredentials(identity(), [request("one", { spec: { serviceAccountNames: [...accounts, last] } })]);
    const size = JSON.stringify(withLast("x").bundle(role)["trust-policy.json"]).length;
    if (length < size) throw new Error(`${size} characters at least`);
    const more = Math.floor((length - size) / 250);
    const long = Array.from({ length: more }, (_, index) =>
      `${index}`.padStart(250 - "system:serviceaccount:ns-one:".length - 3, "a"),
    );
    const names = [...accounts, ...long];
    return makeCredentials(identity(), [
      request("one", { spec: { serviceAccountNames: [...names, "x".repeat(1 + ((length - size) % 250))] } }),
    ]);
  };

  it.each([
    [2048, []],
    [
      2049,
      [
        [
          "policy-over-quota",
          'its trust policy has 2049 characters; IAM allows 2048 by default. Request an increase of the account\'s quota "Role trust policy length" before you apply.',
        ],
      ],
    ],
    [
      8192,
      [
        [
          "policy-over-quota",
          'its trust policy has 8192 characters; IAM allows 2048 by default. Request an increase of the account\'s quota "Role trust policy length" before you apply.',
        ],
      ],
    ],
    [
      8193,
      [
        [
          "policy-too-large",
          'its trust policy has 8193 characters; IAM allows at most 8192. Name fewer service accounts in "spec.serviceAccountNames" of the request, or in "serviceAccountNames" in "spec.overrides" for "ns-one/credentials".',
        ],
      ],
    ],
  ])("a trust policy of %d characters: %j", (length, expected) => {
    const made = trustOf(length);
    expect(made.results.map((result) => [result.tags.code, result.message])).toEqual(expected);
    expect(made.exitCode).toBe(length > 8192 ? 1 : 0);
  });

  it.each([
    [10240, []],
    [
      10241,
      [
        [
          "policy-too-large",
          'its permissions policy has 10241 characters; IAM allows at most 10240 for the inline policies of a role. Shorten "spec.providerSpec.statementEntries" of the request, for example with wildcards in actions.',
        ],
      ],
    ],
  ])("permissions of %d characters: %j", (length, expected) => {
    const entries = (last: string) =>
      statements(
        ...Array.from({ length: 5 }, () => ({ effect: "Allow", action: ["a:b"], resource: `arn:${"x".repeat(1900)}` })),
        { effect: "Allow", action: ["a:b"], resource: `arn:${last}` },
      );
    const size = JSON.stringify(
      makeCredentials(identity(), [request("one", { spec: entries("x") })]).bundle(role)["permissions-policy.json"],
    ).length;
    const made = makeCredentials(identity(), [request("one", { spec: entries("x".repeat(length - size + 1)) })]);
    expect(made.results.map((result) => [result.tags.code, result.message])).toEqual(expected);
  });
});
