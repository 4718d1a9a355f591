import { ruleCode } from "../../core/finding.ts";
import { isIdentityBundle } from "../cloud.ts";
import { editedBundles, renderedAmong, summarized } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("role-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of a role is not what a render makes.",
  why: "The ConfigMap holds each policy twice: as people read it, and as the AWS CLI takes it. If one of them was edited, the role that is applied is not the role that was reviewed: it may do more, or another service account may become it. All files are compared, and each that was changed, added or removed is named.",
  cure: "Find out who edited the file, and render again. If other permissions or service accounts are meant, change the request or `spec.overrides`.",
  check: ({ items, rendering, identity, cloud }) => {
    const roles = renderedAmong(items, rendering).filter(({ expected }) => isIdentityBundle(cloud, expected.path));
    return summarized(editedBundles(roles), roles.length, "rendered roles", identity?.resource);
  },
};
