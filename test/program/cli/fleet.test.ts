import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));
const samples = { a: "aws-s3-public", b: "azure-blob-government", "deep/c": "gcp-pool" } as const;

/** A directory with `clusters`, which contains a package of each cloud: a, b and deep/c. */
function fleet(): string {
  const root = temporary();
  for (const [name, sample] of Object.entries(samples))
    cpSync(join(packages, sample), join(root, "clusters", name), { recursive: true });
  return root;
}

/** Removes the manifests, two files or more, which a render writes again. */
function change(root: string, name: string): void {
  rmSync(join(root, "clusters", name, "manifests"), { recursive: true });
}

function fail(root: string, name: string): void {
  writeFileSync(join(root, "clusters", name, "cluster-identity.yaml"), "kind: ClusterIdentity\na: [\n");
}

function lines(text: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line)));
}

/** The error of a command line that prints nothing else and changes nothing. */
function refusal(root: string, args: readonly string[], input = ""): string {
  const before = readTree(root);
  const { status, stdout, stderr } = run(args, { cwd: root, input });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(readTree(root)).toEqual(before);
  return stderr.split("\n")[0] ?? "";
}

/** Lines that are not notes. */
function problems(stderr: string): string {
  return stderr.replaceAll(/^(?:info|warning): .*\n|^\S+:\n/gm, "");
}

const named = ["clusters/a", "clusters/b", "clusters/deep/c"];
const check = ["render", "--check", "--recursive", "clusters"];

describe("several packages", () => {
  it("that are up to date have only a summary", () => {
    const root = fleet();
    const upToDate = "3 packages: 3 up to date\n";
    for (const args of [check, ["render", "--recursive", "clusters"], ["render", ...named, "--check", "--quiet"]]) {
      const { status, stdout, stderr } = run(args, { cwd: root });
      expect({ status, stdout, stderr: problems(stderr) }).toEqual({ status: 0, stdout: upToDate, stderr: "" });
    }
  });

  it("name the command for one that would change, and it does that", () => {
    const root = fleet();
    change(root, "deep/c");
    const { status, stdout } = run(check, { cwd: root });
    const [, command] =
      /^clusters\/deep\/c: \d+ files would change\. Run: ccf (render clusters\/deep\/c)\n3 packages: 2 up to date, 1 would change\n$/.exec(
        stdout,
      ) ?? [];
    expect({ status, command }).toEqual({ status: 2, command: "render clusters/deep/c" });
    expect(existsSync(join(root, "clusters/deep/c/manifests"))).toBe(false);
    expect(run((command ?? "").split(" "), { cwd: root }).status).toBe(0);
    expect(run(check, { cwd: root })).toMatchObject({ status: 0, stdout: "3 packages: 3 up to date\n" });
  });

  it("are processed although one fails", () => {
    const root = fleet();
    change(root, "b");
    fail(root, "a");
    const { status, stdout, stderr } = run(["render", "--recursive", "clusters"], { cwd: root });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^clusters\/b: \d+ files written\n3 packages: 1 up to date, 1 written, 1 failed\n$/);
    expect(stderr).toMatch(/^clusters\/a:\nerror: cluster-identity\.yaml:.* \[file-unreadable\]$/m);
    expect(readTree(join(root, "clusters/b"))).toEqual(readTree(join(packages, samples.b)));
    expect(run(check, { cwd: root }).status, "a failure counts more than a change").toBe(1);
  });

  it("that are not there fail by themselves", () => {
    const root = fleet();
    const { status, stdout, stderr } = run(["render", "clusters/a", "clusters/x"], { cwd: root });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "2 packages: 1 up to date, 1 failed\n" });
    expect(stderr).toContain('clusters/x:\nerror: "clusters/x" is not a directory: it does not exist. [usage]\n');
  });

  it("have a JSON object each on one line, and the summary apart", () => {
    const root = fleet();
    change(root, "b");
    fail(root, "a");
    const { status, stdout, stderr } = run([...check, "-o", "json"], { cwd: root });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "3 packages: 1 up to date, 1 would change, 1 failed\n" });
    expect(lines(stdout)).toEqual([
      {
        package: "clusters/a",
        error: { code: "findings", message: expect.any(String) },
        findings: [expect.anything()],
      },
      expect.objectContaining({
        package: "clusters/b",
        identity: expect.stringMatching(/./),
        platform: "azure",
        removed: [],
      }),
      expect.objectContaining({
        package: "clusters/deep/c",
        identity: expect.stringMatching(/./),
        platform: "gcp",
        added: [],
      }),
    ]);
  });

  it("that are one package are processed once", () => {
    const { status, stdout } = run(["render", "clusters/a", "./clusters/a/", "clusters/b"], { cwd: fleet() });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "2 packages: 2 up to date\n" });
  });

  it("are those of an outer and an inner package, each by itself", () => {
    const root = fleet();
    cpSync(join(packages, "gcp-bucket-universe"), join(root, "clusters/a/inner"), { recursive: true });
    const { status, stdout } = run(check, { cwd: root });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "4 packages: 4 up to date\n" });
  });

  it("with --quiet print errors and the summary", () => {
    const root = fleet();
    fail(root, "a");
    change(root, "b");
    const { status, stdout, stderr } = run(["render", "-q", "--recursive", "clusters"], { cwd: root });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "3 packages: 1 up to date, 1 written, 1 failed\n" });
    expect(stderr).toMatch(/^clusters\/a:\nerror: [^\n]*\n$/);
  });
});

