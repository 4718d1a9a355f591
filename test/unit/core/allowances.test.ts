import { describe, expect, it } from "vitest";
import { guarded, guardedRemoval, removalOf, withAllowCommand } from "../../../src/core/allowances.ts";
import { finding } from "../../../src/core/finding.ts";
import type { Resource } from "../../../src/core/resource.ts";

const guard = {
  resource: { apiVersion: "v1", kind: "ClusterIdentity", name: "x" } as Resource,
  allowed: new Set<string>(),
};
const command = (allowed: readonly string[]) => `ccf render --allow ${allowed.join(",")} demo`;

describe("the command that allows removals", () => {
  it("names each removal of all findings once, sorted, and replaces their cures", () => {
    const findings = withAllowCommand(
      [
        guardedRemoval(guard, ["b/two", "a/one"], "identities-lost", "Gone."),
        guardedRemoval(guard, ["a/one"], "secret-lost", "Lost."),
        guarded(guard, "replace-key", "signing-key-replaced", "Replaced."),
        finding("info", "signing-key", "No cure."),
      ],
      command,
    );
    const run = 'run "ccf render --allow removal:a/one,removal:b/two,replace-key demo"';
    expect(findings.map(({ message }) => message)).toEqual([
      `Gone. If this is intended, ${run}, or put the same list into the annotation "fn.cloudcredential.dev/allow" of the ClusterIdentity.`,
      `Lost. If this is intended, ${run}, or set the annotation "fn.cloudcredential.dev/allow: removal:a/one" on the ClusterIdentity.`,
      `Replaced. If this is intended, ${run}, or set the annotation "fn.cloudcredential.dev/allow: replace-key" on the ClusterIdentity for one run.`,
      "No cure.",
    ]);
  });

  it("contains nothing that a shell would interpret, whatever an object is named", () => {
    for (const name of ["a/$(touch x)", "a/b,c", "/b", "a/b c", "a/b/c", "a/b'"])
      expect(removalOf(name)).toBe("removal");
    expect(removalOf("ns-1/a.b")).toBe("removal:ns-1/a.b");
  });
});
