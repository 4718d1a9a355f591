import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { generators } from "../../../functions/generators.ts";
import { controlCharacterIn } from "../../../src/core/text.ts";
import { runOnList } from "../../../src/krm/run.ts";
import { type Answer, answerOf } from "../../helpers/in-process.ts";
import { initFlags, initSample } from "../../helpers/sample.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

const signature = "s1GnAtUre".repeat(5);
const token = `eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2gifQ.${signature}`;

/** Valid file names. */
const names: Readonly<Record<string, string>> = {
  "an escape sequence": "a\u001b[31mb",
  "a title of a terminal": "a\u001b]0;t\u0007b",
  "CSI in one character": "a\u009b31mb",
  "a bidirectional override": "a\u202eb",
  "an isolate": "a\u2066b\u2069",
  "a zero width space": "a\u200bb",
  "a line separator": "a\u2028b",
  "a paragraph separator": "a\u2029b",
  "a line break": "a\ninfo: b",
  "a carriage return": "a\rinfo: b",
  "a backspace and DEL": "a\b\u007fb",
  "a tag character": "a\u{e0061}b",
  "a filler that shows nothing": "a\u3164b\ufe0f",
  "a token": token,
  "a token after other words": `my_token_${token}`,
};

// Characters that must not reach a terminal, a log or a page. Line breaks between lines are allowed.
const raw = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

function expectHarmless({ stdout, stderr }: Pick<Answer, "stdout" | "stderr">): void {
  for (const text of [stdout, stderr]) {
    expect(raw.exec(text)?.[0].codePointAt(0)?.toString(16)).toBeUndefined();
    expect(text).not.toContain(signature);
    // After a line break in a name, the rest would look like a separate finding.
    expect(text).not.toMatch(/^info: b/m);
  }
  expect(stderr).not.toMatch(/^ +at .*\.[jt]s/m);
}

const { directory: root, remove } = keptTemporary();
const base = join(root, "base");
beforeAll(() => {
  initSample(base);
});
afterAll(remove);

let made = 0;

