import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { ccf, run } from "../../helpers/ccf.ts";
import { configure, type Fields, generatedFiles, succeed } from "../../helpers/cluster-package.ts";
import { environmentWithCcf, kptRender } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import {
  packageWithOperator,
  putFiles,
  shelf,
  shelfSubscribed,
  subscriptionPath,
} from "../../helpers/operator-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

/** A package that also generates the Secrets of an OLM operator. */
function operatorPackage(): string {
  const directory = packageWithOperator();
  configure(directory, (spec) => {
    spec["operators"] = { emitSecrets: true };
  });
  return directory;
}

const requests = "credentials-requests/shelf";

describeWith(["kpt"], "operators, with kpt,", () => {
  it("get the same as from ccf render", () => {
    const [directory, other] = [operatorPackage(), operatorPackage()];
    succeed(kptRender(directory));
    succeed(run(["render", other]));
    expect(generatedFiles(directory)).toEqual(generatedFiles(other));
    // kpt reformats files that a user wrote.
    for (const name of Object.keys(shelf)) {
      const read = (from: string) => load(readFileSync(join(from, requests, name), "utf8"));
      expect(read(directory), name).toEqual(read(other));
    }
    expect(readFileSync(join(directory, subscriptionPath), "utf8")).toBe(shelfSubscribed);
    const rendered = readTree(directory);
    succeed(kptRender(directory));
    expect(readTree(directory)).toEqual(rendered);
    expect(run(["render", "--check", directory]).status).toBe(0);
  });

  it("adopt a request when the Subscription appears, and give it back when it is gone", () => {
    const directory = operatorPackage();
    const makers = () => {
      succeed(kptRender(directory));
      return Object.entries(readTree(directory)).flatMap(([path, text]) =>
        path.includes("shelf-system-shelf-credentials") ? [/generated-by: (.*)\/demo/.exec(text)?.[1]] : [],
      );
    };
    const [platform, operators] = ["generate-cloud-credentials", "configure-operators"].map((text) => [text, text]);
    rmSync(join(directory, subscriptionPath));
    expect(makers()).toEqual(platform);
    putFiles(join(directory, requests), { "subscription.yaml": shelf["subscription.yaml"] ?? "" });
    expect(makers()).toEqual(operators);
    rmSync(join(directory, subscriptionPath));
    expect(makers()).toEqual(platform);
  });
});

const forms = [
  ["kustomize", ["kustomize", "build", "--enable-alpha-plugins", "--enable-exec"]],
  ["kubectl", ["kubectl", "kustomize", "--enable-alpha-plugins"]],
] as const;

for (const [tool, [program, ...args]] of forms) {
  describeWith([tool], `operators, with ${tool},`, () => {
    it("get the same as from ccf render", () => {
      const directory = operatorPackage();
      const files = Object.keys(readTree(directory)).filter((path) => path.startsWith("credentials-requests/"));
      const expected = objectsOf(succeed(run(["render", "--stdout", directory])).stdout);
      const config = load(readFileSync(join(directory, "cluster-identity.yaml"), "utf8")) as { metadata: Fields };
      if (tool === "kustomize")
        config.metadata["annotations"] = { "config.kubernetes.io/function": "exec: {path: ccf}" };
      writeFileSync(join(directory, "transformer.yaml"), dump(config));
      writeFileSync(
        join(directory, "kustomization.yaml"),
        dump({ resources: files, transformers: ["transformer.yaml"] }),
      );
      const env = { ...environmentWithCcf(), XDG_CONFIG_HOME: pluginHome() };
      const { status, stdout, stderr } = spawnSync(program, [...args, directory], { env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      const objects = objectsOf(stdout);
      expect(objects.filter(({ kind }) => kind !== "CredentialsRequest")).toEqual(expected);
      const arns = objects
        .filter(({ kind }) => kind === "CredentialsRequest")
        .flatMap((fields) => JSON.stringify(fields).match(/"stsIAMRoleARN":"[^"]*"/g) ?? []);
      expect(arns).toHaveLength(2);
    });
  });
}

function pluginHome(): string {
  const home = temporary();
  const location = join(home, "kustomize/plugin/fn.cloudcredential.dev/v1alpha1/clusteridentity");
  mkdirSync(location, { recursive: true });
  symlinkSync(ccf, join(location, "ClusterIdentity"));
  return home;
}

/** Sorted objects: each tool prints objects and their fields in another order. */
function objectsOf(stream: string): Fields[] {
  const key = ({ kind, metadata }: Fields) =>
    [kind, (metadata as Fields)["namespace"], (metadata as Fields)["name"]].join("/");
  return (loadAll(stream) as Fields[]).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
