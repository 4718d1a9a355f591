import { describe, expect, it } from "vitest";
import { type Any, identity, request } from "../../helpers/cluster.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const config = (release: Any = {}): Any => identity({ spec: { release } });
const one = (annotations: Any = {}): Any =>
  request("one", { annotations, spec: { secretRef: { namespace: "openshift-one", name: "credentials" } } });
const messages = (objects: readonly Any[], live: readonly Any[], code: string): string[] =>
  validated(objects, live)
    .filter((found) => found.code === code)
    .map(({ message }) => message);

describe("Secrets that are missing", () => {
  const secret = (name: string, namespace: string): Any => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    stringData: { credentials: "[default]\nrole_arn = arn:aws:iam::123456789012:role/one" },
  });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "openshift-one" } };

  it.each<[string, readonly Any[], readonly string[]]>([
    ["nothing of the namespace", [secret("x", "other")], []],
    ["the namespace, and no Secret at all", [namespace], []],
    ["the namespace, and Secrets of others", [namespace, secret("x", "other")], ["live-secret-missing"]],
    ["another Secret of the namespace", [secret("x", "openshift-one")], ["live-secret-missing"]],
    ["the Secret", [secret("credentials", "openshift-one")], []],
  ])("in a dump with %s", (_name, live, codes) => {
    expect(codesOf(validated([secret("credentials", "openshift-one")], live))).toEqual(codes);
  });
});

describe("a Secret in the cluster", () => {
  const secret = (texts: Any): Any => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials", namespace: "openshift-one" },
    stringData: { credentials: "[default]\nrole_arn = arn:aws:iam::123456789012:role/one", ...texts },
  });

  it.each<[string, Any, readonly string[]]>([
    ["is the same", {}, []],
    [
      "has a key besides",
      { aws_access_key_id: "x" },
      [
        'differs from the one in the cluster in "aws_access_key_id"; `oc apply` of the rendered Secret does not remove "aws_access_key_id", so use `oc replace`.',
      ],
    ],
    [
      "has two keys besides, and another role",
      { aws_secret_access_key: "y", aws_access_key_id: "x", credentials: "[default]\nrole_arn = x" },
      [
        expect.stringContaining(
          '; `oc apply` of the rendered Secret does not remove "aws_access_key_id", "aws_secret_access_key", so use `oc replace`.',
        ),
      ],
    ],
    [
      "has a key whose name is not shown",
      { "Wq7hunter2 Zr9": "x" },
      [
        'differs from the one in the cluster in "(a value that is not shown)"; `oc apply` of the rendered Secret does not remove "(a value that is not shown)", so use `oc replace`.',
      ],
    ],
    ["has other white space", { credentials: "\n[default]\n  role_arn=arn:aws:iam::123456789012:role/one\n" }, []],
    [
      "has a setting more",
      { credentials: "[default]\nrole_arn = arn:aws:iam::123456789012:role/one\nregion = x" },
      ['differs from the one in the cluster in "region"; apply the rendered Secret.'],
    ],
    [
      "has a line that looks like a setting, which is not shown",
      { credentials: "[default]\nrole_arn = arn:aws:iam::123456789012:role/one\nWq7hunter2Zr9= x" },
      ['differs from the one in the cluster in "(a value that is not shown)"; apply the rendered Secret.'],
    ],
  ])("%s", (_name, texts, expected) => {
    expect(messages([secret({})], [secret(texts)], "live-secret-differs")).toEqual(expected);
  });
});

describe("feature gates", () => {
  const gates = (featureSet: string | undefined, enabled: string[] = [], disabled: string[] = []): Any => ({
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: featureSet === undefined ? {} : { featureSet },
    status: {
      featureGates: [
        { version: "4.20.0", enabled: enabled.map((name) => ({ name })), disabled: disabled.map((name) => ({ name })) },
      ],
    },
  });
  const field = '"spec.release.featureGates"';

  it.each<[string, Any, Any, readonly string[]]>([
    ["the default set, without a name", {}, gates(undefined), []],
    ["the default set, named so", {}, gates("Default"), []],
    [
      "another set",
      {},
      gates("TechPreviewNoUpgrade"),
      ['"spec.release.featureSet" is "Default", and the cluster\'s feature set is "TechPreviewNoUpgrade".'],
    ],
    ["the set that is said", { featureSet: "CustomNoUpgrade" }, gates("CustomNoUpgrade"), []],
    ["a gate that is on, and said", { featureGates: ["A"] }, gates("", ["A"]), []],
    [
      "a gate that is off, and said",
      { featureGates: ["A"] },
      gates("", [], ["A"]),
      [`${field} contains what is disabled in the cluster: "A". Remove it.`],
    ],
    [
      "a gate that a request needs, and is on",
      {},
      gates("", ["Needed"]),
      [`${field} lacks what is enabled in the cluster: "Needed". Add it.`],
    ],
    ["a gate that a request needs, and is off", {}, gates("", [], ["Needed"]), []],
    ["a gate without a mention", {}, gates("", ["Other"]), []],
    ["a gate that the cluster does not know", { featureGates: ["Old"] }, gates("", ["A"]), []],
  ])("%s", (_name, release, live, expected) => {
    const objects = [config(release), one({ "release.openshift.io/feature-gate": "Needed,-Unneeded" })];
    expect(messages(objects, [live], "live-feature-gates")).toEqual(expected);
  });

  it("of two versions, while the cluster is upgraded, count as off where one has them off", () => {
    const live = gates("", ["A"]);
    live.status.featureGates.push({ version: "4.19.0", enabled: [], disabled: [{ name: "A" }] });
    expect(messages([config({ featureGates: ["A"] })], [live], "live-feature-gates")).toEqual([
      `${field} contains what is disabled in the cluster: "A". Remove it.`,
    ]);
  });

  it("are not compared where no ClusterIdentity says what they are", () => {
    expect(messages([one()], [gates("TechPreviewNoUpgrade")], "live-feature-gates")).toEqual([]);
  });
});

