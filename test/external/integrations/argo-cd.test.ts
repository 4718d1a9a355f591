import { cpSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";
import { textOf } from "../../helpers/workflow.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

describeWith(["kustomize"], "the kustomization of docs/integrations/argo-cd.md", () => {
  const setting = "ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS";
  // As in install.yaml of Argo CD: without a namespace, and with the setting in a ConfigMap.
  const upstream = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "argocd-repo-server" },
    spec: {
      selector: { matchLabels: { app: "argocd-repo-server" } },
      template: {
        metadata: { labels: { app: "argocd-repo-server" } },
        spec: {
          containers: [
            {
              name: "argocd-repo-server",
              image: "argocd",
              env: [
                {
                  name: setting,
                  valueFrom: { configMapKeyRef: { name: "argocd-cmd-params-cm", key: "k", optional: true } },
                },
              ],
            },
          ],
          volumes: [
            { name: "var-files", emptyDir: {} },
            { name: "plugins", emptyDir: {} },
          ],
        },
      },
    },
  };

  it("adds the sidecar to the Deployment of an install.yaml, which has no namespace", () => {
    const [, block = ""] =
      /```yaml\n(namespace: argocd\nresources:\n[\s\S]*?)```/.exec(textOf("docs/integrations/argo-cd.md")) ?? [];
    const kustomization = load(block) as { resources: string[] };
    expect(kustomization.resources[0]).toMatch(/^https:.*\/manifests\/install\.yaml$/);
    const directory = temporary();
    for (const name of ["plugin-by-name.yaml", "repo-server.yaml"]) {
      cpSync(join("integrations/argo-cd", name), join(directory, name));
    }
    writeTree(directory, {
      "install.yaml": JSON.stringify(upstream),
      "kustomization.yaml": block.replace(kustomization.resources[0] ?? "", "install.yaml"),
    });
    const { status, stdout, stderr } = run("kustomize", ["build", directory]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const objects = loadAll(stdout) as {
      kind: string;
      metadata: { namespace: string };
      spec: { template: { spec: { containers: { name: string; env?: Variable[] }[]; volumes: { name: string }[] } } };
    }[];
    expect(objects.map(({ kind, metadata }) => [kind, metadata.namespace]).sort()).toEqual([
      ["ConfigMap", "argocd"],
      ["Deployment", "argocd"],
    ]);
    const pod = objects.find(({ kind }) => kind === "Deployment")?.spec.template.spec;
    expect(pod?.containers.map(({ name }) => name).sort()).toEqual([
      "argocd-repo-server",
      "cloud-credential-functions",
    ]);
    const server = pod?.containers.find(({ name }) => name === "argocd-repo-server");
    expect(server?.env).toEqual([{ name: setting, value: "true" }]);
    expect(pod?.volumes.map(({ name }) => name).sort()).toEqual([
      "cloud-credential-functions-plugin",
      "cloud-credential-functions-tmp",
      "plugins",
      "var-files",
    ]);
  });
});
