import { ruleCode } from "../../core/finding.ts";
import { namedAction } from "../../permissions/permissions.ts";
import { findInGranted, quotedList } from "../granted.ts";
import type { Rule } from "../rule.ts";

export const roleUnjudged: Rule = {
  code: ruleCode("role-unjudged"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered identity has a role whose permissions are not known.",
  why: "A role is granted by its name, and its owner defines what it allows: Google or Microsoft for a predefined or a built-in role, the administrator for a custom role that is not in the package. The rules know the roles that requests of releases name, and those that exist to give access. No rule judges another role, so that nothing else is found says nothing about the identity.",
  cure: "Save the output of `gcloud iam roles describe ROLE --format=json` or `az role definition list --name ROLE --output json` to a directory, and run `ccf validate --role-definitions DIR`. The rules then judge its permissions. A function cannot read the directory, so accept the finding with the result as the reason.",
  check: ({ granted, definitions, cloud: { features } }) =>
    findInGranted(granted, ({ allowed }) => {
      const isKnown = (role: string) =>
        definitions.has(role) || definitions.has(role.toLowerCase()) || features.roles?.isJudged(role) === true;
      const found = [...allowed.values()].flat().flatMap((part) => {
        const { kind, name = "" } = namedAction(part.action) ?? {};
        return kind === "role" && !isKnown(name) ? [{ name, part }] : [];
      });
      const [first] = found;
      if (first === undefined) return undefined;
      const message = `has the role ${quotedList(found.map(({ name }) => name))}, which cannot be judged, because its permissions are not known; pass its definition with "ccf validate --role-definitions DIR", or accept the finding with the reason.`;
      return { message, part: first.part, isFact: true };
    }).map((violation) => ({ ...violation, isUndecided: true })),
};
