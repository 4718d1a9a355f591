import { ruleCode } from "../../../core/finding.ts";
import { matches } from "../../../permissions/glob.ts";
import type { Atom } from "../../../permissions/permissions.ts";
import { allowing, findInGranted, isWide, type Reading } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { partitions } from "../cluster/partition.ts";
import { type Way, ways } from "../permissions/escalation-ways.ts";

export const rule: Rule = {
  code: ruleCode("privilege-escalation"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows actions with which the role can extend its own permissions.",
  why: "Some actions look harmless but allow more than they say, alone or in combination. A component that can change the policies of a role can do everything, and so can a component that can start a workload as a role of its choice. The rule checks for the publicly known combinations of actions. A role that is passed by name, without a wildcard, is assumed to be intended by the request's author.",
  cure: "Remove one action of the combination, or name the resources. If the request is part of a release, limit the role with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`), and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = ways.flatMap((way) => {
        const [first] = partsOf(reading, way) ?? [];
        return first === undefined ? [] : [{ way, first }];
      });
      const [worst] = found;
      if (worst === undefined) return undefined;
      const said = found.map(({ way: { needs, how } }) => `${needs.join(" with ")} (${how})`);
      const message = `can extend its own permissions: ${said.join("; ")}; remove one action of each combination, or name the resources.`;
      return { message, part: worst.first };
    }),
};

// The parts of the permissions that allow the actions of a way; undefined if one action is not allowed.
function partsOf(reading: Reading, { needs, service, chooses }: Way): Atom[] | undefined {
  const parts: Atom[] = [];
  for (const action of needs) {
    const [part] = allowing(reading, action.toLowerCase()).filter(
      (atom) => action !== chooses || (isWide(atom) && (service === undefined || isPassedTo(atom, service))),
    );
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

// IAM User Guide, "Granting a user permissions to pass a role to an AWS service": the condition key names the services. In
// some partitions a service has the partition's suffix, in others that of "aws". A policy variable can name any service.
function isPassedTo({ condition }: Atom, service: string): boolean {
  const names = partitions.map(({ dnsSuffix }) => `${service}.${dnsSuffix}`);
  return condition
    .filter(({ key, operator }) => key === "iam:passedtoservice" && /^String(?:Equals|Like)/.test(operator))
    .every(({ values }) =>
      values.some((value) => value.includes("${") || names.some((name) => matches(value.toLowerCase(), name))),
    );
}
