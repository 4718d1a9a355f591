import { ruleCode } from "../../core/finding.ts";
import { isIdentityBundle } from "../cloud.ts";
import { editedBundles, renderedAmong } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("bundle-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of the issuer or of the cluster differs from what a render generates.",
  why: "It contains the documents that publish the cluster's keys, the inputs that create the bucket and the provider, and the facts from which the scripts know their account and resources. One edited line can publish another key. The owner of that key can then act as every component.",
  cure: "Find out who edited the file, and render again. If another version of ccf rendered the package, render again and review what changes.",
  check: ({ items, rendering, cloud }) => {
    const others = renderedAmong(items, rendering).filter(
      ({ expected: { files, path } }) => files !== undefined && !isIdentityBundle(cloud, path),
    );
    return editedBundles(others);
  },
};
