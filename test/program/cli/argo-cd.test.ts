import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { type Run, run } from "../../helpers/ccf.ts";
import { newPackage, renderedPackage, succeed } from "../../helpers/cluster-package.ts";
import { resultFile } from "../../helpers/status-result.ts";
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

  it("keeps Argo CD from deleting objects that the cluster needs and that a user wrote", () => {
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
    [given({ overlai: "x" }), 'unknown parameter "overlai" (did you mean "overlay"?).'],
    ['[{"string":"x"}]', "each parameter in ARGOCD_APP_PARAMETERS must have a name that is a string."],
    ['[{"name":{"toString":1}}]', "each parameter in ARGOCD_APP_PARAMETERS must have a name that is a string."],
    ['[["overlay"]]', "ARGOCD_APP_PARAMETERS must be a JSON list of parameters, each an object with a name."],
    ['[{"name":"overlay","string":"a\\u0000b"}]', 'the parameter "overlay" must not contain a NUL character.'],
    [`[${" ".repeat(70_000)}]`, "ARGOCD_APP_PARAMETERS has more than 65536 characters."],
    ['[{"name":"overlay","array":["."]}]', 'the parameter "overlay" must be a string.'],
    [given({ overlay: "nowhere" }), 'the parameter "overlay" names "nowhere", but this directory does not exist.'],
    [
      given({ overlay: ".." }),
      'the parameter "overlay" must be a subdirectory of the application\'s directory, not "..".',
    ],
    [
      given({ overlay: "/etc" }),
      'the parameter "overlay" must be a subdirectory of the application\'s directory, not "/etc".',
    ],
    [
      given({ overlay: "cluster-identity.yaml" }),
      '"cluster-identity.yaml" is not a directory: it is a file; name the directory that contains it.',
    ],
    [
      given({ cluster: "other" }),
      'the application is for the ClusterIdentity "other", but its directory contains "demo".',
    ],
  ])("refuses the parameters %s", (parameters, message) => {
    expect(generate(newPackage(), parameters)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message} [usage]\nRun "ccf argo-cd-generate --help".\n`,
    });
  });

  it("accepts no arguments", () => {
    expect(run(["argo-cd-generate", "."], { cwd: newPackage() })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("too many arguments: expected 0 arguments but got 1"),
    });
  });

  it("reports a missing ClusterIdentity, and a second one", () => {
    const directory = newPackage();
    const path = join(directory, "cluster-identity.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}---\n${text.replace("name: demo", "name: other")}`);
    expect(generate(directory, given({ cluster: "demo" })).stderr).toContain(
      'its directory contains "demo" and "other".',
    );
    renameSync(path, join(directory, "cluster-identity.txt"));
    expect(generate(directory, given({ cluster: "demo" })).stderr).toContain("its directory contains none.");
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
    fails(directory, given({ overlay: "demo" }), "must be a subdirectory of the application's directory");
  });

  it("not through a manifest that is a symbolic link", () => {
    const directory = newPackage();
    symlinkSync(join(outside(), "other.yaml"), join(directory, "other.yaml"));
    fails(directory, undefined, '"other.yaml" is skipped: it is a symbolic link or not a regular file');
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
    readonly repoURL: string;
    readonly targetRevision: string;
    readonly path: string;
    readonly plugin?: { readonly name: string; readonly parameters: { name: string; string: string }[] };
    readonly directory?: { readonly recurse: boolean };
  }
  interface Application {
    readonly spec: {
      readonly project: string;
      readonly source: Source;
      readonly destination: { readonly name: string };
      readonly syncPolicy: { readonly syncOptions: string[]; readonly automated?: object };
    };
    readonly metadata: {
      readonly name: string;
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels: Readonly<Record<string, string>>;
      readonly finalizers?: string[];
    };
  }
  interface ApplicationSet {
    readonly metadata: { readonly finalizers?: string[] };
    readonly spec: {
      readonly goTemplate: boolean;
      readonly goTemplateOptions: string[];
      readonly generators: {
        git: { repoURL: string; revision: string; files?: { path: string }[]; directories?: { path: string }[] };
      }[];
      readonly template: Application;
      readonly syncPolicy: object;
    };
  }
  interface Plugin {
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly version: string;
      readonly discover?: object;
      readonly generate: { command: string[] };
      readonly parameters: { static: { name: string }[] };
    };
  }
  interface Container {
    readonly name: string;
    readonly image?: string;
    readonly env?: { name: string; value: string }[];
    readonly securityContext?: Readonly<Record<string, unknown>>;
    readonly volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  }
  interface Pod {
    readonly sidecar: Container;
    readonly env: Container["env"];
    readonly volumes: { name: string; configMap?: { name: string } }[];
  }
  const text = (name: string) => readFileSync(`integrations/argo-cd/${name}`, "utf8");
  const example = (name: string) => load(text(name)) as Application;
  const applicationSet = (name = "application-set.yaml") => load(text(name)) as ApplicationSet;
  const plugin = () => load(text("plugin.yaml")) as Plugin;
  const protectedBy = (text: string) =>
    (loadAll(text) as { kind: string; metadata: { annotations: Record<string, string> } }[])
      .filter(({ kind }) => kind === "Authentication" || kind === "CloudCredential")
      .map(({ kind, metadata }) => [kind, metadata.annotations["argocd.argoproj.io/sync-options"]]);
  const both = [
    ["Authentication", "Prune=false,Delete=false"],
    ["CloudCredential", "Prune=false,Delete=false"],
  ];

  /** A repository with the package that the examples name, and with the CloudCredential that lets the cluster upgrade. */
  function repository(): string {
    const root = temporary();
    const directory = join(root, "clusters/demo");
    cpSync(renderedPackage(), directory, { recursive: true });
    succeed(run(["upgradeable-to", "4.20", "--status", resultFile(directory), directory]));
    return root;
  }

  it("applies the committed manifests, and Argo CD never deletes those that the cluster needs", () => {
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

  it("applies what the plugin prints, and Argo CD never deletes what the cluster needs", () => {
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

  it("selects the cluster of each application of the set by its ClusterIdentity", () => {
    const { goTemplate, goTemplateOptions, generators, template, syncPolicy } = applicationSet().spec;
    expect({ goTemplate, goTemplateOptions }).toEqual({ goTemplate: true, goTemplateOptions: ["missingkey=error"] });
    const [{ git } = { git: undefined }] = generators;
    expect(git?.files).toEqual([{ path: "clusters/*/cluster-identity.yaml" }]);
    const { source } = template.spec;
    expect([source.repoURL, source.targetRevision]).toEqual([git?.repoURL, git?.revision]);
    // As the generator fills in the template for the file of the package "demo".
    const root = repository();
    const path = "clusters/demo";
    const identity = load(readFileSync(join(root, path, "cluster-identity.yaml"), "utf8")) as { metadata: object };
    const parameters = { ...identity, path: { path } } as Readonly<Record<string, Readonly<Record<string, string>>>>;
    const filled = JSON.stringify(template).replace(
      /{{\.(\w+)\.(\w+)}}/g,
      (_, a, b) => parameters[a]?.[b] ?? "missing",
    );
    const plain = example("plain-application.yaml");
    const { name, labels } = plain.metadata;
    expect(JSON.parse(filled)).toEqual({ metadata: { name, labels }, spec: plain.spec });
    expect(syncPolicy).toEqual({ applicationsSync: "create-update", preserveResourcesOnDeletion: true });
    expect(applicationSet().metadata.finalizers).toBeUndefined();
  });

  it("has an application with the plugin for each directory, whose name must be that of its ClusterIdentity", () => {
    const { goTemplate, goTemplateOptions, generators, template, syncPolicy } =
      applicationSet("plugin-application-set.yaml").spec;
    expect({ goTemplate, goTemplateOptions }).toEqual({ goTemplate: true, goTemplateOptions: ["missingkey=error"] });
    const [{ git } = { git: undefined }] = generators;
    expect(git?.directories).toEqual([{ path: "clusters/*" }]);
    // As the generator fills in the template for a directory (Argo CD, applicationset/generators/git.go).
    const filled = (path: string) =>
      JSON.parse(
        JSON.stringify(template)
          .replaceAll("{{.path.path}}", path)
          .replaceAll("{{.path.basename}}", path.replace(/.*\//, "")),
      ) as Application;
    const one = example("application.yaml");
    const { name, labels, annotations } = one.metadata;
    expect(filled("clusters/demo")).toEqual({ metadata: { name, labels, annotations }, spec: one.spec });
    expect(syncPolicy).toEqual(applicationSet().spec.syncPolicy);
    expect([one.spec.source.repoURL, one.spec.source.targetRevision]).toEqual([git?.repoURL, git?.revision]);
    const copied = filled("clusters/copy").spec.source.plugin?.parameters;
    const { status, stdout, stderr } = generate(join(repository(), "clusters/demo"), JSON.stringify(copied));
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain('the application is for the ClusterIdentity "copy", but its directory contains "demo"');
  });

  it.each(["application.yaml", "plain-application.yaml"])(
    "%s is for one cluster, and is not synced by itself",
    (name) => {
      const { source, destination, syncPolicy } = example(name).spec;
      expect(source.path.split("/").slice(0, 2)).toEqual(["clusters", destination.name]);
      expect(syncPolicy).toEqual({ syncOptions: ["CreateNamespace=false", "Delete=false"] });
    },
  );

  it("permits every application one repository, its cluster, and what a package applies, and no more", () => {
    const project = load(text("project.yaml")) as { metadata: { name: string }; spec: unknown };
    const plain = example("plain-application.yaml");
    const { destination, source } = plain.spec;
    expect(project.spec).toEqual({
      sourceRepos: [source.repoURL],
      destinations: [{ name: destination.name, namespace: "*" }],
      clusterResourceWhitelist: [
        { group: "config.openshift.io", kind: "Authentication" },
        { group: "operator.openshift.io", kind: "CloudCredential" },
      ],
      namespaceResourceWhitelist: [
        { group: "", kind: "Secret" },
        { group: "", kind: "ServiceAccount" },
      ],
    });
    const sets = ["application-set.yaml", "plugin-application-set.yaml"].map(
      (name) => applicationSet(name).spec.template,
    );
    for (const each of [plain, example("application.yaml"), ...sets]) {
      expect(each.spec.project).toBe(project.metadata.name);
    }
    const { stdout } = succeed(generate(join(repository(), "clusters/demo")));
    const objects = loadAll(stdout) as { apiVersion: string; kind: string }[];
    const kinds = objects.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`);
    expect([...new Set(kinds)].sort()).toEqual([
      "config.openshift.io/v1/Authentication",
      "operator.openshift.io/v1/CloudCredential",
      "v1/Secret",
    ]);
  });

  it("gives the plugin the package of one cluster only", () => {
    const { metadata, spec } = example("application.yaml");
    expect(metadata.annotations).toEqual({ "argocd.argoproj.io/manifest-generate-paths": "." });
    expect(spec.source.plugin?.parameters).toEqual([{ name: "cluster", string: spec.destination.name }]);
  });

  it("announces the parameters that the command takes, and runs that command", () => {
    const { generate: command, parameters } = plugin().spec;
    expect(command.command).toEqual(["ccf", "argo-cd-generate"]);
    for (const { name } of parameters.static) {
      expect(generate(newPackage(), given({ [name]: "" })).status).toBe(0);
    }
    expect(parameters.static.map(({ name }) => name)).toEqual(["overlay", "cluster"]);
  });

  it("has the same plugin with and without discovery, under the name that the application gives", () => {
    const { data } = load(text("plugin-by-name.yaml")) as { data: Record<string, string> };
    expect(Object.keys(data)).toEqual(["plugin.yaml"]);
    const { discover, ...spec } = plugin().spec;
    expect(discover).toEqual({ find: { glob: "**/cluster-identity.yaml" } });
    expect(load(data["plugin.yaml"] ?? "")).toEqual({ ...plugin(), spec });
    const { metadata } = plugin();
    expect(example("application.yaml").spec.source.plugin?.name).toBe(`${metadata.name}-${spec.version}`);
  });

  describe("adds the plugin to the repo server:", () => {
    const [upstream, openshift] = [repoServer(), argoCd()];

    /** The patch of the Deployment of upstream Argo CD. */
    function repoServer(): Pod {
      const { kind, metadata, spec } = load(text("repo-server.yaml")) as {
        kind: string;
        metadata: object;
        spec: { template: { spec: { containers: Container[]; volumes: Pod["volumes"] } } };
      };
      expect({ kind, metadata }).toEqual({
        kind: "Deployment",
        metadata: { name: "argocd-repo-server" },
      });
      const { containers, volumes } = spec.template.spec;
      const [server, sidecar, ...more] = containers;
      if (sidecar === undefined || more.length > 0) throw new Error("repo-server.yaml must have two containers");
      expect(server?.name).toBe("argocd-repo-server");
      return { sidecar, env: server?.env, volumes };
    }

    /** The resource of the operator of OpenShift GitOps. */
    function argoCd(): Pod {
      const { apiVersion, kind, metadata, spec } = load(text("openshift-gitops.yaml")) as {
        apiVersion: string;
        kind: string;
        metadata: object;
        spec: { repo: { mountsatoken: boolean; env: Container["env"]; sidecarContainers: Container[] } & Pod };
      };
      expect({ apiVersion, kind, metadata }).toEqual({
        apiVersion: "argoproj.io/v1beta1",
        kind: "ArgoCD",
        metadata: { name: "openshift-gitops", namespace: "openshift-gitops" },
      });
      expect(Object.keys(spec)).toEqual(["repo"]);
      const { mountsatoken, env, sidecarContainers, volumes, ...rest } = spec.repo;
      expect({ mountsatoken, rest }).toEqual({ mountsatoken: false, rest: {} });
      const [sidecar, ...more] = sidecarContainers;
      if (sidecar === undefined || more.length > 0) throw new Error("openshift-gitops.yaml must have one sidecar");
      return { sidecar, env, volumes };
    }

    it("the same container, in the version of this repository", () => {
      const { runAsUser, ...context } = upstream.sidecar.securityContext ?? {};
      // On OpenShift the user comes from the range of the namespace.
      expect(runAsUser).toBe(999);
      expect(openshift.sidecar).toEqual({ ...upstream.sidecar, securityContext: context });
      expect(openshift.volumes).toEqual(upstream.volumes);
      expect(upstream.sidecar.image).toBe(`ghcr.io/cloud-credential-functions/argocd-plugin:v${version}`);
      expect(context).toEqual({
        runAsNonRoot: true,
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
    });

    it.each([
      ["repo-server.yaml", upstream],
      ["openshift-gitops.yaml", openshift],
    ])("%s mounts the volumes that Argo CD has and its own, and the configuration without discovery", (_, pod) => {
      const own = pod.volumes.map(({ name }) => name);
      const mounted = pod.sidecar.volumeMounts?.map(({ name }) => name) ?? [];
      expect([...mounted].sort()).toEqual(["plugins", "var-files", ...own].sort());
      expect(own).not.toContain("tmp");
      const config = load(text("plugin-by-name.yaml")) as { metadata: { name: string } };
      expect(pod.volumes).toContainEqual({ name: config.metadata.name, configMap: { name: config.metadata.name } });
      expect(pod.sidecar.volumeMounts).toContainEqual({
        name: config.metadata.name,
        mountPath: "/home/argocd/cmp-server/config/plugin.yaml",
        subPath: "plugin.yaml",
      });
      expect(pod.env).toMatchObject([{ name: "ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS", value: "true" }]);
    });
  });

  it("works without a home directory, in a read-only directory", () => {
    const directory = renderedPackage();
    mkdirSync(join(directory, "empty"));
    chmodSync(directory, 0o555);
    const done = run(["argo-cd-generate"], { cwd: directory, env: { HOME: "/nonexistent", TMPDIR: "/nonexistent" } });
    chmodSync(directory, 0o755);
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toContain("kind: Authentication");
  });
});