describe("capabilities", () => {
  const version = (enabledCapabilities: unknown): Any => ({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { capabilities: { enabledCapabilities } },
  });
  const field = '"spec.release.capabilities"';

  it.each<[string, Any, Any, readonly string[]]>([
    ["as they are said, in any order", { capabilities: ["A", "B"] }, version(["B", "A"]), []],
    [
      "more than is said",
      { capabilities: ["A"] },
      version(["A", "C", "B"]),
      [`${field} lacks what is enabled in the cluster: "B", "C". Add it.`],
    ],
    [
      "less than is said",
      { capabilities: ["A", "B"] },
      version(["B"]),
      [`${field} contains what is not enabled in the cluster: "A". Remove it.`],
    ],
    [
      "that a request needs",
      {},
      version(["B"]),
      [
        `${field} is not set, which means all capabilities, but requests need what is not enabled in the cluster: "Needed". Set the field.`,
      ],
    ],
    ["that no request needs", {}, version(["Needed"]), []],
    ["in another form", { capabilities: ["A"] }, version("A"), []],
  ])("%s", (_name, release, live, expected) => {
    const objects = [config(release), one({ "capability.openshift.io/name": "Needed" })];
    expect(messages(objects, [live], "live-capabilities")).toEqual(expected);
  });
});

describe("the mode of the operator", () => {
  const operator = (spec: Any): Any => ({
    apiVersion: "operator.openshift.io/v1",
    kind: "CloudCredential",
    metadata: { name: "cluster" },
    spec,
  });

  it.each([
    [{ credentialsMode: "Manual" }, []],
    [{ credentialsMode: "Mint" }, ['"spec.credentialsMode" is "Mint" in the cluster, but must be "Manual".']],
    [{ credentialsMode: "" }, ['"spec.credentialsMode" is "" in the cluster, but must be "Manual".']],
    [{}, ['"spec.credentialsMode" is "" in the cluster, but must be "Manual".']],
  ])("%o", (spec, expected) => {
    expect(messages([one()], [operator(spec)], "live-credentials-mode")).toEqual(expected);
  });
});

describe("objects with a uid among the items", () => {
  const issuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";
  const authentication = (metadata: Any, serviceAccountIssuer: string): Any => ({
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster", ...metadata },
    spec: { serviceAccountIssuer },
  });

  it("are the cluster's, and not the package's", () => {
    const own = authentication({}, issuer);
    expect(codesOf(validated([config(), one(), own]))).toEqual([]);
    expect(codesOf(validated([config(), one(), own, authentication({ uid: "1" }, issuer)]))).toEqual([]);
    expect(codesOf(validated([config(), one(), own, authentication({ uid: "1" }, "")]))).toEqual(["live-issuer"]);
    expect(codesOf(validated([config(), one(), own, authentication({}, issuer)]))).toContain("authentication-repeated");
  });

  it("leave the issuer of an external host to the cluster, where the package has none of its own", () => {
    const external = identity({ aws: { issuerHosting: { type: "External" } } });
    const live = authentication({ uid: "1" }, "https://oidc.example.com");
    expect(codesOf(validated([external, one(), live]))).toEqual([]);
    expect(codesOf(validated([external, one()]))).toContain("config-missing-field");
  });
});

describe("ServiceAccounts and pods of workloads", () => {
  const arn = "arn:aws:iam::123456789012:role/demo-shop-cart";
  const account = (metadata: Any = {}, annotations: Any = {}): Any => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: {
      name: "cart",
      namespace: "shop",
      annotations: { "eks.amazonaws.com/role-arn": arn, ...annotations },
      ...metadata,
    },
  });
  const rendered = account({}, { "fn.cloudcredential.dev/generated-by": "generate-workload-identities/demo" });
  const pod = (serviceAccountName: string, ...values: string[]): Any => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "cart-1", namespace: "shop" },
    spec: { serviceAccountName, containers: [{ env: values.map((value) => ({ name: "AWS_ROLE_ARN", value })) }] },
  });

  it.each<[string, readonly Any[], readonly string[]]>([
    ["the ServiceAccount as it was rendered", [account()], []],
    ["the ServiceAccount with more annotations", [account({}, { other: "x" })], []],
    ["another role", [account({}, { "eks.amazonaws.com/role-arn": `${arn}-2` })], ["live-service-account"]],
    ["other ServiceAccounts of the namespace", [account({ name: "other" })], ["live-service-account"]],
    ["ServiceAccounts of other namespaces", [account({ namespace: "other" })], []],
    ["a pod with its role", [pod("cart", arn)], []],
    ["a pod that is older than the annotations", [pod("cart")], ["live-pod-identity"]],
    ["a pod with a former role", [pod("cart", `${arn}-2`)], ["live-pod-identity"]],
    ["a pod of another service account", [pod("other")], []],
    ["no webhook configurations at all", [], []],
  ])("in a dump with %s", (_name, live, codes) => {
    expect(codesOf(validated([rendered], live))).toEqual(codes);
  });
});
