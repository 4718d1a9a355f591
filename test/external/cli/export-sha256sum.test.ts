import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Run, run } from "../../helpers/ccf.ts";
import {
  awsOf,
  bundledFiles,
  configure,
  generatedFiles,
  packageWithBoundary,
  roleBundles,
} from "../../helpers/cluster-package.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const trust = "aws/roles/openshift-ingress-operator-cloud-credentials/trust-policy.json";

/** Exports a package; `out` need not exist. */
function exported(directory: string, out: string, ...flags: string[]): Run {
  return run(["export", directory, "--output-dir", out, ...flags]);
}

describeWith(["sha256sum"], "sha256sum", () => {
  const check = (out: string) =>
    runProgram("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: out });

  it("checks an export by its list, and finds what was changed", () => {
    const out = join(temporary(), "out");
    expect(exported(packageWithBoundary(), out)).toMatchObject({ status: 0, stderr: "" });
    expect(check(out)).toEqual({ status: 0, stdout: "", stderr: "" });
    const listed = readFileSync(join(out, "SHA256SUMS"), "utf8")
      .match(/^.{66}(.*)$/gm)
      ?.map((line) => line.slice(66));
    expect(["SHA256SUMS", ...(listed ?? [])]).toEqual(Object.keys(readTree(out)));
    appendFileSync(join(out, trust), "\n");
    expect(check(out)).toMatchObject({ status: 1, stdout: `${trust}: FAILED\n` });
  });
});

describeWithCorpus(["sha256sum"], "ccf export of a release", () => {
  it("holds every role of 4.19, and changes with the package", () => {
    const directory = packageWithBoundary(join(corpus, "releases/4.19/aws"));
    const out = join(temporary(), "out");
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: "" });
    const files = readTree(out);
    const bundles = Object.entries(roleBundles(directory));
    expect(bundles.length).toBeGreaterThan(4);
    for (const [path, text] of bundles) {
      for (const [name, content] of Object.entries(bundledFiles(text))) {
        expect(files[path.replace(".yaml", `/${name}`)]).toBe(content);
      }
    }
    expect(Object.keys(files).filter((path) => path.startsWith("manifests/"))).toEqual(
      Object.keys(generatedFiles(directory)).filter((path) => path.startsWith("manifests/")),
    );
    expect(runProgram("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: out }).status).toBe(0);
    configure(directory, (spec) => {
      awsOf(spec)["roles"] = { ...(awsOf(spec)["roles"] as object), maxSessionDuration: 7200 };
    });
    expect(exported(directory, out).status).toBe(1);
    expect(run(["render", directory]).status).toBe(0);
    const again = exported(directory, out);
    expect(again.stdout).toContain("changed  aws/roles/");
    expect(exported(directory, out, "--check").status).toBe(0);
  });
});