describe("ccf export of several packages", () => {
  it("writes a directory for each", () => {
    const root = fleet();
    const args = ["export", "--recursive", "clusters", "--output-dir", "out"];
    const first = run(args, { cwd: root });
    expect(first.status).toBe(0);
    expect(first.stdout).toMatch(
      /^clusters\/a: \d+ files written to "out\/a"\nclusters\/b: .* to "out\/b"\nclusters\/deep\/c: .* to "out\/deep\/c"\n3 packages: 3 written\n$/,
    );
    for (const name of Object.keys(samples)) {
      run(["export", `clusters/${name}`, "--output-dir", "alone"], { cwd: root });
      expect(readTree(join(root, "out", name)), name).toEqual(readTree(join(root, "alone")));
      rmSync(join(root, "alone"), { recursive: true });
    }
    expect(run(args, { cwd: root }).stdout).toBe("3 packages: 3 up to date\n");
    const json = run([...args, "-o", "json", "--check"], { cwd: root });
    expect(lines(json.stdout).map(({ outputDirectory }) => outputDirectory)).toEqual(["out/a", "out/b", "out/deep/c"]);
  });

  it("refuses two exports in one directory", () => {
    const root = fleet();
    cpSync(join(root, "clusters/b"), join(root, "clusters/a/inner"), { recursive: true });
    expect(refusal(root, ["export", "--recursive", "clusters", "--output-dir", "out"])).toMatch(
      /^error: the exports of .*clusters\/a.* and .*clusters\/a\/inner.* would be in the same directory/,
    );
    cpSync(join(root, "clusters/b"), join(root, "other/A"), { recursive: true });
    expect(
      refusal(join(root, "other"), ["export", "../clusters/deep/c", "A", "../clusters/a", "--output-dir", "out"]),
    ).toMatch(/^error: the exports of .*A" and .*clusters\/a" would be in the same directory/);
    cpSync(join(root, "clusters/b"), join(root, "other/a"), { recursive: true });
    expect(refusal(join(root, "other"), ["export", "../clusters/a", "a", "--output-dir", "out"])).toMatch(
      /^error: the exports of .* and .* would be in the same directory/,
    );
  });
});

describe("ccf validate of several packages", () => {
  it("prints one SARIF document, or none and the reason if a package fails", () => {
    const root = fleet();
    fail(root, "a");
    const args = ["validate", "--recursive", "clusters", "-o", "sarif"];
    // For a code host, a package that is missing from the document has no findings any more.
    const { status, stdout, stderr } = run(args, { cwd: root });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^clusters\/a:\nerror: cluster-identity\.yaml:.*\n3 packages: .*1 failed\n$/);
    rmSync(join(root, "clusters/a"), { recursive: true });
    const { runs } = JSON.parse(run(args, { cwd: root }).stdout) as { runs: { results: unknown[] }[] };
    expect(runs).toHaveLength(1);
    const results = JSON.stringify(runs[0]?.results);
    for (const name of ["b", "deep/c"]) expect(results).toContain(`"uri":"clusters/${name}/`);
  });
});

