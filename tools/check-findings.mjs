// Checks that the findings of each module, the code that reports them, and the tests are in sync: see findingProblems.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modules } from "../.dependency-cruiser.mjs";
import { findingProblems } from "./finding-problems.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const problems = findingProblems({
  source: filesOf(["src", "functions"]).filter(({ path }) => !path.startsWith("src/generated/")),
  tests: filesOf(["test", "testdata"]),
  modules,
});
for (const problem of problems) console.error(`check-findings: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @param {string[]} folders */
function filesOf(folders) {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return entries.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return { path: file.slice(root.length), text: readFileSync(file, "utf8") };
  });
}
