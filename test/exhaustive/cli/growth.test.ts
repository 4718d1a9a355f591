import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageOn } from "../../../tools/bench-input.mjs";
import { publicKey } from "../../helpers/cluster.ts";
import { moments } from "../../helpers/effort.ts";
import { answerOf } from "../../helpers/in-process.ts";
import { temporary } from "../../helpers/temporary.ts";

/*
 * The work of a command grows with the number of identities, not with its square. V8 counts the calls of every function
 * ("precise coverage"), so the answer is the same on every machine. The test names the functions that are called too often.
 */

const sizes = [12, 24, 48] as const;

const commands: Readonly<Record<string, readonly string[]>> = {
  "render --check": ["render", "--check"],
  "validate -o sarif": ["validate", "-o", "sarif"],
  "explain -o html": ["explain", "-o", "html"],
  "explain -o mermaid": ["explain", "-o", "mermaid"],
  report: ["report"],
  "report --reach": ["report", "--reach"],
};

// Most of the work is the same on all clouds.
const clouds = ["aws", "gcp", "azure"];
for (const cloud of moments(clouds.length, { few: 1 }).map((place) => clouds[place - 1] ?? "")) {
  test(`the work for ${cloud} is linear in the number of identities`, async () => {
    const packages = await each(sizes, (size) => renderedPackage(cloud, size));
    const names = Object.keys(commands);
    for (const name of moments(names.length, { few: 3 }).map((place) => names[place - 1] ?? "")) {
      const args = commands[name] ?? [];
      expect(await superlinear(packages, (directory) => [...args, directory]), name).toEqual([]);
    }
  });
}

test("the work for a page with differences is linear in the number of identities", async () => {
  const packages = await each(sizes, (size) => renderedPackage("aws", size));
  const before = (directory: string) => join(directory, "../before");
  for (const [index, directory] of packages.entries()) {
    for (const [path, text] of Object.entries(packageOn("aws", sizes[index] ?? 0, publicKey)))
      if (path.startsWith("requests/")) write(join(before(directory), path), text.replace("ec2:AttachVolume", "ec2:*"));
  }
  const args = (directory: string) => ["explain", "-o", "html", "--against", before(directory), directory];
  expect(await superlinear(packages, args)).toEqual([]);
});

test("the work to export is linear in the number of identities", async () => {
  const packages = await each(sizes, (size) => renderedPackage("aws", size));
  const args = (directory: string) => ["export", directory, "--output-dir", `${directory}-export`];
  for (const directory of packages) await succeed(args(directory));
  expect(await superlinear(packages, (directory) => [...args(directory), "--check"])).toEqual([]);
});

test("the work to judge acceptances is linear in their number", async () => {
  const accept = "fn.cloudcredential.dev/accept";
  const packages = await each(sizes, (size) =>
    renderedPackage("aws", size, (path, text) => {
      if (path === "cluster-identity.yaml") return `${text}  accept:\n${entries(size)}`;
      if (!path.startsWith("requests/") || path.endsWith("1.yaml")) return text;
      const annotations = `${accept}: namespace-missing\n    ${accept}-reason: made elsewhere`;
      return text.replace("annotations:\n", `annotations:\n    ${annotations}\n`);
    }),
  );
  expect(await superlinear(packages, (directory) => ["validate", "-o", "json", directory])).toEqual([]);
});

test("the work to find what no request needs is linear in the number of identities", async () => {
  const packages = await each(sizes, (size) => renderedPackage("aws", size));
  for (const [index, directory] of packages.entries()) {
    for (let number = 1; number < (sizes[index] ?? 0); number++) rmSync(join(directory, `requests/${number}.yaml`));
  }
  expect(await superlinear(packages, (directory) => ["validate", "-o", "json", directory])).toEqual([]);
});

function entries(size: number): string {
  const one = (number: number) =>
    `  - rule: namespace-missing\n    object: namespace-${number}/credentials-${number}\n    reason: made elsewhere\n`;
  return Array.from({ length: size }, (_, number) => one(number)).join("");
}

async function renderedPackage(
  cloud: string,
  size: number,
  edit = (_path: string, text: string): string => text,
): Promise<string> {
  const directory = join(temporary(), "package");
  for (const [path, text] of Object.entries(packageOn(cloud, size, publicKey)))
    write(join(directory, path), edit(path, text));
  await succeed(["render", "--quiet", directory]);
  return directory;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function succeed(args: readonly string[]): Promise<void> {
  const answer = await answerOf(args);
  expect(answer.status, answer.stderr).toBe(0);
}

// One after the other: the commands run in this process.
async function each<T, R>(list: readonly T[], map: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) results.push(await map(one));
  return results;
}

/** The functions whose calls grow faster than the packages, which double in size. */
async function superlinear(
  packages: readonly string[],
  args: (directory: string) => readonly string[],
): Promise<string[]> {
  // What the first run of a command reads once, such as a table of roles, is not part of the growth.
  for (const directory of packages.slice(0, 1)) await answerOf(args(directory));
  const [one = none, two = none, four = none] = await each(packages, (directory) => callsOf(args(directory)));
  return [...four].flatMap(([name, calls]) => {
    const [first, second] = [(two.get(name) ?? 0) - (one.get(name) ?? 0), calls - (two.get(name) ?? 0)];
    return second > 2.6 * Math.max(first, 100) ? [`${name}: ${one.get(name)}, ${two.get(name)}, ${calls}`] : [];
  });
}

const none: ReadonlyMap<string, number> = new Map();

/** How often a command calls each function of this program. */
async function callsOf(args: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const { status, stderr } = await answerOf(args);
  const calls = new Map<string, number>();
  session.post("Profiler.takePreciseCoverage", (_, { result }) => {
    for (const { url, functions } of result) {
      // Files with the same text are read once, so what the reader of YAML does depends on the runs before.
      const [, path] = /(src\/.*\.ts)/.exec(url) ?? [];
      if (path === undefined || path.startsWith("src/yaml/")) continue;
      for (const { functionName, ranges } of functions) {
        const name = `${path} ${functionName || `at ${ranges[0]?.startOffset}`}`;
        calls.set(name, (calls.get(name) ?? 0) + (ranges[0]?.count ?? 0));
      }
    }
  });
  session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  // With findings, a command fails: it did its work.
  expect(status, stderr).not.toBe(undefined);
  expect(calls.size, stderr).toBeGreaterThan(100);
  return calls;
}