describe("a copy of a package", () => {
  const code = "cluster-not-unique";

  /** A fleet in which clusters/z is a copy of clusters/a, and both would change. */
  function copied(): string {
    const root = fleet();
    cpSync(join(root, "clusters/a"), join(root, "clusters/z"), { recursive: true });
    for (const name of ["a", "z"]) change(root, name);
    return root;
  }

  it("fails like the original, and neither is written or exported", () => {
    const root = copied();
    const before = readTree(root);
    for (const args of [["render"], ["render", "--check"]]) {
      const { status, stdout, stderr } = run([...args, "--recursive", "clusters"], { cwd: root });
      expect({ status, stdout }).toEqual({ status: 1, stdout: "4 packages: 2 up to date, 2 failed\n" });
      for (const [one, other] of [
        ["a", "z"],
        ["z", "a"],
      ])
        expect(stderr).toMatch(
          new RegExp(
            `^clusters/${one}:\nerror: .* in the package of "clusters/${other}/cluster-identity.yaml".* \\[${code}\\]$`,
            "m",
          ),
        );
      expect(readTree(root)).toEqual(before);
    }
    run(["render", "clusters/a"], { cwd: root });
    run(["render", "clusters/z"], { cwd: root });
    const exported = run(["export", "--recursive", "clusters", "--output-dir", "out"], { cwd: root });
    expect(exported.stdout).toMatch(/\n4 packages: 2 written, 2 failed\n$/);
    expect(["a", "b", "deep/c", "z"].filter((name) => existsSync(join(root, "out", name)))).toEqual(["b", "deep/c"]);
  });

  it("is not found if only one package is named, because nothing else is read", () => {
    const root = copied();
    for (const name of ["a", "z"]) expect(run(["render", `clusters/${name}`], { cwd: root }).status).toBe(0);
  });

  it("is found if only one of them is selected", () => {
    const root = copied();
    const input = "clusters/z/cluster-identity.yaml\n";
    const { status, stderr } = run([...check, "--touched", "-"], { cwd: root, input });
    expect(status).toBe(1);
    expect(stderr).toContain('in the package of "clusters/a/cluster-identity.yaml"');
  });

  it("is a problem for ccf validate, in text, JSON, and SARIF", () => {
    const root = copied();
    const validate = (output: string) => run(["validate", "clusters/z", "clusters/a", "-o", output], { cwd: root });
    expect(validate("text").status).toBe(2);
    for (const { findings } of lines(validate("json").stdout) as { findings: unknown[] }[])
      expect(findings).toContainEqual(expect.objectContaining({ severity: "error", tags: { code } }));
    const { runs } = JSON.parse(validate("sarif").stdout);
    const results = runs[0].results.filter(({ ruleId }: { ruleId: string }) => ruleId === code);
    expect(results.map((one: Any) => one.locations[0].physicalLocation.artifactLocation.uri)).toEqual([
      "clusters/z/cluster-identity.yaml",
      "clusters/a/cluster-identity.yaml",
    ]);
  });

  it("is named beside what ccf report and ccf explain print, and in their JSON", () => {
    const root = fleet();
    cpSync(join(root, "clusters/a"), join(root, "clusters/z"), { recursive: true });
    for (const args of [["report"], ["report", "--reach"], ["explain"]]) {
      const { status, stdout, stderr } = run([...args, "clusters/a", "clusters/z"], { cwd: root });
      expect(status).toBe(1);
      expect(stdout).toContain("clusters/z");
      expect(stderr.match(/^error: .* \[cluster-not-unique\]$/gm)).toHaveLength(2);
    }
    const question = run(["report", "--reach", "clusters/a", "clusters/z", "-o", "json"], { cwd: root });
    expect(question.status).toBe(1);
    expect(question.stderr.match(/^error: .* \[cluster-not-unique\]$/gm)).toHaveLength(2);
    for (const command of ["report", "explain"]) {
      const { stdout } = run([command, "clusters/a", "clusters/z", "-o", "json"], { cwd: root });
      for (const { compared } of lines(stdout))
        expect(compared).toContainEqual(expect.objectContaining({ tags: { code } }));
    }
    expect(run(["explain", "clusters/a", "clusters/z", "-o", "html"], { cwd: root })).toMatchObject({
      status: 1,
      stdout: "",
    });
  });

  it("becomes another cluster in the way that identity-renamed describes", () => {
    const root = fleet();
    const copy = join(root, "clusters/z");
    cpSync(join(root, "clusters/a"), copy, { recursive: true });
    const path = join(copy, "cluster-identity.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("name: aws-s3-public", "name: other"));
    const render = () => run(["render", "--recursive", "clusters"], { cwd: root });
    expect(render().stderr).toMatch(
      /^error: .*"ccf render --rename-from aws-s3-public clusters\/z"\. If the package is a copy for another cluster, .* \[identity-renamed\]$/m,
    );
    for (const [file, text] of Object.entries(readTree(copy)))
      if (text.includes("fn.cloudcredential.dev/generated-by")) rmSync(join(copy, file));
    expect(render()).toMatchObject({ status: 0, stdout: expect.stringContaining("clusters/z: ") });
    expect(readFileSync(join(copy, "aws/cluster.yaml"), "utf8")).toContain('"resourcePrefix": "other"');
  });

  it.each(Object.keys(samples))("becomes another cluster in the way that cluster-not-unique describes: %s", (name) => {
    const root = fleet();
    const copy = join(root, "clusters/z");
    cpSync(join(root, "clusters", name), copy, { recursive: true });
    const path = join(copy, "cluster-identity.yaml");
    const config = load(readFileSync(path, "utf8")) as Any;
    for (const each of [path, join(root, "clusters", name, "cluster-identity.yaml")])
      writeFileSync(
        each,
        JSON.stringify({ ...config, spec: { resourcePrefix: config.metadata.name, ...config.spec } }),
      );
    const render = () => run(["render", "--recursive", "clusters"], { cwd: root });
    const message = render().stderr.match(/^error: .*set "metadata\.name".* \[cluster-not-unique\]$/m)?.[0] ?? "";
    const fields = /: set (.*) to values of its own, all at once\./.exec(message)?.[1]?.split(", ") ?? [];
    expect(fields).toEqual(
      expect.arrayContaining(['"metadata.name"', '"spec.resourcePrefix"', '"spec.issuer.signingKeys"']),
    );
    const publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
    const values: Record<string, unknown> = {
      "spec.platform.azure.overrides": {},
      "spec.issuer.signingKeys": [{ publicKey: publicKey.export({ type: "spki", format: "pem" }) }],
    };
    const edited = JSON.parse(readFileSync(path, "utf8"));
    for (const field of fields.map((quoted) => JSON.parse(quoted))) {
      const steps = field.split(".");
      const last = steps.pop();
      steps.reduce((at: Any, step: string) => at[step], edited)[last] = values[field] ?? "another";
    }
    writeFileSync(path, JSON.stringify(edited));
    for (const [file, text] of Object.entries(readTree(copy)))
      if (text.includes("fn.cloudcredential.dev/generated-by") || file === "azure/identities.yaml")
        rmSync(join(copy, file));
    expect(render()).toMatchObject({ status: 0, stdout: expect.stringContaining("clusters/z: ") });
    expect(run(["validate", "--recursive", "clusters"], { cwd: root }).stderr).not.toMatch(
      /"clusters\/z.*signing-key-shared|cluster-not-unique/,
    );
  });

  it("may share its key, if both clusters accept that", () => {
    const root = fleet();
    const validate = () => run(["validate", "clusters/a", "clusters/b", "-o", "json"], { cwd: root });
    const found = () => lines(validate().stdout).flatMap(({ findings }) => findings as Any[]);
    const shared = { tags: { code: "signing-key-shared" } };
    expect(found()).toContainEqual(expect.objectContaining({ ...shared, severity: "warning" }));
    for (const [name, identity] of [
      ["a", "aws-s3-public"],
      ["b", "azure-blob-government"],
    ]) {
      const path = join(root, `clusters/${name}/cluster-identity.yaml`);
      const accept = `spec:\n  accept:\n  - rule: signing-key-shared\n    object: ClusterIdentity/${identity}\n    reason: both are tests\n`;
      writeFileSync(path, readFileSync(path, "utf8").replace("spec:\n", accept));
    }
    expect(found()).toContainEqual(expect.objectContaining({ ...shared, severity: "info" }));
    // One package alone does not tell whether the entry is still needed.
    expect(run(["validate", "clusters/b"], { cwd: root }).stderr).not.toContain("accept-unused");
  });
});

describe("a selection", () => {
  it("needs a package", () => {
    const root = fleet();
    mkdirSync(join(root, "none"));
    for (const command of [["render"], ["validate"], ["export", "--output-dir", "out"]])
      expect(refusal(root, [...command, "--recursive", "none"])).toMatch(
        /^error: --recursive "none" contains no packages: /,
      );
    expect(refusal(root, ["render", "--recursive", "missing"])).toMatch(/^error: "missing" is not a directory/);
  });

  it.each(["0/2", "3/2", "2"])("refuses the shard %s", (shard) => {
    expect(refusal(fleet(), [...check, "--shard", shard])).toContain("error: --shard must be I/N with I from 1 to N");
  });

  it("of all shards is every package once", () => {
    const root = fleet();
    const shards = [1, 2, 3].map((index) => run([...check, "-o", "json", "--shard", `${index}/3`], { cwd: root }));
    expect(shards.map(({ status }) => status)).toEqual([0, 0, 0]);
    const names = shards.flatMap(({ stdout }) => lines(stdout).map((line) => line["package"]));
    expect(names.sort()).toEqual(["clusters/a", "clusters/b", "clusters/deep/c"]);
    expect(shards[0]?.stderr).toMatch(/^\d of 3 packages \(shard 1\/3\)/);
  });

  it("of touched packages is empty without a path", () => {
    const root = fleet();
    fail(root, "a");
    const { status, stdout, stderr } = run([...check, "--touched", "-"], { cwd: root, input: "" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "0 packages touched, of 3\n", stderr: "" });
  });

  it("of touched packages has those with a path, or all with a shared path", () => {
    const root = fleet();
    fail(root, "a");
    mkdirSync(join(root, "releases"));
    const touched = (input: string, ...more: string[]) =>
      run([...check, "--touched", "-", ...more], { cwd: root, input });
    expect(touched("clusters/b/gone.yaml\nREADME.md\n")).toMatchObject({
      status: 0,
      stdout: "1 of 3 packages (touched): 1 up to date\n",
    });
    expect(touched("releases/x\n", "--shared", "releases").stdout).toBe(
      "3 of 3 packages (touched): 2 up to date, 1 failed\n",
    );
    expect(refusal(root, [...check, "--shared", "releases"])).toBe(
      "error: --shared requires --touched, which names the changed paths. [usage]",
    );
  });
});

describe("ccf render --check", () => {
  const touched = (root: string, paths: string, ...more: readonly string[]) =>
    run([...check, "--touched", "-", ...more], { cwd: root, input: paths });

  it("says no if a touched package is gone, unless that is allowed", () => {
    const root = fleet();
    rmSync(join(root, "clusters/b"), { recursive: true });
    const gone = "clusters/b/Kptfile\nclusters/b/cluster-identity.yaml\nREADME.md\n";
    const { status, stdout, stderr } = touched(root, gone);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "0 packages touched, of 2\n" });
    expect(stderr).toMatch(/^warning: clusters\/b: "clusters\/b" is not a package anymore: .*\[package-removed\]\n$/);
    expect(touched(root, gone, "--allow", "removal").status).toBe(0);
    expect(touched(root, "clusters/README.md\nreleases/4.21/aws/x.yaml\n")).toMatchObject({ status: 0, stderr: "" });
    const json = touched(root, gone, "-o", "json");
    expect(json.status).toBe(2);
    expect(lines(json.stdout)).toEqual([{ package: "clusters/b", findings: [expect.anything()] }]);
    // Other commands name it.
    const validated = run(["validate", "--recursive", "clusters", "--touched", "-"], { cwd: root, input: gone });
    expect(validated).toMatchObject({ status: 0, stderr: expect.stringContaining("[package-removed]") });
  });

  it("fails if a package is gone but not what was generated for it, which no flag allows", () => {
    const root = fleet();
    const gone = ["Kptfile", "cluster-identity.yaml"].map((name) => join("clusters/b", name));
    for (const name of gone) rmSync(join(root, name));
    const message =
      /^error: clusters\/b: "clusters\/b" is not a package anymore, but generated files are still in "clusters\/b\/.*\. Delete them, or restore the Kptfile and the ClusterIdentity of the package\. \[generated-orphan\]$/m;
    for (const more of [[], ["--allow", "removal"], ["-o", "json"]]) {
      const { status, stderr } = touched(root, gone.join("\n"), ...more);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
    }
    for (const args of [["validate"], ["report"], ["set", "spec.resourcePrefix=x", "--check"]]) {
      const { status, stderr } = run([...args, "--recursive", "clusters", "--touched", "-"], {
        cwd: root,
        input: gone.join("\n"),
      });
      expect({ args, status, stderr }).toEqual({ args, status: 1, stderr: expect.stringMatching(message) });
    }
  });

  it("says no if a request changes in a package that .krmignore already hides", () => {
    const root = fleet();
    writeFileSync(join(root, "clusters/.krmignore"), "b\n");
    const { status, stdout, stderr } = touched(root, "clusters/b/credentials-requests/x.yaml\n", "--allow", "removal");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "0 packages touched, of 2\n" });
    expect(stderr).toMatch(/^warning: clusters\/b: .* but \.krmignore hides it;.*\[touched-unchecked\]\n$/);
  });

  it("says no if a touched .krmignore hides a package, which no flag allows", () => {
    const root = fleet();
    writeFileSync(join(root, "clusters/.krmignore"), "b\n");
    const { status, stderr } = touched(root, "clusters/.krmignore\n", "--allow", "removal");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^warning: clusters\/b: "clusters\/b" is a package, but \.krmignore hides it;.*\[touched-unchecked\]$/m,
    );
  });

  it("says no if .krmignore hides a package from a check of all packages", () => {
    const root = fleet();
    writeFileSync(join(root, "clusters/.krmignore"), "b\n");
    const all = run([...check, "--allow", "removal"], { cwd: root });
    expect(all).toMatchObject({ status: 2, stdout: "2 packages: 2 up to date\n" });
    expect(all.stderr.split("\n")[0]).toBe(
      'warning: clusters/b: "clusters/b" is a package, but .krmignore hides it; remove it from .krmignore. [package-skipped]',
    );
  });

  it("fails for a package of which only generated files remain", () => {
    const root = fleet();
    for (const name of ["Kptfile", "cluster-identity.yaml"]) rmSync(join(root, "clusters/a", name));
    const { status, stdout, stderr } = run(check, { cwd: root });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "4 packages: 2 up to date, 2 failed\n" });
    expect(stderr).toMatch(/^error: cluster\.yaml: .* contains a generated object, but .*\[generated-orphan\]$/m);
  });

  it("fails for a generated object outside of packages, at any path", () => {
    const root = fleet();
    mkdirSync(join(root, "clusters/zz"));
    const manifests = join(root, "clusters/a/manifests");
    const [name = ""] = readdirSync(manifests);
    cpSync(join(manifests, name), join(root, "clusters/zz/copy.yaml"));
    const { status, stdout, stderr } = run(check, { cwd: root });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "4 packages: 3 up to date, 1 failed\n" });
    expect(stderr).toMatch(
      /^clusters\/zz:\nerror: copy\.yaml: .* contains a generated object, but "clusters\/zz" is not a package.*\[generated-orphan\]$/m,
    );
  });

  it("fails for a directory whose name is not UTF-8, without the others", () => {
    const root = fleet();
    mkdirSync(Buffer.concat([Buffer.from(join(root, "clusters/deep/x")), Buffer.from([0xff])]));
    const { status, stdout, stderr } = run(check, { cwd: root });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "4 packages: 3 up to date, 1 failed\n" });
    expect(stderr).toMatch(/^clusters\/deep:\nerror: .*has a name that is not UTF-8, .*\[name-not-utf8\]$/m);
  });
});

it.each([
  [["render", "--stdout"], "--stdout is for one package; name only one directory"],
  [["render", "--rename-from", "x"], "--rename-from is for one package; name only one directory"],
  [["export", "--output-dir", "out", "--replace", "x"], "--replace names the export of one cluster"],
  [
    ["export", "--format", "manifests-configmap"],
    "--format manifests-configmap is for one package; name only one directory",
  ],
  [["validate", "--live", "live.yaml"], "--live belongs to one cluster; name only one directory"],
  [["validate", "--install-config", "live.yaml"], "--install-config belongs to one cluster; name only one directory"],
] as const)("%j accepts only one package", (args, message) => {
  const root = fleet();
  writeFileSync(join(root, "live.yaml"), "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n");
  for (const selection of [named, ["--recursive", "clusters"]])
    expect(refusal(root, [...args, ...selection])).toContain(`error: ${message}`);
});
