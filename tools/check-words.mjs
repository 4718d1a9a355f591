// Finds words that this project does not use (tools/words.mjs), in sources, tests, schemas, and pages. `--help` has its own
// test (test/unit/cli/help-words.test.ts), without exceptions.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { phrases, words } from "./words.mjs";

/** Lines that must have such a word, by file: a quotation, or the name of something else. @type {Record<string, string[]>} */
const allowed = {
  "test/unit/cli/help-words.test.ts": ['toContain("is no ")'],
  "test/unit/krm/source.test.ts": ["is no name"],
};

const checked =
  /^(?:src|functions|schemas|tools|test|docs|integrations|\.github)\/.*\.(?:ts|mjs|cjs|sh|json|md|yaml)$|^[^/]*\.md$|^testdata\/rules\//;
const skipped = /^tools\/(?:check-)?words\.mjs$|^src\/generated\//;

const only = process.argv.slice(2);
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => checked.test(path) && !skipped.test(path))
  .filter((path) => only.length === 0 || only.some((start) => path.startsWith(start)));
const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`Found ${problems.length} words that this project does not use. See "Words" in CONTRIBUTING.md.`);
  process.exitCode = 1;
}

/** @param {string} path */
function problemsOf(path) {
  const exceptions = allowed[path] ?? [];
  const all = path.startsWith("test/") ? words : [...words, ...phrases];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (exceptions.some((text) => line.includes(text))) return [];
      return all.flatMap(({ pattern, instead, only }) => {
        if (only?.test(path) === false) return [];
        const found = pattern.exec(line)?.[0];
        return found === undefined ? [] : [`${path}:${index + 1}: "${found.trim()}": write ${instead}`];
      });
    });
}
