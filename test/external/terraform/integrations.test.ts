import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { load } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { copyProgram, run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { configure, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";
import { Root } from "../../helpers/terraform/root.ts";
import { StandIn } from "../../helpers/terraform/stand-in.ts";

const examples = "integrations/terraform";

/** A repository with a package for each name in `clusters`, which Terraform applies. */
function repositoryOf(...names: readonly string[]): string {
  const repository = temporary();
  for (const name of names) {
    const directory = newPackage(sampleRequests, { name });
    configure(directory, (spec) => void Object.assign(spec, { applier: "Terraform" }));
    succeed(run(["render", directory]));
    cpSync(directory, join(repository, "clusters", name), { recursive: true });
  }
  return repository;
}

function exportAll(repository: string): void {
  const clusters = join(repository, "clusters");
  succeed(run(["export", "--recursive", clusters, "--output-dir", join(repository, "out"), "--format", "terraform"]));
}

async function standIn(): Promise<StandIn> {
  const made = await StandIn.start("aws", { id: "123456789012", partition: "aws" });
  onTestFinished(() => made.stop());
  return made;
}

describeWith(["terraform"], "the examples in integrations/terraform", () => {
  for (const [example, clusters] of Object.entries({
    "one-cluster": ["demo"],
    "many-clusters": ["demo", "demo-east"],
  })) {
    it(`apply ${clusters.join(" and ")}: ${example}`, async () => {
      const repository = repositoryOf(...clusters);
      exportAll(repository);
      const aws = await standIn();
      const root = new Root(aws, new Map(), undefined, join(repository, "roots", example));
      root.write("main.tf", readFileSync(join(examples, example, "main.tf"), "utf8"));
      for (const args of [["init"], ["apply", "-auto-approve"], ["plan", "-detailed-exitcode"]])
        expect(await root.run(...args, "-no-color"), args.join(" ")).toEqual({ status: 0, output: expect.any(String) });
      const roles = aws.created.filter(({ type }) => type === "aws_iam_role");
      for (const name of clusters)
        expect(roles.filter(({ attributes }) => attributes["tags"].Name === name)).toHaveLength(3);
      expect((await root.run("fmt", "-check")).status).toBe(0);
    });
  }

  it("run a command of Atlantis that exports the cluster of the project", () => {
    const repository = repositoryOf("demo");
    const { projects, workflows } = load(readFileSync(join(examples, "atlantis.yaml"), "utf8")) as Any;
    const [{ name, dir, workflow, autoplan }] = projects;
    expect(autoplan.when_modified).toContain(`../../clusters/${name}/**`);
    const [{ run: command }] = workflows[workflow].plan.steps;
    const home = temporary();
    copyProgram(home);
    mkdirSync(join(repository, dir), { recursive: true });
    const env = {
      PATH: `${home}${delimiter}${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
      PROJECT_NAME: name,
    };
    const done = spawnSync("sh", ["-c", command], { cwd: join(repository, dir), env, encoding: "utf8" });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 0, stdout: "" });
    expect(readFileSync(join(repository, "out", name, "terraform/versions.tf.json"), "utf8")).toContain(
      "hashicorp/aws",
    );
  });
});
