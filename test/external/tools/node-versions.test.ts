import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ccf, copyProgram } from "../../helpers/ccf.ts";
import { listOf, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { nodeOf } from "../../helpers/node-of.ts";
import { type Run, run } from "../../helpers/programs.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { claimsOf, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import { exportedCluster, type Made } from "../../program/verify-token/exported.ts";

// The oldest version that package.json allows, and each line that is kept up.
const versions = ["20.16.0", "20", "22", "24", "26"];
const buildImage = fileURLToPath(new URL("../../../tools/image.mjs", import.meta.url));

/** Where the program is, and what Node finds there: it decides by the nearest package.json what a file's modules are. */
const places: readonly [name: string, files: Readonly<Record<string, string>>][] = [
  ["beside no package.json", {}],
  ['beside a package.json of "type": "module"', { "package.json": '{ "type": "module" }\n' }],
  ['beside a package.json of "type": "commonjs"', { "package.json": '{ "type": "commonjs" }\n' }],
];

const images = new Map<string, ReturnType<typeof keptTemporary>>();
const answers = new Map<string, Run>();
let list: string | undefined;

afterAll(() => {
  for (const { remove } of images.values()) remove();
});

for (const version of versions) {
  const node = nodeOf(version);
  if (node === undefined) {
    describe.skip(`Node ${version} (needs node@${version} from npm)`, () => {
      it("gives what the current Node gives", () => undefined);
    });
    continue;
  }

  describe(`Node ${version}`, () => {
    it("is the version that is meant", () => {
      const { stdout } = start(node, ["--version"]);
      expect(`${stdout.trim()}.`).toMatch(new RegExp(`^v${version.replaceAll(".", "\\.")}\\.`));
    });

    describe.each(places)("with the program %s", (_name, files) => {
      it("gives the same list as the current Node", () => {
        const program = copyOfProgram(files);
        for (const name of [[], ["generate-oidc-issuer"], ["generate-cloud-credentials"]]) {
          const expected = succeed(onCurrent(name, sampleList()));
          expect(expected.stdout).toContain("fn.cloudcredential.dev/generated-by");
          const done = start(node, [program, ...name], sampleList());
          expect(done).toEqual(expected);
        }
      });
    });

    // Where the program lies decides how Node loads it, and the tests above have loaded all of it from each place.
    describe("whatever is beside the program", () => {
      it("gives the same findings as the current Node", () => {
        const program = copyOfProgram({});
        const wrongAccount = sampleList().replace(/accountID: .*/, "accountID: 12345");
        for (const input of ["", "{", "kind: ResourceList\n", wrongAccount]) {
          const expected = onCurrent([], input);
          expect(expected.status).toBe(1);
          expect(expected.stderr).toContain("error: ");
          expect(start(node, [program], input)).toEqual(expected);
        }
      });

      it("renders the same files as the current Node", () => {
        const program = copyOfProgram({});
        const directory = newPackage();
        const expected = join(temporary(), "package");
        cpSync(directory, expected, { recursive: true });
        const before = Object.keys(readTree(directory)).length;
        succeed(start(process.execPath, [ccf, "render", expected]));
        const { status, stderr } = start(node, [program, "render", directory]);
        expect({ status, warned: stderr.includes("Warning") }).toEqual({ status: 0, warned: false });
        const rendered = readTree(directory);
        expect(rendered).toEqual(readTree(expected));
        expect(Object.keys(rendered).length).toBeGreaterThanOrEqual(before + 8);
        expect(start(node, [program, "render", "--check", directory]).status).toBe(0);
      });
    });
  });
}

describe.each(versions.flatMap((version) => nodeOf(version) ?? []))("the program as in an image, on %s,", (node) => {
  let program = "";
  let cached = "";
  beforeEach(() => {
    const directory = join(temporary(), "image");
    cpSync(imageMadeBy(node), directory, { recursive: true });
    program = join(directory, "ccf");
    cached = join(directory, "parts", cacheIn(directory) as string);
  });

  it("has a code cache that V8 takes", () => {
    const look = `const vm = require("node:vm");
      const { Script } = vm;
      vm.Script = function (text, options) {
        const script = new Script(text, options);
        console.log(script.cachedDataRejected);
        return script;
      };
      require(process.argv[1]);`;
    const { stdout } = start(node, ["-e", look, program], sampleList());
    expect(stdout).toMatch(/^false\n/);
  });

  it("gives the same list, and the same answers on the command line", () => {
    expect(start(node, [program], sampleList())).toEqual(succeed(onCurrent([], sampleList())));
    expect(start(node, [program, "--help"])).toEqual(succeed(onCurrent(["--help"])));
    expect(start(node, [program, "render", "/nowhere"])).toEqual(onCurrent(["render", "/nowhere"]));
  });

  it("is the function whose name it is called by", () => {
    const link = join(temporary(), "generate-oidc-issuer");
    symlinkSync(program, link);
    expect(start(node, [link], sampleList())).toEqual(succeed(onCurrent(["generate-oidc-issuer"], sampleList())));
  });

  it.each<[string, () => void]>([
    ["of another Node", () => renameSync(cached, cached.replace(process.arch, `${process.arch}x`))],
    ["that is empty", () => writeFileSync(cached, "")],
    ["that was cut off", () => writeFileSync(cached, readFileSync(cached).subarray(0, 10_000))],
    ["that is gone", () => rmSync(cached)],
  ])("does the same with a cache %s", (_name, spoil) => {
    spoil();
    expect(start(node, [program], sampleList())).toEqual(succeed(onCurrent([], sampleList())));
  });
});

describe("every Node answers alike", () => {
  const nodes = versions.flatMap((version) => nodeOf(version) ?? []);
  const signers = [rsaSigner(), ecSigner()];
  let made: Made;
  beforeAll(() => {
    made = exportedCluster(signers);
  });
  afterAll(() => made?.remove());

  it("to what is validated, compared, explained and asked of a token", () => {
    const { pkg, out } = made;
    const token = ["verify-token", "--token", "-", "--time", String(now), "--package"];
    const asked: readonly (readonly [args: readonly string[], input?: string])[] = [
      [["validate", pkg, "-o", "sarif"]],
      [["diff-permissions", pkg, sampleRequests, "-o", "json"]],
      [["explain", out, "-o", "json"]],
      ...signers.map((signer) => [[...token, pkg, "-o", "json"], tokenOf(signer)] as const),
      [[...token, out], tokenOf(signers[0] as Signer, claimsOf({ aud: ["other"] }))],
      ...["validate-credentials", "diff-permissions", "configure-operators"].map((fn) => [[fn], sampleList()] as const),
    ];
    const program = copyOfProgram(places[1]?.[1] ?? {});
    for (const [args, input] of asked) {
      const expected = start(process.execPath, [ccf, ...args], input);
      expect(expected.stdout, args.join(" ")).not.toBe("");
      for (const node of nodes) expect(start(node, [program, ...args], input), args.join(" ")).toEqual(expected);
    }
    const verdicts = signers.map((signer) => start(ccf, [...token, pkg], tokenOf(signer)).status);
    expect(verdicts).toEqual([0, 0]);
  });

  it("as in an image, too", () => {
    const args = ["verify-token", "--token", "-", "--time", String(now), "--package", made.pkg, "-o", "json"];
    const text = tokenOf(signers[1] as Signer);
    const expected = start(ccf, args, text);
    expect(expected.status).toBe(0);
    expect(start(process.execPath, [join(imageMadeBy(process.execPath), "ccf"), ...args], text)).toEqual(expected);
  });
});

// V8 looks at its own version alone, takes what another build of Node made, and crashes.
it("gives every Node a code cache of its own", () => {
  const nodes = versions.flatMap((version) => nodeOf(version) ?? []);
  const names = nodes.map((node) => cacheIn(imageMadeBy(node)));
  expect(new Set(names).size).toBe(nodes.length);
});

describe("the current Node", () => {
  it.each(places)("starts the program %s by its name", (_name, files) => {
    const program = copyOfProgram(files);
    chmodSync(program, 0o755);
    const { status, stdout } = start(program, ["--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain("ccf render");
  });
});

describeWithCorpus([], "every Node renders real CredentialsRequests alike", () => {
  const nodes = versions.flatMap((version) => nodeOf(version) ?? []);

  it.each(["releases/4.14/aws", "payload-files"])("%s", (input) => {
    const directory = newPackage(join(corpus, input));
    const expected = start(process.execPath, [ccf, "render", "--stdout", directory]);
    expect(succeed(expected).stdout).toContain("role_arn");
    for (const node of nodes) expect(start(node, [ccf, "render", "--stdout", directory])).toEqual(expected);
  });
});

/** Where this Node has built the program as it is in an image; no test writes there. */
function imageMadeBy(node: string): string {
  const made = images.get(node) ?? keptTemporary();
  if (!images.has(node)) execFileSync(node, [buildImage, made.directory]);
  images.set(node, made);
  return made.directory;
}

/** What the program gives on the current Node, which is asked once. */
function onCurrent(args: readonly string[], input = ""): Run {
  const asked = JSON.stringify([args, input]);
  const answer = answers.get(asked) ?? start(process.execPath, [ccf, ...args], input);
  answers.set(asked, answer);
  return answer;
}

/** The code cache of what every run loads. */
function cacheIn(directory: string): string | undefined {
  return readdirSync(join(directory, "parts")).find(
    (name) => name.startsWith("function.js.") && name.endsWith(".cache"),
  );
}

/** The program alone, in a directory of its own with nothing but these files. */
function copyOfProgram(files: Readonly<Record<string, string>>): string {
  const directory = temporary();
  writeTree(directory, files);
  return copyProgram(directory);
}

function start(program: string, args: readonly string[], input = ""): Run {
  return run(program, args, { input });
}

/** The sample package as a list, as kpt gives it to a function. */
function sampleList(): string {
  list ??= listOf(newPackage(sampleRequests));
  return list;
}
