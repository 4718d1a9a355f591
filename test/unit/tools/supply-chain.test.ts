import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { workflow } from "../../helpers/workflow.ts";

const below = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:yaml|md)$/.test(name))
    .map((name) => join(directory, name));
const workflows = [...below(".github/workflows"), ...below("integrations/github"), ...below("integrations/flux")];

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
}

/** Images of this project have no digest before their release. The pages say how to name them by it. */
const own = /^ghcr\.io\/cloud-credential-functions\//;

const pages = ["README.md", "CONTRIBUTING.md", ...below("docs")];

/** The one form in which an example installs this project: by the digest of the file, which covers all of its content. */
const checkedInstallation = new RegExp(
  [
    'npm pack --silent "cloud-credential-functions@\\$CCF_VERSION"',
    'echo "\\$CCF_SHA256  cloud-credential-functions-\\$CCF_VERSION\\.tgz" \\| sha256sum --check --strict',
    'npm install [^\\n"]*--ignore-scripts "\\./cloud-credential-functions-\\$CCF_VERSION\\.tgz"',
  ].join("\\n *"),
  "g",
);

/** What neither a lock file nor a digest covers, and why that is accepted. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  // A person installs a released version on their own machine. The page links to the form with the digest.
  "docs/guides/install.md": ["npm install --global cloud-credential-functions"],
  // Developers start it by hand, and no workflow does. Its packages are too many for the lock file of the project.
  "package.json": [
    "npx --yes -p @stryker-mutator/core@9.6.1 -p @stryker-mutator/vitest-runner@9.6.1 -p vitest@4.1.12 stryker run",
  ],
};

/** The commands in a text that install or run a package without a lock file or a digest. */
function uncheckedInstallations(text: string): string[] {
  const commands =
    /\bnpm (?:-[^\s`]+ (?:[^\s`-][^\s`]* )??)*(?:install|i|add|exec|x|create|pack)(?![\w-])[^\n`|;&]*|\b(?:npx|pip3? install|pipx) [^\n`|;&]*/g;
  const found = text.replace(checkedInstallation, "").match(commands) ?? [];
  return found
    .map((command) => command.replace(/",?$/, "").trim())
    .filter((command) => !/^npm pack --pack-destination \w+$/.test(command)) // packs the checkout
    .filter((command) => !/^npx (?:vitest|biome) /.test(command)) // in a clone: from its lock file
    .filter((command) => !/^npm install --global "git\+https:[^" ]+#COMMIT$/.test(command));
}

/** The images that a text names; a value in angle brackets or of an example host is a placeholder. */
function imagesIn(text: string): string[] {
  const yaml = [...text.matchAll(/^\s*(?:- )?image:\s*["']?([\w./-]+[:@][^\s"'}]+)/gm)];
  const dockerfile = [...text.matchAll(/^(?:ARG \w+_IMAGE=|FROM )([\w./-]+[:@]\S+)/gm)];
  return [...yaml, ...dockerfile].map(([, image = ""]) => image).filter((image) => !image.startsWith("example.com/"));
}

describe("what is downloaded is named by its content", () => {
  it.each(["Dockerfile", "Kptfile", ...below("integrations"), ...below("docs"), ...below(".github")])(
    "images in %s",
    (path) => {
      const images = imagesIn(readFileSync(path, "utf8")).filter((image) => !own.test(image));
      expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    },
  );

  // The pages in which a reader copies an image of this project by its tag, or makes Kptfiles that name images.
  it("pages with images of this project say that a tag can be moved", () => {
    const shown = pages.filter((path) =>
      /ghcr\.io\/cloud-credential-functions\/[\w-]+:v|ccf init [^`]*--container/.test(readFileSync(path, "utf8")),
    );
    expect(shown.map((path) => basename(path)).sort()).toEqual([
      "argo-cd.md",
      "containers.md",
      "fleets.md",
      "kpt.md",
      "kustomize.md",
    ]);
    for (const path of shown)
      expect(readFileSync(path, "utf8"), path).toMatch(/can\s+move\s+a\s+tag\s+to\s+a\s+different\s+image/i);
  });

  it("finds the images", () => {
    expect(imagesIn(readFileSync("Dockerfile", "utf8"))).toHaveLength(2);
    expect(imagesIn(readFileSync("integrations/kubernetes/check-job.yaml", "utf8"))).toHaveLength(2);
  });

  it.each(workflows)("actions and installations in %s", (path) => {
    const text = readFileSync(path, "utf8");
    const actions = [...text.matchAll(/^\s*(?:- )?uses:\s*(\S+)/gm)].map(([, action = ""]) => action);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(text).not.toMatch(/\b(?:curl|wget)\b[^\n]*\|\s*(?:sudo )?(?:ba)?sh\b|\bnpx\b/);
    const downloads = text.match(/\b(?:curl|wget) [^\n]*/g) ?? [];
    const checks = text.match(/sha256sum --check --strict/g) ?? [];
    expect(checks.length).toBeGreaterThanOrEqual(downloads.length);
  });

  it.each([
    ...["package.json", "Dockerfile", ".ci/install", ".ci/run", ...pages],
    ...[...below("integrations"), ...below(".github")],
  ])("npm installs in %s", (path) => {
    expect(uncheckedInstallations(readFileSync(path, "utf8"))).toEqual(accepted[path] ?? []);
  });

  it.each([
    'npm install --global --ignore-scripts "cloud-credential-functions@$CCF_VERSION"',
    "npm install --global azurite@3",
    "npm --silent i azurite",
    "npm pack cloud-credential-functions@0.1.0",
    "npm --prefix /tmp/azurite install azurite",
    "npm install",
    "npm exec -- azurite",
    "npx --yes azurite@3.35.0",
    "npm install --global ./cloud-credential-functions-0.1.0.tgz",
    'npm install --global "git+https://HOST/PATH.git"',
    "pip install moto",
  ])("finds %s", (command) => {
    expect(uncheckedInstallations(`        run: true && ${command} && true\n`)).toHaveLength(1);
  });

  it("each installation of this project names its digest beside its version", () => {
    const installing = below("integrations").filter((path) => readFileSync(path, "utf8").includes("npm install"));
    expect(installing).toHaveLength(4);
    for (const path of installing) {
      const text = readFileSync(path, "utf8");
      expect(text, path).toMatch(/CCF_VERSION[^"]*CCF_SHA256(?:: |\n +value: )"[0-9a-f]{64}"\n/);
      expect(text.match(checkedInstallation), path).toHaveLength(text.match(/npm install/g)?.length ?? 0);
    }
  });

  it.each(["package-lock.json", ".ci/azurite/package-lock.json"])("packages in %s", (path) => {
    const { packages } = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Locked> };
    const { "": _root, ...installed } = packages;
    expect(Object.keys(installed).length).toBeGreaterThan(100);
    const unchecked = Object.entries(installed).filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(unchecked).toEqual([]);
    // Without addresses, npm asks the registry that is set. The digest decides what is accepted.
    const addresses = Object.values(installed).flatMap(({ resolved }) => resolved ?? []);
    expect(addresses, "write the lock file with --omit-lockfile-registry-resolved").toEqual([]);
  });

  it("the runner with tools never runs the code of a fork", () => {
    const { jobs } = workflow(".github/workflows/test.yaml");
    const condition = jobs["everything"]?.if ?? "";
    expect(condition.replace(/\s+/g, " ")).toContain(
      "&& (github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository)",
    );
    for (const path of workflows) expect(readFileSync(path, "utf8"), path).not.toContain("pull_request_target");
  });
});
