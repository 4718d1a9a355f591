import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountEmail } from "../../../src/clouds/gcp/cluster/resource-names.ts";
import { accountId, customRoleId, identityHash } from "../../../src/clouds/gcp/identities/identity.ts";
import { runs } from "../../helpers/effort.ts";

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const namespace = fc.oneof(
  label,
  label.map((text) => `openshift-${text}`.slice(0, 63).replace(/-+$/, "")),
);
const secret = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,100}[a-z0-9])?$/);
const names = fc.tuple(label, namespace, secret);
const many = { numRuns: runs(2000) };

/** RFC 4648, section 6, computed with another method: bit by bit, from the hash of Node.js. */
function expectedHash(prefix: string, namespace: string, name: string): string {
  const bytes = createHash("sha256").update(`${prefix}\n${namespace}/${name}`).digest();
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? [])
    .slice(0, 7)
    .map((group) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(group, 2)])
    .join("");
}

describe("the ID of a service account", () => {
  it.each([
    ["demo", "openshift-ingress-operator", "cloud-credentials", "demo-ingress-ope-"],
    ["demo", "openshift", "x", "demo-openshift-"],
    ["demo", "openshift-", "x", "demo-openshift-"],
    ["4demo", "storage", "x", "c4demo-storage-"],
    ["a-cluster-whose-name-is-long", "storage", "x", "a-cluster-storage-"],
    ["123456789-x", "openshift-machine-api", "x", "c123456789-machine-api-"],
    ["demo", "openshift-cluster-c-drivers", "x", "demo-cluster-c-d-"],
    ["demo", "0123456789-x", "x", "demo-0123456789-"],
    ["x", "y", "z", "x-y-"],
  ])("of %s, %s and %s", (prefix, namespace, name, start) => {
    expect(accountId(prefix, namespace, name)).toBe(`${start}${expectedHash(prefix, namespace, name)}`);
  });

  it("has the form that the API accepts, and ends with the hash", () => {
    fc.assert(
      fc.property(names, ([prefix, namespace, name]) => {
        const id = accountId(prefix, namespace, name);
        // IAM v1 reference, CreateServiceAccountRequest.accountId.
        expect(id).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])$/);
        expect(id.length).toBeGreaterThanOrEqual(6);
        expect(id.length).toBeLessThanOrEqual(30);
        expect(id.endsWith(`-${expectedHash(prefix, namespace, name)}`)).toBe(true);
      }),
      many,
    );
  });

  it("differs if the prefix, the namespace or the name differs", () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(one.join("\n") !== other.join("\n"));
        expect(accountId(...one)).not.toBe(accountId(...other));
      }),
      many,
    );
    const all = ["a", "b", "openshift-a", "openshift-b"].flatMap((namespace) =>
      Array.from({ length: 500 }, (_, index) => accountId("demo", namespace, `s${index}`)),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it("separates its parts in the hash, so that no two triples have the same text", () => {
    expect(identityHash("a", "b", "c")).toBe(expectedHash("a", "b", "c"));
    // A namespace contains no slash, and a prefix no line feed.
    expect(identityHash("a", "b-c", "d")).not.toBe(identityHash("a", "b", "c-d"));
    expect(identityHash("a-b", "c", "d")).not.toBe(identityHash("a", "b-c", "d"));
  });
});

describe("the ID of a custom role", () => {
  it.each([
    ["demo", "openshift-ingress-operator", "cloud", "demo_openshift_ingress_operator_cloud_"],
    ["demo", "ns", "a.b-c", "demo_ns_a.b_c_"],
    ["p".repeat(20), "n".repeat(40), "s", `${"p".repeat(20)}_${"n".repeat(35)}_`],
  ])("of %s, %s and %s", (prefix, namespace, name, start) => {
    expect(customRoleId(prefix, namespace, name)).toBe(`${start}${expectedHash(prefix, namespace, name)}`);
  });

  it("has the form that the API accepts, and ends with the hash", () => {
    fc.assert(
      fc.property(names, ([prefix, namespace, name]) => {
        const id = customRoleId(prefix, namespace, name);
        // IAM v1 reference, CreateRoleRequest.roleId.
        expect(id).toMatch(/^[A-Za-z0-9_.]{3,64}$/);
        expect(id.endsWith(`_${expectedHash(prefix, namespace, name)}`)).toBe(true);
      }),
      many,
    );
  });

  it("differs if the prefix, the namespace or the name differs", () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(one.join("\n") !== other.join("\n"));
        expect(customRoleId(...one)).not.toBe(customRoleId(...other));
      }),
      many,
    );
  });
});

describe("the email address of a service account", () => {
  it.each([
    ["my-project", "demo-x@my-project.iam.gserviceaccount.com"],
    ["example.com:my-project", "demo-x@my-project.example.com.iam.gserviceaccount.com"],
    ["eu0:my-project", "demo-x@my-project.eu0.iam.gserviceaccount.com"],
  ])("in the project %s", (projectId, email) => expect(accountEmail({ projectId }, "demo-x")).toBe(email));
});
