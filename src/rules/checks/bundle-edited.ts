import { ruleCode } from "../../core/finding.ts";
import { isIdentityBundle } from "../cloud.ts";
import { editedBundles, renderedAmong } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("bundle-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of the issuer or of the cluster is not what a render makes.",
  why: "It holds the documents that the world reads the cluster's keys from, the inputs that make the bucket and the provider, and the facts by which the scripts know their account and resources. One edited line can publish another key, and the owner of that key can become every component.",
  cure: "Find out who edited the file, and render again. If another version of ccf rendered the package, render again and review what changes.",
  check: ({ items, rendering, cloud }) => {
    const others = renderedAmong(items, rendering).filter(
      ({ expected: { files, path } }) => files !== undefined && !isIdentityBundle(cloud, path),
    );
    return editedBundles(others);
  },
};
