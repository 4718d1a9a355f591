import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { type Run, run } from "../../helpers/ccf.ts";
import { newPackage, renderedPackage, succeed } from "../../helpers/cluster-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

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

  it("keeps Argo CD from deleting what others wrote and a cluster does not run without", () => {
    const directory = newPackage();
    const authentication = (annotations: string) =>
      `apiVersion: config.openshift.io/v1\nkind: Authentication\nmetadata:\n  name: cluster${annotations}\nspec:\n  type: None\n  serviceAccountIssuer: https://demo-oidc.s3.us-east-2.amazonaws.com\n`;
    const mode = `apiVersion: operator.openshift.io/v1\nkind: CloudCredential\nmetadata: {name: cluster}\nspec: {credentialsMode: Manual}\n`;
    const option = (text: string) => `\n  annotations:\n    argocd.argoproj.io/sync-options: ${text}`;
    writeTree(directory, { "auth.yaml": authentication(""), "cco.yaml": mode });
    const printed = succeed(generate(directory)).stdout;
    expect(printed).toContain(`---\n${authentication(option("Prune=false,Delete=false"))}---\n`);
    expect(printed).toContain(
      'metadata: {name: cluster, "annotations": {"argocd.argoproj.io/sync-options": "Prune=false,Delete=false"}}\n',
    );
    expect(printed.match(/sync-options/g)).toHaveLength(2);
    for (const [set, expected] of [
      ["ServerSideApply=true", "ServerSideApply=true,Prune=false,Delete=false"],
      ["Prune=confirm", "Prune=confirm,Delete=false"],
      ["Delete=confirm, Prune=true", "Delete=confirm, Prune=true"],
    ] as const) {
      writeTree(directory, { "auth.yaml": authentication(option(set)) });
      expect(succeed(generate(directory)).stdout).toContain(authentication(option(expected)));
    }
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
    ["{", "ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name."],
    ['"x"', "ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name."],
    ["[1]", "ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name."],
    [given({ overlai: "x" }), 'the parameter "overlai" is not known (did you mean "overlay"?).'],
    ['[{"string":"x"}]', "a parameter of ARGOCD_APP_PARAMETERS has no name that is a string."],
    ['[{"name":{"toString":1}}]', "a parameter of ARGOCD_APP_PARAMETERS has no name that is a string."],
    ['[["overlay"]]', "ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name."],
    ['[{"name":"overlay","string":"a\\u0000b"}]', 'the parameter "overlay" must not hold a NUL character.'],
    [`[${" ".repeat(70_000)}]`, "ARGOCD_APP_PARAMETERS has more than 65536 characters."],
    ['[{"name":"overlay","array":["."]}]', 'the parameter "overlay" must be a string.'],
    [given({ overlay: "nowhere" }), 'the parameter "overlay" names "nowhere", and there is no such directory.'],
    [given({ overlay: ".." }), 'the parameter "overlay" is "..", and must be a directory below the application\'s.'],
    [
      given({ overlay: "/etc" }),
      'the parameter "overlay" is "/etc", and must be a directory below the application\'s.',
    ],
    [
      given({ overlay: "cluster-identity.yaml" }),
      '"cluster-identity.yaml" is not a directory: it is a file; name the directory that holds it.',
    ],
    [
      given({ cluster: "other" }),
      'the application is for the ClusterIdentity "other", and in its directory it is "demo".',
    ],
  ])("refuses the parameters %s", (parameters, message) => {
    expect(generate(newPackage(), parameters)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}\nRun "ccf argo-cd-generate --help".\n`,
    });
  });

  it("takes no arguments", () => {
    expect(run(["argo-cd-generate", "."], { cwd: newPackage() })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("too many arguments: expected 0 arguments but got 1"),
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
    const location = temporary();
    writeFileSync(
      join(location, "other.yaml"),
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: SECRET-OF-ANOTHER\n",
    );
    return location;
  };

  it("not through an overlay that is a symbolic link", () => {
    const directory = temporary();
    symlinkSync(newPackage(), join(directory, "demo"));
    fails(directory, given({ overlay: "demo" }), "must be a directory below the application's");
  });

  it("not through a manifest that is a symbolic link", () => {
    const directory = newPackage();
    symlinkSync(join(outside(), "other.yaml"), join(directory, "other.yaml"));
    fails(directory, undefined, '"other.yaml" is a symbolic link or not a regular file');
  });

  it("not through a directory that is a symbolic link", () => {
    const directory = newPackage();
    symlinkSync(outside(), join(directory, "manifests"));
    const done = generate(directory, undefined);
    expect(done.stdout + done.stderr).not.toContain("SECRET-OF-ANOTHER");
  });

  it("not through a .krmignore that is a symbolic link", () => {
    const directory = newPackage();
    const location = outside();
    writeFileSync(join(location, "rules"), "*\n");
    renameSync(join(directory, ".krmignore"), join(location, "before"));
    symlinkSync(join(location, "rules"), join(directory, ".krmignore"));
    fails(directory, undefined, '".krmignore" is a symbolic link or not a regular file');
  });
});

describe("integrations/argo-cd", () => {
  interface Source {
    readonly path: string;
    readonly plugin?: { readonly name: string; readonly parameters: { name: string; string: string }[] };
    readonly directory?: { readonly recurse: boolean };
  }
  interface Application {
    readonly spec: { readonly source: Source; readonly syncPolicy: { readonly syncOptions: string[] } };
    readonly metadata: { readonly finalizers?: string[] };
  }
  const example = (name: string) => load(readFileSync(`integrations/argo-cd/${name}`, "utf8")) as Application;
  const protectedBy = (text: string) =>
    (loadAll(text) as { kind: string; metadata: { annotations: Record<string, string> } }[])
      .filter(({ kind }) => kind === "Authentication" || kind === "CloudCredential")
      .map(({ kind, metadata }) => [kind, metadata.annotations["argocd.argoproj.io/sync-options"]]);
  const both = [
    ["Authentication", "Prune=false,Delete=false"],
    ["CloudCredential", "Prune=false,Delete=false"],
  ];

  /** A repository with the package that the examples name, and in it what lets the cluster upgrade. */
  function repository(): string {
    const root = temporary();
    const directory = join(root, "clusters/demo");
    cpSync(renderedPackage(), directory, { recursive: true });
    const out = join(root, "out");
    succeed(run(["export", directory, "--output-dir", out]));
    const list = readFileSync(join(out, "SHA256SUMS"), "utf8").match(/^\w+ {2}aws\/.*\n/gm) ?? [];
    const digest = createHash("sha256").update(list.join("")).digest("hex");
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    const status = { account: "123456789012", package: digest, status: "in step", time };
    writeTree(root, { "status.json": JSON.stringify(status) });
    succeed(run(["upgradeable-to", "4.20", "--status", join(root, "status.json"), directory]));
    return root;
  }

  it("applies the manifests that are committed, none of which Argo CD deletes if the cluster lives on it", () => {
    const { source, syncPolicy } = example("plain-application.yaml").spec;
    const files = readTree(join(repository(), source.path));
    expect(Object.keys(files).every((path) => path.endsWith(".yaml"))).toBe(true);
    expect(source).not.toHaveProperty("plugin");
    const objects = Object.keys(files)
      .sort()
      .map((path) => files[path] ?? "");
    expect(protectedBy(objects.join("---\n"))).toEqual(both);
    expect(objects.join("---\n").match(/^kind: Secret$/gm)).toHaveLength(3);
    expect(syncPolicy.syncOptions).toContain("Delete=false");
  });

  it("applies what the plugin prints, none of which Argo CD deletes if the cluster lives on it", () => {
    const { source, syncPolicy } = example("application.yaml").spec;
    const parameters = JSON.stringify(source.plugin?.parameters);
    const { stdout } = succeed(generate(join(repository(), source.path), parameters));
    expect(protectedBy(stdout)).toEqual(both);
    expect(syncPolicy.syncOptions).toContain("Delete=false");
  });

  it.each(["application.yaml", "plain-application.yaml"])(
    "%s has no finalizer that deletes what it applied",
    (name) => {
      expect(example(name).metadata.finalizers).toBeUndefined();
    },
  );

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
