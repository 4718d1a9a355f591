import type { Value, ValueMap } from "../../../core/resource.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import { covers } from "../../../permissions/gains.ts";
import type { Merged } from "../../../requests/transition.ts";
import { readValidSpec } from "../../request.ts";
import { requestedPermissions } from "../permissions/permissions.ts";
import { awsRequestForm, validStatements } from "./request.ts";

/**
 * Merges what requests of two releases ask for: the statements of the new one, then those actions of the previous one that
 * they do not cover. A denial counts for all statements of a policy (IAM User Guide, "Policy evaluation logic"), so with one
 * there is no policy that is right for both.
 */
export function mergeAws(newer: ValueMap, older: ValueMap): Merged | undefined {
  const specs = [newer, older].map((one) => readValidSpec(one, awsRequestForm));
  const [own, before] = specs.map((spec) => (spec === undefined ? undefined : validStatements(spec)));
  if (own === undefined || before === undefined) return undefined;
  const denies = (statements: readonly StatementEntry[]) => statements.some(({ effect }) => effect === "Deny");
  const conflict = `a statement with the effect "Deny" would count for both releases`;
  if (denies(own)) return { conflict };
  if (denies(before))
    return {
      conflict,
      remedy: `remove the statements with the effect "Deny" from this request, if its component may do what they deny until the upgrade is finished`,
    };
  const allowed = requestedPermissions(asValues(own));
  const left = before.flatMap((statement) => {
    const isLeft = (one: string) => !covers(allowed, requestedPermissions(asValues([{ ...statement, action: [one] }])));
    const [first, ...others] = statement.action.filter(isLeft);
    return first === undefined ? [] : [{ ...statement, action: [first, ...others] as const }];
  });
  return { providerSpec: { ...newer, statementEntries: asValues([...own, ...left]) } };
}

function asValues(statements: readonly object[]): readonly Value[] {
  return statements as readonly Value[];
}
