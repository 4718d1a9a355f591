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
  summary: "A request or a rendered role allows actions with which its role can give itself more than it is granted.",
  why: "Some actions are harmless to read and amount to more than they say, alone or together: whoever may change the policies of a role may do everything, and so may whoever can start something that runs as a role of their choice. The known ways are looked for, action by action; a role that is passed by its name, without a wildcard, counts as chosen by the request's author.",
  cure: "Leave out one action of the combination, or name the resources. Where the request is a release's, a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) limits what the role can become; accept it with that as reason.",
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = ways.flatMap((way) => {
        const [first] = partsOf(reading, way) ?? [];
        return first === undefined ? [] : [{ way, first }];
      });
      const [worst] = found;
      if (worst === undefined) return undefined;
      const said = found.map(({ way: { needs, how } }) => `${needs.join(" with ")} (${how})`);
      const message = `can give itself more than it is granted: ${said.join("; ")}.`;
      return { message, part: worst.first };
    }),
};

// The part of the permissions that allows each action of a way; undefined where one is not allowed.
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
// some partitions a service has their suffix, in others the one of "aws"; a policy variable may name any.
function isPassedTo({ condition }: Atom, service: string): boolean {
  const names = partitions.map(({ dnsSuffix }) => `${service}.${dnsSuffix}`);
  return condition
    .filter(({ key, operator }) => key === "iam:passedtoservice" && /^String(?:Equals|Like)/.test(operator))
    .every(({ values }) =>
      values.some((value) => value.includes("${") || names.some((name) => matches(value.toLowerCase(), name))),
    );
}
