import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";

const releases = ["4.13", "4.14", "4.19", "main"];
const clouds = ["aws", "azure", "gcp"];
const pairs = releases.flatMap((old, index) => releases.slice(index + 1).map((now) => [old, now] as const));
const cases = clouds.flatMap((cloud) => pairs.map(([old, now]) => [cloud, old, now] as const));
const at = (release: string, cloud: string) => `${corpus}/releases/${release}/${cloud}`;

/** `UPDATE_GOLDEN=1` writes what is said now; the diff is then for a person to read. */
const update = process.env["UPDATE_GOLDEN"] === "1";

describeWithCorpus([], "what a release changes", () => {
  it.each(cases)("for %s, from %s to %s, is what was reviewed", (cloud, old, now) => {
    const { status, stdout } = run(["diff-permissions", at(old, cloud), at(now, cloud)]);
    const golden = `test/external/upgrade/releases/${cloud}-${old}-${now}.txt`;
    if (update) writeFileSync(golden, stdout);
    expect(stdout).toBe(readFileSync(golden, "utf8"));
    expect(status).toBe(2);
  });

  it.each(cases)("for %s, from %s to %s, is the mirror image of the way back", (cloud, old, now) => {
    const compare = (text: string, other: string) =>
      JSON.parse(run(["diff-permissions", at(text, cloud), at(other, cloud), "-o", "json"]).stdout);
    const [there, back] = [compare(old, now), compare(now, old)];
    const mirrored = { none: "none", narrowed: "broadened", broadened: "narrowed", both: "both" } as const;
    expect(back.verdict).toBe(mirrored[there.verdict as keyof typeof mirrored]);
    for (const [place, one] of there.identities.entries()) {
      const other = back.identities[place];
      expect(other.identity).toBe(one.identity);
      expect(other.verdict).toBe(mirrored[one.verdict as keyof typeof mirrored]);
      expect(other.serviceAccounts).toEqual({
        added: one.serviceAccounts.removed,
        removed: one.serviceAccounts.added,
      });
      expect(other.actions.map(({ action, more, less }: Any) => ({ action, more, less }))).toEqual(
        one.actions.map(({ action, more, less }: Any) => ({ action, more: less, less: more })),
      );
    }
  });

  it.each(clouds.flatMap((cloud) => releases.map((release) => [cloud, release] as const)))(
    "is nothing for %s between %s and itself",
    (cloud, release) => {
      const { status, stdout } = run(["diff-permissions", at(release, cloud), at(release, cloud)]);
      expect(stdout).toMatch(/^Verdict: none \(\d+ unchanged\)\.\n$/);
      expect(status).toBe(0);
    },
  );

  it("lets ingress assume roles, and the EBS driver read zones and restore snapshots, from 4.13 to 4.14", () => {
    const { stdout } = run(["diff-permissions", at("4.13", "aws"), at("4.14", "aws"), "-o", "json"]);
    const gained = JSON.parse(stdout).identities.flatMap(({ request, actions }: Any) =>
      actions.map(({ kind, action }: Any) => `${request} ${kind} ${action}`),
    );
    expect(gained).toEqual([
      "aws-ebs-csi-driver-operator added ec2:DescribeAvailabilityZones",
      "aws-ebs-csi-driver-operator added ec2:EnableFastSnapshotRestores",
      "openshift-ingress added sts:AssumeRole",
    ]);
  });

  it("takes Contributor from every component of Azure, and gives each a list, from 4.13 to 4.14", () => {
    const { stdout } = run(["diff-permissions", at("4.13", "azure"), at("4.14", "azure"), "-o", "json"]);
    for (const { actions } of JSON.parse(stdout).identities) {
      const [lost, won] = ["removed", "added"].map((kind) => actions.filter((action: Any) => action.kind === kind));
      expect(lost.map(({ action }: Any) => action)).toEqual(["role Contributor"]);
      expect(won.length).toBeGreaterThan(3);
    }
  });

  it("has gates, feature sets and capabilities that count on both sides", () => {
    const [old, now] = [at("4.19", "aws"), at("main", "aws")];
    const keys = (flags: string[], change: string) => {
      const { stdout } = run(["diff-permissions", old, now, "-o", "json", ...flags]);
      const all = JSON.parse(stdout).identities as { identity: string; change: string }[];
      return all.filter((one) => one.change === change).map(({ identity }) => identity);
    };
    expect(keys([], "new")).toEqual([]);
    const preview = ["--feature-set", "TechPreviewNoUpgrade"];
    expect(keys(preview, "gone").length + keys(preview, "changed").length).toBeGreaterThan(0);
    const without = keys(["--capabilities", "CloudCredential,Ingress"], "changed");
    expect(without).toEqual([]);
    expect(keys(["--capabilities", "MachineAPI,Storage,CloudCredential"], "changed")).toHaveLength(2);
  });
});
