import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { corpusReleases } from "../../helpers/corpus-release.ts";
import { expectGolden } from "../../helpers/golden.ts";
import { describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const releases = ["4.13", "4.14", "4.19", "main"];
const clouds = ["aws", "azure", "gcp"];
const pairs = releases.flatMap((old, index) => releases.slice(index + 1).map((now) => [old, now] as const));
const cases = clouds.flatMap((cloud) => pairs.map(([old, now]) => [cloud, old, now] as const));
const at = corpusReleases();

describeWithCorpus([], "what a release changes", () => {
  it.each(cases)("for %s, from %s to %s, is what was reviewed", (cloud, old, now) => {
    const { status, stdout } = run(["diff", at(old, cloud), at(now, cloud)]);
    expectGolden(`test/external/upgrade/releases/${cloud}-${old}-${now}.txt`, stdout);
    expect(status).toBe(2);
  });

  it.each(cases)("for %s, from %s to %s, is the mirror image of the way back", (cloud, old, now) => {
    const compare = (text: string, other: string) =>
      JSON.parse(run(["diff", at(text, cloud), at(other, cloud), "-o", "json"]).stdout);
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
      const { status, stdout } = run(["diff", at(release, cloud), at(release, cloud)]);
      expect(stdout).toMatch(/^No changes of permissions\.\n$/);
      expect(status).toBe(0);
    },
  );

  it("lets ingress assume roles, and the EBS driver read zones and restore snapshots, from 4.13 to 4.14", () => {
    const { stdout } = run(["diff", at("4.13", "aws"), at("4.14", "aws"), "-o", "json"]);
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
    const { stdout } = run(["diff", at("4.13", "azure"), at("4.14", "azure"), "-o", "json"]);
    const report = JSON.parse(stdout);
    expect(report.verdict).toBe("both");
    for (const { actions, roles, identity } of report.identities) {
      expect(roles).toMatchObject({ added: [], removed: [{ role: "Contributor", permissions: 1, changed: 1 }] });
      expect(roles.fromRoles.length).toBeGreaterThan(3);
      const won = actions.filter((action: Any) => action.kind === "added").map(({ action }: Any) => action);
      // Contributor has no data actions.
      expect(
        won.every((action: string) => action.startsWith("data permission ")),
        identity,
      ).toBe(true);
      expect(won).toHaveLength(identity === "openshift-image-registry/installer-cloud-credentials" ? 5 : 0);
    }
  });

  describe("for GCP, with the definitions of roles", () => {
    const compare = (old: string, now: string, ...flags: string[]) => {
      const { stdout } = run(["diff", at(old, "gcp"), at(now, "gcp"), "-o", "json", ...flags]);
      return JSON.parse(stdout);
    };
    const names = ({ actions }: Any, kind: string) =>
      actions.filter((action: Any) => action.kind === kind).map(({ action }: Any) => action.replace("permission ", ""));
    const of = ({ identities }: Any, request: string) => identities.find((one: Any) => one.request === request);
    const preview = ["--feature-set", "TechPreviewNoUpgrade"];

    it("is that four components gain permissions, and all lose many, from 4.14 to 4.19", () => {
      const report = compare("4.14", "4.19", ...preview);
      const counts = report.identities.map((one: Any) => [
        one.request,
        names(one, "added").length,
        names(one, "removed").length,
      ]);
      expect(Object.fromEntries(counts.map(([request, ...numbers]: Any) => [request, numbers]))).toEqual({
        "cloud-credential-operator-gcp-ro-creds": [0, 2530],
        "openshift-cloud-network-config-controller-gcp": [0, 1090],
        "openshift-cluster-api-gcp": [9, 738],
        "openshift-gcp-ccm": [4, 603],
        "openshift-gcp-pd-csi-driver-operator": [582, 164],
        "openshift-image-registry-gcs": [0, 732],
        "openshift-ingress-gcp": [0, 44],
        "openshift-machine-api-gcp": [2, 1047],
      });
      expect(names(of(report, "openshift-gcp-ccm"), "added")).toEqual(
        ["create", "delete", "get", "update"].map((verb) => `compute.firewalls.${verb}`),
      );
      expect(names(of(report, "openshift-machine-api-gcp"), "added")).toEqual([
        "resourcemanager.tagValues.get",
        "resourcemanager.tagValues.list",
      ]);
      const driver = of(report, "openshift-gcp-pd-csi-driver-operator");
      expect(driver.actions.filter(({ kind }: Any) => kind === "added").map(({ roles }: Any) => roles)).toEqual(
        Array.from({ length: 582 }, () => ["roles/resourcemanager.tagUser"]),
      );
      expect(new Set(report.roleDefinitions.map(({ date }: Any) => date))).toEqual(new Set(["2026-08"]));
    });

    it("is more for the cloud controller and the machine API, and another subject for CAPG, from 4.19 to main", () => {
      const report = compare("4.19", "main", "--feature-gates", "ClusterAPIMachineManagement", ...preview);
      const changed = report.identities.filter(({ change }: Any) => change !== "none");
      expect(
        changed.map((one: Any) => [one.request, names(one, "added").length, names(one, "removed").length]),
      ).toEqual([
        ["openshift-gcp-ccm", 13, 0],
        ["openshift-cluster-api-gcp", 0, 0],
        ["openshift-machine-api-gcp", 1, 0],
      ]);
      const subject = (name: string) => `system:serviceaccount:openshift-cluster-api:${name}`;
      expect(of(report, "openshift-cluster-api-gcp").serviceAccounts).toEqual({
        added: [subject("capi-controllers")],
        removed: [subject("cluster-capi-operator")],
      });
    });

    it("is 641 permissions more for the registry alone, from 4.13 to 4.14", () => {
      const report = compare("4.13", "4.14", ...preview);
      expect(report.identities.filter(({ change }: Any) => change !== "none")).toHaveLength(1);
      expect(names(of(report, "openshift-image-registry-gcs"), "added")).toHaveLength(641);
    });

    it("names only roles whose definitions are known", () => {
      for (const [old, now] of pairs) {
        const definitions = compare(old, now, ...preview).roleDefinitions ?? [];
        expect(definitions.filter(({ date }: Any) => date === undefined)).toEqual([]);
      }
    });
  });

  it("has gates, feature sets and capabilities that count on both sides", () => {
    const [old, now] = [at("4.19", "aws"), at("main", "aws")];
    const keys = (flags: string[], change: string) => {
      const { stdout } = run(["diff", old, now, "-o", "json", ...flags]);
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

  describe("updates a package", () => {
    const platforms: Any = {
      aws: { accountID: "123456789012", region: "us-east-2" },
      azure: {
        subscriptionID: "00000000-1111-2222-3333-444444444444",
        tenantID: "55555555-6666-7777-8888-999999999999",
        region: "eastus",
      },
      gcp: { projectID: "my-project", projectNumber: "123456789012" },
    };

    /** A package with the requests of a release, as `ccf init` makes it. */
    function packageOf(cloud: string, release: string, featureSet: string): string {
      const directory = join(temporary(), "package");
      cpSync(at(release, cloud), join(directory, "credentials-requests"), { recursive: true });
      const spec = { platform: { [cloud]: platforms[cloud] }, release: { featureSet } };
      const identity = {
        apiVersion: "fn.cloudcredential.dev/v1alpha1",
        kind: "ClusterIdentity",
        metadata: { name: "demo" },
        spec,
      };
      writeFileSync(join(directory, "cluster-identity.yaml"), dump(identity));
      return directory;
    }

    // From each release to the next.
    const steps = cases.filter(([, old, now]) => releases.indexOf(now) === releases.indexOf(old) + 1);

    const verdict = (old: string, now: string, directory: string): string => {
      const flags = ["--identity", join(directory, "cluster-identity.yaml"), "-o", "json"];
      return JSON.parse(run(["diff", old, now, ...flags]).stdout).verdict;
    };

    it.each(steps)(
      "for %s from %s to %s: no identity lacks what either needs, and in the end it is the new release",
      (cloud, old, now) => {
        const directory = packageOf(cloud, old, "TechPreviewNoUpgrade");
        const own = join(directory, "credentials-requests");
        const first = run(["update-requests", "--from", at(now, cloud), directory]);
        // From 4.19 on, the cluster API of Azure expects its token elsewhere: a choice, made here as the message says.
        const [, file = "", path = ""] =
          /(\S+\.yaml): CredentialsRequest .* or set "spec\.cloudTokenPath" of this request to "([^"]+)"/.exec(
            first.stderr,
          ) ?? [];
        expect([first.status, file !== ""]).toEqual(
          cloud === "azure" && ["4.19", "main"].includes(now) && ["4.13", "4.14"].includes(old)
            ? [1, true]
            : [0, false],
        );
        if (file !== "") {
          const text = readFileSync(join(directory, file), "utf8");
          writeFileSync(join(directory, file), text.replace("\nspec:\n", `\nspec:\n  cloudTokenPath: ${path}\n`));
        }
        expect(run(["update-requests", "--from", at(now, cloud), directory])).toMatchObject({ status: 0 });
        for (const release of [old, now])
          expect(["none", "broadened"]).toContain(verdict(at(release, cloud), own, directory));
        expect(run(["update-requests", "--from", at(now, cloud), "--check", directory])).toMatchObject({ status: 0 });
        expect(run(["update-requests", "--final", "--from", at(now, cloud), directory])).toMatchObject({ status: 0 });
        const { "feature-gates.yaml": gates, ...files } = readTree(own);
        expect(gates !== undefined).toBe(now === "main");
        const release = readTree(at(now, cloud));
        expect(files).toEqual(Object.fromEntries(Object.keys(files).map((path) => [path, release[path]])));
        expect(verdict(own, at(now, cloud), directory)).toBe("none");
      },
    );
  });
});
