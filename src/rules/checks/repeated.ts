import { ruleCode } from "../../core/finding.ts";
import { allByKey, generatedBy, objectKey, type Resource } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Rule } from "../rule.ts";

/** How many files a message names. */
const maxFiles = 5;

export const generatedRepeated: Rule = {
  code: ruleCode("generated-repeated"),
  severity: "error",
  reads: "package",
  summary: "The package contains a generated object more than once.",
  why: "A cluster has only one object of a group, kind, namespace and name, so the order in which a tool applies the copies decides which one remains. The usual cause is a function in the Kptfile with selectors: kpt then hides from the function what it generated before, and adds all objects again at every run.",
  cure: "If a function in the Kptfile has selectors, remove them: a function reads only what it needs. Then run `ccf render`, which keeps one copy of each object that it generates. Delete a copy that you made yourself.",
  check: ({ items }) =>
    [...allByKey(items.filter(isNamed), objectKey).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined || same.length === 1 || !same.some(({ annotations }) => annotations.has(generatedBy)))
        return [];
      const files = [...new Set(same.flatMap(({ path }) => (path === undefined ? [] : [quote(path)])))];
      const where = files.length === 0 ? "" : ` (${listed(files, maxFiles)})`;
      const message = `appears ${same.length} times in the package${where}; a cluster has exactly one. Remove the selectors from the functions in the Kptfile, if there are any, and run "ccf render", which keeps one. Delete a copy that you made yourself.`;
      return [{ message, resource: first }];
    }),
};

function isNamed({ kind, name }: Resource): boolean {
  return kind !== "" && name !== "";
}
