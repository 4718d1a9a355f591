import { describe, expect, it } from "vitest";
import {
  type Any,
  expectClean,
  identity,
  type Made,
  makeCredentials,
  makeIssuer,
  request,
  statements,
} from "../../helpers/cluster.ts";

const value = request("one");
const role = "aws/roles/ns-one-credentials.yaml";
const allow = { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" };
const codes = ({ results }: Made) => results.map((each) => each.tags.code);
const issuerFiles = (config: Any) => makeIssuer(config).bundle("aws/issuer.yaml");
const withIssuer = (issuer: Any, aws: Any = {}) =>
  identity({ aws, spec: { issuer: { ...identity().spec.issuer, ...issuer } } });

describe("a value exactly at a limit is accepted", () => {
  it("a tag with AWS's reserved prefix later in its key", () => {
    const made = makeCredentials(identity({ aws: { tags: { "my-aws:x": "" } } }), [value]);
    expectClean(made);
    expect(made.bundle(role)["create-role.json"].Tags[2]).toEqual({ Key: "my-aws:x", Value: "" });
  });

  it("an issuer of 255 characters", () => {
    const url = `https://${"x".repeat(247)}`;
    const authentication = {
      apiVersion: "config.openshift.io/v1",
      kind: "Authentication",
      metadata: { name: "cluster" },
      spec: { serviceAccountIssuer: url },
    };
    const made = makeCredentials(identity({ aws: { issuerHosting: { type: "External" } } }), [value, authentication]);
    expectClean(made);
    expect(made.bundle(role)["trust-policy.json"].Statement[0].Principal.Federated).toBe(
      `arn:aws:iam::123456789012:oidc-provider/${url.slice(8)}`,
    );
  });

  it("a Secret whose namespace and name together have 236 characters", () => {
    const secretRef = { namespace: "n".repeat(60), name: "x".repeat(176) };
    const made = makeCredentials(identity(), [request("one", { spec: { secretRef } })]);
    expectClean(made);
    for (const [path, object] of Object.entries(made.objects)) {
      expect(path.slice(path.lastIndexOf("/") + 1).length).toBeLessThanOrEqual(255);
      expect(object.metadata.name.length).toBeLessThanOrEqual(253);
    }
  });

  it("a service account of 253 characters", () => {
    expectClean(makeCredentials(identity(), [request("one", { spec: { serviceAccountNames: ["x".repeat(253)] } })]));
  });
});

describe("the provider", () => {
  const thumbprint = "AABBCCDDEEFF00112233445566778899AABBCCDD";

  it("has thumbprints only if they are set, in lowercase and without duplicates", () => {
    expect(issuerFiles(identity())["create-open-id-connect-provider.json"]).not.toHaveProperty("ThumbprintList");
    const other = "0".repeat(40);
    const thumbprints = [thumbprint, other, thumbprint.toLowerCase()];
    expect(
      issuerFiles(identity({ aws: { thumbprints } }))["create-open-id-connect-provider.json"].ThumbprintList,
    ).toEqual([thumbprint.toLowerCase(), other]);
  });

  it.each([["ab"], [`${"a".repeat(39)}g`], ["a".repeat(41)]])("refuses the thumbprint %s", (wrong) => {
    const made = makeIssuer(identity({ aws: { thumbprints: [wrong] } }));
    expect(made.exitCode).toBe(1);
    expect(codes(made)).toContain("config-invalid-field");
  });

  it("that already exists is used by its ARN, even with a bucket, and not created", () => {
    const host = "demo-oidc.s3.us-gov-west-1.amazonaws.com";
    const identityProviderARN = `arn:aws-us-gov:iam::123456789012:oidc-provider/${host}`;
    const config = identity({ aws: { region: "us-gov-west-1", identityProviderARN } });
    expect(Object.keys(issuerFiles(config))).toEqual(
      expect.arrayContaining(["create-bucket.json", "put-bucket-policy.json"]),
    );
    expect(issuerFiles(config)).not.toHaveProperty(["create-open-id-connect-provider.json"]);
    const trust = makeCredentials(config, [value]).bundle(role)["trust-policy.json"];
    expect(trust.Statement[0].Principal.Federated).toBe(identityProviderARN);
  });
});

describe("the bucket", () => {
  it("is named with its owner in every call after its creation", () => {
    const files = issuerFiles(identity());
    const calls = Object.keys(files).filter((name) => name.startsWith("put-"));
    expect(calls).toHaveLength(5);
    for (const name of calls) {
      expect(files[name], name).toMatchObject({ Bucket: "demo-oidc", ExpectedBucketOwner: "123456789012" });
    }
    expect(files["put-object-keys.json"]).toEqual({
      Bucket: "demo-oidc",
      ExpectedBucketOwner: "123456789012",
      Key: "keys.json",
      ContentType: "application/json",
      ServerSideEncryption: "AES256",
    });
    expect(files["put-object-openid-configuration.json"].Key).toBe(".well-known/openid-configuration");
    expect(files["bucket-policy.json"].Version).toBe("2012-10-17");
  });

  it("may be set explicitly, if the issuer's URL is the same", () => {
    const url = "https://demo-oidc.s3.us-east-2.amazonaws.com";
    expect(codes(makeIssuer(withIssuer({ url })))).toEqual(["signing-key"]);
  });
});

describe("regions", () => {
  const infrastructure = (region: string, name = "cluster") => ({
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name },
    status: { platformStatus: { type: "AWS", aws: { region } } },
  });

  it("may be in both places if they agree, and those of other clusters are ignored", () => {
    expectClean(
      makeCredentials(identity(), [value, infrastructure("us-east-2"), infrastructure("eu-west-1", "other")]),
    );
  });

  it("from Infrastructure are checked against the partition too", () => {
    const made = makeCredentials(identity({ aws: { region: undefined, partition: "aws-cn" } }), [
      value,
      infrastructure("eu-west-1"),
    ]);
    expect(made.results.map((each) => each.message)).toEqual([
      '"spec.platform.aws.partition" is "aws-cn", but the region "eu-west-1" is in "aws"; remove the partition.',
    ]);
  });
});

