import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { customRoleId } from "../../../src/clouds/gcp/identities/identity.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  make,
  makeCredentials,
  makeIssuer,
  subscription,
} from "../../helpers/cluster.ts";
import { gcpConfig, gcpRequest, withGcpIssuer } from "../../helpers/gcp-cluster.ts";

const named = (count: number, prefix = "p") => Array.from({ length: count }, (_, index) => `${prefix}.x${index}.get`);

describe("a value exactly at a limit is accepted", () => {
  it.each<Any>([
    { projectID: "abcdef" },
    { projectID: "a".repeat(30) },
    { projectID: "a-1-b2" },
    { projectID: "example.com:my-project" },
    { projectID: "eu0:my-project" },
    { projectNumber: "1" },
    { projectNumber: "9".repeat(19) },
    { pool: "a123" },
    { pool: "-".repeat(32), provider: "gcp0" },
    { region: "europe-west3" },
    { keyStorage: "Bucket", bucket: "abc" },
    { keyStorage: "Bucket", bucket: `0${"_".repeat(61)}9` },
    { universeDomain: "apis-example.goog" },
  ])("%j", (gcp) => {
    expectClean(makeIssuer(gcpConfig({ gcp })));
  });

  it("a condition of 4096 characters", () => {
    const condition = (length: number) => `assertion.sub != '${"a".repeat(length - "assertion.sub != ''".length)}'`;
    expectClean(makeIssuer(gcpConfig({ gcp: { attributeCondition: condition(4096) } })));
    expect(makeIssuer(gcpConfig({ gcp: { attributeCondition: condition(4097) } })).exitCode).toBe(1);
  });

  it("ten audiences, and one of 255 characters", () => {
    const audiences = Array.from({ length: 10 }, (_, index) => `a${index}`);
    expectClean(makeIssuer(withGcpIssuer({ audiences })));
    expectClean(makeIssuer(withGcpIssuer({ audiences: ["a".repeat(255)] })));
  });

  it("a prefix of 4 and of 32 characters without a pool, and any prefix with a pool", () => {
    for (const resourcePrefix of ["a123", "p".repeat(32), "4demo"])
      expectClean(makeIssuer(gcpConfig({ spec: { resourcePrefix } })));
    for (const resourcePrefix of ["abc", "gcp-demo", "p".repeat(33)]) {
      const config = gcpConfig({ spec: { resourcePrefix }, gcp: { pool: "pool-one" } });
      expectClean(makeIssuer(config));
      expectClean(makeCredentials(config, [gcpRequest("one")]));
    }
  });

  it.each([
    "compute.disks.get",
    "iam.googleapis.com/workforcePools.create",
    "resourcemanager.tagValues.get",
    "file.instances.createTagBinding",
    "a-b.c.d",
  ])("the permission %s", (permission) => {
    const providerSpec = { predefinedRoles: [], permissions: [permission] };
    expectClean(makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec })]));
  });
});

describe("the size of a custom role", () => {
  const sized = (permissions: readonly string[]) =>
    makeCredentials(gcpConfig(), [gcpRequest("one", { providerSpec: { permissions } })]);

  it("is 3,000 permissions, without duplicates", () => {
    expectClean(sized([...named(3000), ...named(10)]));
    expect(expectFinding(sized(named(3001)), "error", "custom-role-too-large")).toMatch(
      /^requests 3001 permissions with \d+ characters; a custom role may contain at most 3000 permissions and 65536 characters\. Replace some in "spec\.providerSpec\.permissions" with predefined roles in "spec\.providerSpec\.predefinedRoles"\.$/,
    );
  });

  it("is 64 KiB", () => {
    const exact = Array.from({ length: 2048 }, (_, i) => `a.${"x".repeat(24)}.${10000 + i}`);
    expect(exact.join("").length).toBe(64 * 1024);
    expectClean(sized(exact));
    expectFinding(sized([...exact.slice(1), `a.${"x".repeat(25)}.10000`]), "error", "custom-role-too-large");
  });
});

describe("the subject of a service account", () => {
  const subjectOf = (namespace: string, name: string) =>
    makeCredentials(gcpConfig(), [
      gcpRequest("one", { spec: { secretRef: { namespace, name: "credentials" }, serviceAccountNames: [name] } }),
    ]);

  it("may have 127 bytes", () => {
    expectClean(subjectOf("n".repeat(54), "s".repeat(50)));
    expectClean(subjectOf("n".repeat(4), "s".repeat(100)));
  });

  it("is refused if it has 128", () => {
    const subject = `system:serviceaccount:${"n".repeat(54)}:${"s".repeat(51)}`;
    expect(subject).toHaveLength(128);
    const made = subjectOf("n".repeat(54), "s".repeat(51));
    const message = expectFinding(made, "error", "subject-too-long");
    expect(message).toContain(' has 128 bytes, but Google Cloud refuses a "google.subject" of more than 127: ');
    expect(message).toContain("the namespace and the name of the service account may have 104 together");
    expect(made.results[0].field.path).toBe("spec.serviceAccountNames");
  });

  it("is refused also if an override names the service account", () => {
    const overrides = { "ns-one/credentials": { serviceAccountNames: [`${"n".repeat(63)}/${"s".repeat(42)}`] } };
    expectFinding(
      makeCredentials(gcpConfig({ spec: { overrides } }), [gcpRequest("one")]),
      "error",
      "subject-too-long",
    );
  });
});

