import { ruleCode } from "../../core/finding.ts";
import { isIdentityBundle } from "../cloud.ts";
import { editedBundles, renderedAmong, summarized } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("role-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of a role differs from what a render generates.",
  why: "The ConfigMap contains each policy twice: once for people, and once in the form that the AWS CLI reads. If one of them was edited, the applied role differs from the reviewed one: it may do more, or another service account may assume it. The rule compares all files and names each that was changed, added or removed.",
  cure: "Find out who edited the file, and render again. To change permissions or service accounts, change the request or `spec.overrides`.",
  check: ({ items, rendering, identity, cloud }) => {
    const roles = renderedAmong(items, rendering).filter(({ expected }) => isIdentityBundle(cloud, expected.path));
    return summarized(editedBundles(roles), roles.length, "rendered roles", identity?.resource);
  },
};
