// Checks that only clouds know clouds. Comments may give examples.
// - Modules below the clouds, and findings that no cloud owns, use no term of a cloud.
// - A file that names every cloud must be edited for another one, so CONTRIBUTING.md lists it in "A cloud".
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { clouds } from "../.dependency-cruiser.mjs";

const below =
  /^src\/(?:apply|core|identity|krm|network|oidc|openshift|page|permissions|release-image|requests|upgrade|yaml)\/.*\.ts$/;
const explanations = /^(?:functions|src\/cli|src\/rules)\/(?:.*\/)?findings\.ts$/;

const terms =
  /\b(?:aws\w*|amazon\w*|iam|arn|sts|s3|ec2|cloudfront|azure\w*|microsoft|entra|gcp\w*|google|gcloud|managed identit\w+|(?:String|Arn)(?:Not)?(?:Equals|Like)\w*)\b/i;

/** Names that OpenShift gave, by file. */
const names = /^src\/requests\/(?:unknown-names|select)\.ts$/;

/** Files that name every cloud, but work without the name of another one, and why. @type {Record<string, string>} */
const optional = {
  "src/rules/checks/operators.ts": "examples",
  "src/rules/checks/other-clusters.ts": "advice for these clouds",
  "src/requests/unknown-names.ts": "names of OpenShift",
  "src/requests/select.ts": "names of OpenShift",
  "tools/bench-apply.mjs": "measures only these clouds",
  "tools/bench-input.mjs": "measures only these clouds",
  "tools/check-clouds.mjs": "the terms",
  "tools/generate.mjs": "the role tables that only these clouds have",
  "vitest.config.mts": "slow tests",
  "vitest.live.config.mts": "the accounts that a developer has",
};

const paths = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
const code = paths.filter((path) => /^(?:src|functions|tools)\/.*\.(?:ts|mjs)$|^[^/]*\.m[jt]s$/.test(path));
const outside = code.filter((path) => !clouds.some((cloud) => path.startsWith(`src/clouds/${cloud}/`)));
const listed = section(readFileSync("CONTRIBUTING.md", "utf8"));
/** @type {string[]} */
const problems = [];
for (const path of outside.filter((one) => !one.startsWith("src/generated/"))) {
  const { code: text } = await transform(readFileSync(path, "utf8"), { loader: "ts", legalComments: "none" });
  const term = terms.exec(text)?.[0];
  if (term !== undefined && (below.test(path) || explanations.test(path)) && !names.test(path))
    problems.push(`${path}: contains "${term}", a term of a cloud; the cloud must provide it`);
  if (namesAll(text) && optional[path] === undefined && !listed.includes(path))
    problems.push(`${path}: names every cloud, but CONTRIBUTING.md does not list it in "A cloud"; derive the names`);
}
for (const path of listed) if (!paths.includes(path)) problems.push(`CONTRIBUTING.md: ${path} does not exist`);
for (const problem of problems) console.error(`check-clouds: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @param {string} text */
function namesAll(text) {
  return clouds.every((cloud) => new RegExp(`\\b${cloud}(?![a-z])`, "i").test(text));
}

/** The files that the paragraph about a cloud names. @param {string} text @returns {string[]} */
function section(text) {
  const paragraph = text
    .split("\n\n")
    .filter((one, index, all) => /^\*\*A cloud\.\*\*/.test(one) || /^\*\*A cloud\.\*\*/.test(all[index - 1] ?? ""));
  return [...paragraph.join("\n").matchAll(/`((?:src|schemas|docs)\/[\w./-]+\.\w+)`/g)].flatMap(
    ([, path]) => path ?? [],
  );
}
