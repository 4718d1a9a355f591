import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dump, loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { type Fields, renderedPackage } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const include = "include.release.openshift.io/self-managed-high-availability";
const gates = "credentials-requests/feature-gates.yaml";

/** A rendered package with the feature gates of its release; each tool gets the file with them by name. */
function packageWithGates(): string {
  const release = temporary();
  const annotations = {
    [include]: "false-except-for-the-config-operator",
    "release.openshift.io/feature-set": "Default",
  };
  const secretRef = { namespace: "openshift-shop", name: "credentials" };
  const statementEntries = [{ effect: "Allow", action: ["s3:GetObject"], resource: "*" }];
  writeTree(release, {
    "gates.yaml": dump({
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations },
      spec: {},
      status: { featureGates: [{ version: "", enabled: [{ name: "A" }], disabled: [] }] },
    }),
    "shop.yaml": dump({
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      metadata: {
        name: "shop",
        namespace: "openshift-cloud-credential-operator",
        annotations: { [include]: "true", "release.openshift.io/feature-gate": "A" },
      },
      spec: { secretRef, serviceAccountNames: ["shop"], providerSpec: { kind: "AWSProviderSpec", statementEntries } },
    }),
  });
  return renderedPackage(release);
}

// Applied to a cluster, the gates would be an object that nothing there expects, or set its feature set for good.
for (const [tool, build] of [
  ["kustomize", ["kustomize", "build"]],
  ["kubectl", ["kubectl", "kustomize"]],
] as const)
  describeWith([tool], `${build.join(" ")} of a rendered package`, () => {
    it("drops the feature gates of the release, although the kustomization names their file", () => {
      const directory = packageWithGates();
      const manifests = readdirSync(join(directory, "manifests")).map((name) => `manifests/${name}`);
      writeTree(directory, { "kustomization.yaml": dump({ resources: [...manifests, gates] }) });
      const [program, ...args] = build;
      const { status, stdout, stderr } = spawnSync(program, [...args, directory], { encoding: "utf8" });
      expect(status, stderr).toBe(0);
      expect((loadAll(stdout) as Fields[]).map(({ kind }) => kind).sort()).toEqual(["Authentication", "Secret"]);
    });
  });

describeWith(["kpt"], "kpt fn source of a rendered package", () => {
  it("marks the feature gates of the release as local, so that kpt live does not apply them", () => {
    const directory = packageWithGates();
    const { status, stdout, stderr } = spawnSync("kpt", ["fn", "source", directory], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const [list] = loadAll(stdout) as { items: (Fields & { metadata: Fields })[] }[];
    const found = list?.items.filter(({ kind }) => kind === "FeatureGate") ?? [];
    expect(found.map(({ metadata }) => [metadata["name"], metadata["annotations"]])).toEqual([
      ["release-feature-gates", expect.objectContaining({ "config.kubernetes.io/local-config": "true" })],
    ]);
  });
});
