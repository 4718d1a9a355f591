import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import {
  type Any,
  expectFinding,
  identity,
  type Made,
  make,
  makeCredentials,
  request,
  subscription,
} from "../../helpers/cluster.ts";

const annotation = "fn.cloudcredential.dev/subscription";
const release = { "include.release.openshift.io/self-managed-high-availability": "true" };
const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const codes = ({ results }: Made) => results.map(({ tags }) => tags.code).sort();
const run = (items: readonly Any[], config = identity()) => make(generators, config, items);

/** A request that names a role. */
const given = (stsIAMRoleARN: string, more: Any = {}) => {
  const value = request("one", more);
  return { ...value, spec: { ...value.spec, providerSpec: { ...value.spec.providerSpec, stsIAMRoleARN } } };
};

describe("a request whose operator's Subscription may be in another namespace", () => {
  const items = [request("one"), subscription("loki-operator", "openshift-operators-redhat")];

  it("is an error that prints the choices, before anything is rendered", () => {
    const made = run(items);
    expect(made.exitCode).toBe(1);
    expect(made.objects).toEqual({});
    expect(expectFinding(made, "error", "request-owner-unknown")).toBe(
      'is not from a release, and no Subscription is in the namespace "ns-one" of its Secret, but no request belongs to a Subscription in another namespace. If an operator needs this request, set the annotation "fn.cloudcredential.dev/subscription: openshift-operators-redhat/loki-operator". If none does, set "fn.cloudcredential.dev/subscription: none".',
    );
  });

  it.each([
    ["openshift-operators-redhat/loki-operator", "ROLEARN"],
    ["none", undefined],
  ])("is settled by the annotation %j", (value, variable) => {
    const made = run([request("one", { annotations: { [annotation]: value } }), items[1]]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(codes(made)).not.toContain("request-owner-unknown");
    const { env } = JSON.parse(made.stdout).items[1].spec.config ?? { env: [{}] };
    expect(env[0].name).toBe(variable);
    expect(Object.keys(made.objects).includes("manifests/ns-one-credentials-credentials.yaml")).toBe(value === "none");
  });

  it("is not asked about before the namespace of its Secret is filled in", () => {
    const template = request("one", { spec: { secretRef: { name: "credentials", namespace: "${NAMESPACE}" } } });
    expect(codes(run([template, items[1]]))).not.toContain("request-owner-unknown");
  });

  it("can belong to a Subscription with the reserved name in a namespace", () => {
    const annotated = request("one", { annotations: { [annotation]: "far/none" } });
    expect(run([annotated, subscription("none", "far")]).exitCode).toBe(0);
  });

  it("causes no error if another request belongs to the Subscription, or if the config skips it", () => {
    const owner = request("two", { annotations: { [annotation]: "openshift-operators-redhat/loki-operator" } });
    expect(codes(run([...items, owner]))).not.toContain("request-owner-unknown");
    const skips = identity({ spec: { overrides: { "ns-one/credentials": { skip: true } } } });
    expect(codes(run(items, skips))).not.toContain("request-owner-unknown");
  });
});

it("a request that is not from a release is a warning beside those of a release", () => {
  const made = makeCredentials(identity(), [request("one"), request("two", { annotations: release })]);
  expect(made.exitCode).toBe(0);
  expect(expectFinding(made, "warning", "request-owner-unknown")).toBe(
    'is not from a release, and no Subscription is in the namespace "ns-one" of its Secret. Its role and its Secret are generated as for the platform. If no OLM operator needs them, set the annotation "fn.cloudcredential.dev/subscription: none" to confirm this; otherwise, add the Subscription of its operator to the package.',
  );
  const settled = request("one", { annotations: { [annotation]: "none" } });
  expect(codes(makeCredentials(identity(), [settled, request("two", { annotations: release })]))).toEqual([]);
});

describe("a request with its own role and no Subscription", () => {
  it.each([
    ["without an annotation", given(arn("loki"))],
    ["that belongs to no Subscription", given(arn("loki"), { annotations: { [annotation]: "none" } })],
  ])("gets neither a role nor a Secret, %s", (_, value) => {
    const made = makeCredentials(identity(), [value, request("two", { annotations: release })]);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(expectFinding(made, "info", "request-own-identity")).toBe(
      `excluded: its "spec.providerSpec.stsIAMRoleARN" names the role "${arn("loki")}", with which the cloud-credential-operator creates its Secret, so the package contains neither. If the package should contain the role, remove the value, or set "roleName" in "spec.platform.aws.overrides" for "ns-one/credentials" to "loki".`,
    );
    expect(Object.keys(made.objects).filter((path) => path.includes("ns-one"))).toEqual([]);
    expect(Object.keys(made.objects)).toContain("manifests/ns-two-credentials-credentials.yaml");
  });

  it.each([
    ["the role that the package generates", arn("demo-ns-one-credentials"), {}],
    ["the role in the config", arn("loki"), { "ns-one/credentials": { roleName: "loki" } }],
  ])("gets both if it is %s", (_, role, overrides) => {
    const made = makeCredentials(identity({ aws: { overrides } }), [given(role)]);
    expect(codes(made)).toEqual([]);
    expect(Object.keys(made.objects)).toContain("manifests/ns-one-credentials-credentials.yaml");
  });

  it("does not lose what was rendered for it in silence", () => {
    const before = JSON.parse(run([request("one")]).stdout).items.slice(1);
    const made = run([given(arn("loki")), ...before]);
    expect(expectFinding(made, "error", "identities-lost")).toContain(
      'because their requests name other identities, with which the cloud-credential-operator creates the Secrets: "ns-one/credentials"',
    );
  });

  it("does not have a private key shown", () => {
    const key = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
    const made = makeCredentials(identity(), [given(`arn:aws:iam::123456789012:role/${key}`)]);
    expect(made.stderr).not.toContain("BEGIN");
    expectFinding(made, "error", "private-key");
  });
});
