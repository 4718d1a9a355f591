import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { type Run, run } from "../helpers/ccf.ts";
import { newPackage, renderedPackage, succeed } from "../helpers/cluster-package.ts";
import { readTree, temporary } from "../helpers/temporary.ts";

const generate = (cwd: string, parameters?: string): Run =>
  run(["argo-cd-generate"], { cwd, env: parameters === undefined ? {} : { ARGOCD_APP_PARAMETERS: parameters } });
const given = (parameters: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(parameters).map(([name, string]) => ({ name, string })));

describe("ccf argo-cd-generate", () => {
  it.each([
    undefined,
    "",
    " ",
    "null",
    "[]",
    given({ overlay: "", cluster: "" }),
    given({ overlay: ".", cluster: "demo" }),
  ])("prints what ccf render --stdout prints, with the parameters %j", (parameters) => {
    const directory = newPackage();
    const expected = succeed(run(["render", "--stdout", directory]));
    expect(expected.stdout).toContain("kind: Secret");
    const before = readTree(directory);
    expect(generate(directory, parameters)).toEqual(expected);
    expect(readTree(directory)).toEqual(before);
  });

  it("renders the package of an overlay", () => {
    const root = temporary();
    const directory = newPackage();
    cpSync(directory, join(root, "clusters/one"), { recursive: true });
    for (const overlay of ["clusters/one", "./clusters/one/", "clusters/../clusters/one"]) {
      const { status, stdout } = generate(root, given({ overlay, cluster: "demo" }));
      expect({ status, stdout }).toEqual({ status: 0, stdout: run(["render", "--stdout", directory]).stdout });
    }
  });

  it.each([
    ["{", "ARGOCD_APP_PARAMETERS is no list of parameters."],
    ['"x"', "ARGOCD_APP_PARAMETERS is no list of parameters."],
    ["[1]", "ARGOCD_APP_PARAMETERS is no list of parameters."],
    [given({ overlai: "x" }), 'the parameter "overlai" is not known (did you mean "overlay"?).'],
    ['[{"string":"x"}]', "the parameter undefined is not known."],
    ['[{"name":"overlay","array":["."]}]', 'the parameter "overlay" must be a string.'],
    [given({ overlay: "nowhere" }), 'the parameter "overlay" names "nowhere", and there is no such directory.'],
    [given({ overlay: ".." }), 'the parameter "overlay" is "..", and must be a directory below the application\'s.'],
    [
      given({ overlay: "/etc" }),
      'the parameter "overlay" is "/etc", and must be a directory below the application\'s.',
    ],
    [given({ overlay: "cluster-identity.yaml" }), '"cluster-identity.yaml" is not a directory: it is a file; name the directory that holds it.'],
    [
      given({ cluster: "other" }),
      'the application is for the ClusterIdentity "other", and in its directory it is "demo".',
    ],
  ])("refuses the parameters %s", (parameters, message) => {
    expect(generate(newPackage(), parameters)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}\nRun "ccf --help" for the commands.\n`,
    });
  });

  it("takes no arguments", () => {
    expect(run(["argo-cd-generate", "."], { cwd: newPackage() })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("argo-cd-generate takes no arguments"),
    });
  });

  it("says that there is no ClusterIdentity, or more than one", () => {
    const directory = newPackage();
    const path = join(directory, "cluster-identity.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}---\n${text.replace("name: demo", "name: other")}`);
    expect(generate(directory, given({ cluster: "demo" })).stderr).toContain('it is "demo" and "other".');
    renameSync(path, join(directory, "cluster-identity.txt"));
    expect(generate(directory, given({ cluster: "demo" })).stderr).toContain("in its directory there is none.");
  });
});

describe("ccf argo-cd-generate reads nothing outside the application's directory:", () => {
  const fails = (directory: string, parameters: string | undefined, message: string) => {
    const done = generate(directory, parameters);
    expect(done).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
    expect(done.stderr + done.stdout).not.toContain("SECRET-OF-ANOTHER");
  };
  const outside = () => {
    const place = temporary();
    writeFileSync(join(place, "other.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: SECRET-OF-ANOTHER\n");
    return place;
  };

  it("not through an overlay that is a symbolic link", () => {
    const directory = temporary();
    symlinkSync(newPackage(), join(directory, "demo"));
    fails(directory, given({ overlay: "demo" }), "must be a directory below the application's");
  });

  it("not through a manifest that is a symbolic link", () => {
    const directory = newPackage();
    symlinkSync(join(outside(), "other.yaml"), join(directory, "other.yaml"));
    fails(directory, undefined, '"other.yaml" is a symbolic link or no regular file');
  });

  it("not through a directory that is a symbolic link", () => {
    const directory = newPackage();
    symlinkSync(outside(), join(directory, "manifests"));
    const done = generate(directory, undefined);
    expect(done.stdout + done.stderr).not.toContain("SECRET-OF-ANOTHER");
  });

  it("not through a .krmignore that is a symbolic link", () => {
    const directory = newPackage();
    const place = outside();
    writeFileSync(join(place, "rules"), "*\n");
    renameSync(join(directory, ".krmignore"), join(place, "before"));
    symlinkSync(join(place, "rules"), join(directory, ".krmignore"));
    fails(directory, undefined, '".krmignore" is a symbolic link or no regular file');
  });
});

describe("integrations/argo-cd", () => {
  it("announces the parameters that the command takes, and runs that command", () => {
    const plugin = load(readFileSync("integrations/argo-cd/plugin.yaml", "utf8")) as {
      spec: { generate: { command: string[] }; parameters: { static: { name: string }[] } };
    };
    expect(plugin.spec.generate.command).toEqual(["ccf", "argo-cd-generate"]);
    for (const { name } of plugin.spec.parameters.static) {
      expect(generate(newPackage(), given({ [name]: "" })).status).toBe(0);
    }
    expect(plugin.spec.parameters.static.map(({ name }) => name)).toEqual(["overlay", "cluster"]);
  });

  it("works without a home, in a directory that cannot be written", () => {
    const directory = renderedPackage();
    mkdirSync(join(directory, "empty"));
    chmodSync(directory, 0o555);
    const done = run(["argo-cd-generate"], { cwd: directory, env: { HOME: "/nonexistent", TMPDIR: "/nonexistent" } });
    chmodSync(directory, 0o755);
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toContain("kind: Authentication");
  });
});