describe("objects have the form that Kubernetes accepts", () => {
  it("a Secret and a ConfigMap, named after the request's Secret", () => {
    const { objects } = makeCredentials(identity(), [value]);
    expect(
      Object.values(objects).map(({ apiVersion, kind, type, metadata }) => [apiVersion, kind, type, metadata.name]),
    ).toEqual([
      ["v1", "ConfigMap", undefined, "aws-role-ns-one-credentials"],
      ["v1", "Secret", "Opaque", "credentials"],
    ]);
    expect(objects[role].metadata.namespace).toBeUndefined();
    expect(makeIssuer(identity()).objects["aws/issuer.yaml"].metadata.name).toBe("aws-issuer");
  });

  it("a role without a boundary has none, and resources keep a partition that is not the default one", () => {
    const spec = statements({ ...allow, resource: "arn:aws:s3:::x/arn:aws:y" });
    const made = makeCredentials(identity(), [request("one", { spec })]);
    expect(codes(made)).toEqual([]);
    expect(made.bundle(role)["create-role.json"]).not.toHaveProperty("PermissionsBoundary");
    const moved = makeCredentials(identity({ aws: { region: "cn-north-1" } }), [request("one", { spec })]);
    expect(moved.bundle(role)["permissions-policy.json"].Statement[0].Resource).toBe("arn:aws-cn:s3:::x/arn:aws:y");
    const foreign = statements({ ...allow, resource: "arn:aws-us-gov:s3:::arn:aws:y" });
    const kept = makeCredentials(identity({ aws: { region: "cn-north-1" } }), [request("one", { spec: foreign })]);
    expect(codes(kept)).toEqual([]);
    expect(kept.bundle(role)["permissions-policy.json"].Statement[0].Resource).toBe("arn:aws-us-gov:s3:::arn:aws:y");
  });

  it("managed policies' files have valid ConfigMap keys", () => {
    const managedPolicyARNs = ["arn:aws:iam::123456789012:policy/path/a+b=c,d@e"];
    const files = makeCredentials(identity({ aws: { overrides: { "ns-one/credentials": { managedPolicyARNs } } } }), [
      value,
    ]).bundle(role);
    const [name] = Object.keys(files).filter((each) => each.startsWith("attach-"));
    expect(name).toMatch(/^attach-role-policy-a_b_c_d_e-[0-9a-f]{8}\.json$/);
    expect(files[name as string]).toEqual({ RoleName: "demo-ns-one-credentials", PolicyArn: managedPolicyARNs[0] });
  });
});
