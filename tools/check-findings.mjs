// Keeps the table of finding codes, the code that uses them and the tests in step: every code of the table is used in
// src/ or functions/, and asserted in a test or in an expected output.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const table = "src/core/finding-codes.ts";
const codes = [...readFileSync(join(root, table), "utf8").matchAll(/^ {2}"([a-z-]+)": \{/gm)].map(([, code]) => code);
const source = textOf(["src", "functions"], (path) => path !== table && !path.startsWith("src/generated/"));
const tests = textOf(["test", "testdata"], () => true);

const problems = codes.flatMap((code) => [
  ...(source.includes(`"${code}"`) ? [] : [`${code} is in the table, but nothing reports it`]),
  ...(new RegExp(`["[ ]${code}(?:["\\\\\\]]|$)`, "m").test(tests) ? [] : [`${code} is asserted in no test`]),
]);
if (codes.length === 0) problems.push("the table of findings was not understood");
for (const problem of problems) console.error(`check-findings: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * @param {string[]} folders
 * @param {(path: string) => boolean} wanted
 */
function textOf(folders, wanted) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
  );
  return paths
    .filter(wanted)
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
}
