import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultStorageAccount } from "../../../src/clouds/azure/cluster/resource-names.ts";
import {
  credentialName,
  identityNameOf,
  roleAssignmentGuid,
  roleDefinitionGuid,
} from "../../../src/clouds/azure/identities/identity.ts";
import { nameUuid } from "../../../src/core/hash.ts";
import { runs } from "../../helpers/effort.ts";

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const secret = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,100}[a-z0-9])?$/);
const subscription = fc.uuid();
const many = { numRuns: runs(2000) };
const hashOf = (text: string, length: number) => createHash("sha256").update(text).digest("hex").slice(0, length);

describe("the name of a managed identity", () => {
  it.each([
    ["demo", "openshift-ingress-operator", "cloud-credentials", "demo-openshift-ingress-operator-cloud-credentials"],
    ["demo", "ns", "a.b-c", "demo-ns-a-b-c"],
    ["p".repeat(63), "n".repeat(63), "s", `${"p".repeat(63)}-${"n".repeat(63)}-`],
    ["p", "n".repeat(63), "s".repeat(62), `p-${"n".repeat(63)}-${"s".repeat(62)}`],
    ["p", "n".repeat(63), "s".repeat(63), `p-${"n".repeat(63)}-${"s".repeat(62)}`],
  ])("of %s, %s and %s", (prefix, namespace, name, expected) => {
    expect(identityNameOf(prefix, namespace, name, undefined)).toBe(expected);
  });

  it("has the form that the API accepts", () => {
    fc.assert(
      fc.property(label, label, secret, (prefix, namespace, name) => {
        // "Naming rules and restrictions for Azure resources", Microsoft.ManagedIdentity/userAssignedIdentities.
        expect(identityNameOf(prefix, namespace, name, undefined)).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/);
      }),
      many,
    );
  });

  it("is the config's, unchanged", () => expect(identityNameOf("demo", "a", "b", "Kept_1")).toBe("Kept_1"));
});

describe("the name of a federated credential", () => {
  const issuer = "https://oidc.example.com/demo";

  it.each([
    ["a", "a"],
    ["registry.one", "registry-one"],
    ["s".repeat(111), "s".repeat(111)],
    [`${"s".repeat(110)}.x`, `${"s".repeat(110)}-`],
  ])("of %s", (account, start) => {
    expect(credentialName(account, issuer)).toBe(`${start}-${hashOf(issuer, 8)}`);
  });

  it("has the form that the API accepts, and differs for another issuer", () => {
    fc.assert(
      fc.property(fc.oneof(secret, label, fc.constant("s".repeat(253))), (account) => {
        const name = credentialName(account, issuer);
        // Azure REST API, Federated Identity Credentials - Create Or Update.
        expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{2,119}$/);
        expect(credentialName(account, `${issuer}2`)).not.toBe(name);
      }),
      many,
    );
  });
});

describe("the default name of the storage account", () => {
  it.each([
    ["demo", "demo"],
    ["a-1-b", "a1b"],
    ["a-prefix-of-many-letters", "aprefixofmanyl"],
  ])("of the prefix %s begins with %s", (prefix, start) => {
    const id = "AAAAAAAA-bbbb-cccc-dddd-eeeeeeeeeeee";
    expect(defaultStorageAccount(id, prefix)).toBe(`${start}${hashOf(`${id.toLowerCase()}/${prefix}`, 10)}`);
    expect(defaultStorageAccount(id.toLowerCase(), prefix)).toBe(defaultStorageAccount(id, prefix));
  });

  it("has the form that the API accepts, and differs for another subscription or prefix", () => {
    fc.assert(
      fc.property(subscription, subscription, label, label, (one, other, prefix, another) => {
        fc.pre(one !== other && prefix !== another);
        const name = defaultStorageAccount(one, prefix);
        // "Naming rules and restrictions for Azure resources", Microsoft.Storage/storageAccounts.
        expect(name).toMatch(/^[a-z0-9]{3,24}$/);
        expect(defaultStorageAccount(other, prefix)).not.toBe(name);
        expect(defaultStorageAccount(one, another)).not.toBe(name);
      }),
      many,
    );
  });
});

describe("a UUID of a name", () => {
  it("of the project's namespace is that of its domain", () =>
    expect(nameUuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "fn.cloudcredential.dev")).toBe(
      "5201b617-4603-52d3-b175-ff08960afd9a",
    ));

  it("of a role or an assignment depends on every part, and not on case", () => {
    const namespace = "5201b617-4603-52d3-b175-ff08960afd9a";
    expect(roleDefinitionGuid("AB", "Demo")).toBe(nameUuid(namespace, "ab|demo"));
    expect(roleAssignmentGuid("/S", "/I", "/D")).toBe(nameUuid(namespace, "/s|/i|/d"));
    const parts = fc.stringMatching(/^\/[a-zA-Z0-9/.-]{1,40}$/);
    fc.assert(
      fc.property(parts, parts, parts, parts, (scope, identity, definition, other) => {
        const guid = roleAssignmentGuid(scope, identity, definition);
        expect(roleAssignmentGuid(scope.toUpperCase(), identity, definition.toLowerCase())).toBe(guid);
        for (const index of [0, 1, 2]) {
          const changed = [scope, identity, definition].with(index, other) as [string, string, string];
          const isSame = [scope, identity, definition][index]?.toLowerCase() === other.toLowerCase();
          expect(roleAssignmentGuid(...changed) === guid).toBe(isSame);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
