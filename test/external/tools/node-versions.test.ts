import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ccf, copyProgram } from "../../helpers/ccf.ts";
import { listOf, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { nodeOf } from "../../helpers/node-of.ts";
import { type Run, run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { claimsOf, ecSigner, now, rsaSigner, type Signer, tokenOf } from "../../helpers/token.ts";
import { exportedCluster, type Made } from "../../program/verify-token/exported.ts";

// The oldest version that package.json allows, and each line that is kept up.
const versions = ["20.16.0", "20", "22", "24", "26"];

/** Where the program is, and what Node finds there: it decides by the nearest package.json what a file's modules are. */
const places: readonly [name: string, files: Readonly<Record<string, string>>][] = [
  ["beside no package.json", {}],
  ['beside a package.json of "type": "module"', { "package.json": '{ "type": "module" }\n' }],
  ['beside a package.json of "type": "commonjs"', { "package.json": '{ "type": "commonjs" }\n' }],
];

const answers = new Map<string, Run>();
let list: string | undefined;

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
      [["diff", pkg, sampleRequests, "-o", "json"]],
      [["explain", out, "-o", "json"]],
      ...signers.map((signer) => [[...token, pkg, "-o", "json"], tokenOf(signer)] as const),
      [[...token, out], tokenOf(signers[0] as Signer, claimsOf({ aud: ["other"] }))],
      ...["validate-credentials", "configure-operators"].map((fn) => [[fn], sampleList()] as const),
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

/** What the program gives on the current Node, which is asked once. */
function onCurrent(args: readonly string[], input = ""): Run {
  const asked = JSON.stringify([args, input]);
  const answer = answers.get(asked) ?? start(process.execPath, [ccf, ...args], input);
  answers.set(asked, answer);
  return answer;
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