describe("two requests with the same ID", () => {
  const requests = [gcpRequest("one"), gcpRequest("two")];
  const collide = (overrides: Any, items = requests) => makeCredentials(gcpConfig({ gcp: { overrides } }), items);

  it("of a service account are an error", () => {
    const made = collide({
      "ns-one/credentials": { serviceAccountID: "the-same" },
      "ns-two/credentials": { serviceAccountID: "the-same" },
    });
    expect(expectFinding(made, "error", "identity-id-collision")).toBe(
      'CredentialsRequest "openshift-cloud-credential-operator/one" and CredentialsRequest "openshift-cloud-credential-operator/two" would get the same service account "the-same". Set "serviceAccountID" in "spec.platform.gcp.overrides" for "ns-two/credentials" to another ID.',
    );
    expect(made.objects).toEqual({});
  });

  it("of a custom role are an error, also if one ID is computed", () => {
    const permissions = { providerSpec: { permissions: ["compute.disks.get"] } };
    const customRoleID = customRoleId("demo", "ns-two", "credentials");
    const made = collide({ "ns-one/credentials": { customRoleID } }, [
      gcpRequest("one", permissions),
      gcpRequest("two", permissions),
    ]);
    expect(expectFinding(made, "error", "identity-id-collision")).toContain(`the same custom role "${customRoleID}"`);
  });

  it("are an error if another function generates one of the two", () => {
    const overrides = {
      "ns-one/credentials": { serviceAccountID: "the-same" },
      "ns-two/credentials": { serviceAccountID: "the-same" },
    };
    const items = [...requests, subscription("any", "ns-two")];
    for (const generator of [generateCloudCredentials, configureOperators]) {
      const made = make([generator], gcpConfig({ gcp: { overrides } }), items);
      expectFinding(made, "error", "identity-id-collision");
    }
  });

  it("are accepted if one of them is excluded", () => {
    const overrides = {
      "ns-one/credentials": { serviceAccountID: "the-same" },
      "ns-two/credentials": { serviceAccountID: "the-same" },
    };
    const spec = { overrides: { "ns-two/credentials": { skip: true } } };
    expectClean(makeCredentials(gcpConfig({ gcp: { overrides }, spec }), requests));
  });
});

describe("an override", () => {
  it("that matches no request is an error", () => {
    const overrides = { "ns-won/credentials": { serviceAccountID: "kept-one" } };
    const made = makeCredentials(gcpConfig({ gcp: { overrides } }), [gcpRequest("one")]);
    expect(made.exitCode).toBe(1);
    expect(made.results.map(({ tags }) => tags.code)).toContain("override-unmatched");
  });

  it.each([
    { serviceAccountID: "short" },
    { serviceAccountID: "1-account" },
    { serviceAccountID: "account-" },
    { serviceAccountID: "a".repeat(31) },
    { customRoleID: "ab" },
    { customRoleID: "a".repeat(65) },
    { customRoleID: "a-b-c" },
    {},
  ])("%j is refused", (override) => {
    const overrides = { "ns-one/credentials": override };
    const made = makeCredentials(gcpConfig({ gcp: { overrides } }), [gcpRequest("one")]);
    expect(made.results.map(({ tags }) => tags.code)).toEqual(["config-invalid-field"]);
  });

  it.each([
    { serviceAccountID: "abcdef" },
    { serviceAccountID: "demo-openshift-i--x7k2p" },
    { customRoleID: "a.b" },
    { customRoleID: "A".repeat(64) },
  ])("%j is accepted", (override) => {
    const overrides = { "ns-one/credentials": override };
    expectClean(makeCredentials(gcpConfig({ gcp: { overrides } }), [gcpRequest("one")]));
  });
});

describe("the quotas of a project", () => {
  const requests = (count: number, providerSpec: Any = {}) =>
    Array.from({ length: count }, (_, index) => gcpRequest(`r${index}`, { providerSpec }));

  it("are not exceeded by 100 service accounts, 100 custom roles and 1,500 principals", () => {
    const predefinedRoles = Array.from({ length: 14 }, (_, index) => `roles/r${index}`);
    const providerSpec = { predefinedRoles, permissions: ["compute.disks.get"] };
    expectClean(makeCredentials(gcpConfig(), requests(100, providerSpec)));
  });

  it("are a warning if the package alone exceeds them", () => {
    const predefinedRoles = Array.from({ length: 15 }, (_, index) => `roles/r${index}`);
    const made = makeCredentials(gcpConfig(), requests(101, { predefinedRoles }));
    expect(made.exitCode).toBe(0);
    const quota = made.results.filter(({ tags }) => tags.code === "project-quota");
    expect(quota.map(({ severity, message }) => [severity, message])).toEqual([
      [
        "warning",
        "the package needs 101 service accounts; Google Cloud allows 100 in a project by default. Request an increase of the quota before you apply.",
      ],
      [
        "warning",
        "the package needs 1515 principals in the project's allow policy; Google Cloud allows 1500 in a project by default. Request an increase of the quota before you apply.",
      ],
    ]);
  });
});