/** A package with the name in its files, objects and configuration. */
function packageWith(name: string, changes: "files" | "config" | "broken"): string {
  // Commands refuse such a path before they read anything: test/program/cli/package-path.test.ts.
  const directory = join(root, `${++made}`, controlCharacterIn(name) === undefined ? name : "package");
  cpSync(base, directory, { recursive: true });
  const quoted = JSON.stringify(name).replace(
    /[\u007f-\uffff]/g,
    (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(
    join(directory, `${name}.yaml`),
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${quoted}\n  namespace: ${quoted}\n`,
  );
  writeFileSync(join(directory, `empty-${name}.yaml`), "");
  writeFileSync(
    join(directory, `request-${name}.yaml`),
    `apiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\nmetadata:\n  name: ${quoted}\n  namespace: openshift-cloud-credential-operator\nspec:\n  ${quoted}: 1\n  serviceAccountNames: [${quoted}]\n  secretRef: {name: ${quoted}, namespace: ${quoted}}\n  providerSpec:\n    apiVersion: cloudcredential.openshift.io/v1\n    kind: AWSProviderSpec\n    statementEntries:\n    - {effect: ${quoted}, action: [${quoted}], resource: ${quoted}}\n`,
  );
  symlinkSync("nowhere", join(directory, `link-${name}.yaml`));
  mkdirSync(join(directory, `sub-${name}`));
  if (changes === "broken") writeFileSync(join(directory, `broken-${name}.yaml`), "kind: CredentialsRequest\na: [b\n");
  if (changes !== "config") return directory;
  writeFileSync(
    join(directory, `sub-${name}`, "Kptfile"),
    "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\n",
  );
  writeFileSync(
    join(directory, "Kptfile"),
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\npipeline:\n  mutators:\n  - {exec: ccf generate-oidc-issuer, configPath: ${quoted}}\n  - {exec: ${quoted}}\n`,
  );
  return directory;
}

const forms = (args: readonly string[], outputs: readonly string[]) => outputs.map((form) => [...args, "-o", form]);

/** Command lines with the name as a package, a file or a word. */
function commandLines(name: string, directory: string): string[][] {
  const file = join(directory, `${name}.yaml`);
  const missing = join(directory, `missing-${name}`);
  return [
    [name],
    [name, "-o", "json"],
    ["render", `--${name}`],
    ["help", name],
    ...["render", "explain", "export"].flatMap((command) => forms([command, missing], ["text", "json"])),
    ...forms(["render", "--check", directory], ["text", "json", name]),
    ...forms(["render", "--check", "--only-ours", directory], ["text", "json"]),
    ["render", "--check", directory, "--allow", name],
    ["render", "--check", directory, "--rename-from", name],
    ...forms(["validate", directory], ["text", "json", "sarif"]),
    ...forms(["validate", directory, "--install-config", file], ["text", "json", "sarif"]),
    ...forms(["validate", directory, "--live", file], ["text", "json", "sarif"]),
    ["validate", directory, "--live", missing],
    ["validate", directory, "--time", name],
    ...forms(["export", directory, "--output-dir", join(directory, "out")], ["text", "json"]),
    ...forms(["export", base, "--check", "--output-dir", missing, "--replace", name], ["text", "json"]),
    ...forms(["diff", directory, file], ["text", "markdown", "json"]),
    ...forms(["diff", missing, name], ["text", "markdown", "json"]),
    ["diff", base, base, "--identity", missing],
    ["diff", base, base, "--feature-set", name],
    ...forms(["explain", directory], ["text", "markdown", "json"]),
    ["upgradeable-to", name, directory],
    ["upgradeable-to", "4.20", "--status", file, directory],
    ["upgradeable-to", "4.20", "--status", missing, directory],
    ["set-identities", directory, "--from", missing],
    ...forms(["add-key", "--public-key-file", missing, directory], ["text", "json"]),
    ...forms(["add-key", "--public-key-file", file, directory], ["text", "json"]),
    ["remove-key", "--", name, directory],
    ["remove-key", "-o", "json", "--", name, directory],
    ...forms(["check-issuer", name], ["text", "json"]),
    ...forms(["check-issuer", "--package", missing], ["text", "json"]),
    ["check-issuer", "https://h.example", "--platform", "aws", "--connect-to", name],
    ["check-issuer", "https://h.example", "--platform", "aws", "--ca-file", missing],
    ...forms(["verify-token", "--token", missing, "--package", directory], ["text", "json"]),
    ...forms(["verify-token", "--token", file, "--identity-file", file], ["text", "json"]),
    ["role-spec", missing],
    ["role-spec", join(directory, `request-${name}.yaml`)],
    ["init", join(directory, "new"), ...initFlags({ name })],
    ["init", directory, ...initFlags()],
    ["init", join(directory, "new"), ...initFlags({ "public-key-file": missing })],
    ["init", join(directory, "new"), ...initFlags({ "credentials-requests": missing })],
    ["init", join(directory, "new"), "--container", "--image-prefix", name, ...initFlags()],
    ["create-key-pair", "--output-dir", file, "-o", "json"],
    ["argo-cd-generate", name],
  ];
}

describe.each(Object.entries(names))("%s in a name", (_, name) => {
  it.each(["files", "config", "broken"] as const)(
    "of a package's %s reaches no terminal from any command",
    async (changes) => {
      const directory = packageWith(name, changes);
      for (const args of commandLines(name, directory)) {
        const answer = await answerOf(args);
        expectHarmless(answer);
        const form = args.at(args.lastIndexOf("-o") + 1);
        if (args.includes("-o") && (form === "json" || (form === "sarif" && answer.stdout !== "")))
          expect(() => JSON.parse(answer.stdout), `${args[0]}: ${answer.stdout}`).not.toThrow();
      }
    },
  );

  it("of an application's parameters reaches no terminal", async () => {
    // The command reads the current directory, and the repository is large.
    const before = process.cwd();
    process.chdir(base);
    for (const parameters of [
      [{ name, string: "x" }],
      [{ name: "overlay", string: name }],
      [{ name: "cluster", string: name }],
      name,
    ]) {
      vi.stubEnv("ARGOCD_APP_PARAMETERS", JSON.stringify(parameters));
      expectHarmless(await answerOf(["argo-cd-generate"]));
    }
    process.chdir(before);
    vi.unstubAllEnvs();
  });

  it("of an object or its file is in no result of a function, and not on standard error", () => {
    const quoted = JSON.stringify(name);
    const item = `{"apiVersion":"cloudcredential.openshift.io/v1","kind":"CredentialsRequest","metadata":{"name":${quoted},"namespace":${quoted},"annotations":{"config.kubernetes.io/path":${quoted}}},"spec":{${quoted}:1}}`;
    const config = `{"apiVersion":"fn.cloudcredential.dev/v1alpha1","kind":"ClusterIdentity","metadata":{"name":${quoted}},"spec":{${quoted}:{${quoted}:1}}}`;
    for (const list of [
      `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[${item}],"functionConfig":${config}}`,
      `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\nfunctionConfig: ${config}\n`,
    ]) {
      const { stdout, stderr } = runOnList(generators, Buffer.from(list));
      const results = stdout.slice(Math.max(stdout.indexOf('"results":'), stdout.indexOf("\nresults:")));
      expect(results).toContain("severity");
      expectHarmless({ stdout: results, stderr });
    }
  });
});
