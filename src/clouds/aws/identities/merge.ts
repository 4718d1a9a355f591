import type { Value, ValueMap } from "../../../core/resource.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import { validateAwsProviderSpec } from "../../../generated/validate-aws-provider-spec.js";
import { covers } from "../../../permissions/gains.ts";
import type { Merged } from "../../../requests/transition.ts";
import { requestedPermissions } from "../permissions/requested.ts";

/**
 * Merges what requests of two releases ask for: the statements of the new one, then those actions of the previous one that
 * they do not cover. A denial counts for all statements of a policy (IAM User Guide, "Policy evaluation logic"), so with one
 * there is no policy that is right for both.
 */
export function mergeAws(newer: ValueMap, older: ValueMap): Merged | undefined {
  if (!validateAwsProviderSpec(newer) || !validateAwsProviderSpec(older)) return undefined;
  const [own, before] = [newer.statementEntries, older.statementEntries];
  const denies = (statements: readonly StatementEntry[]) => statements.some(({ effect }) => effect === "Deny");
  const conflict = `a statement with the effect "Deny" would count for both releases`;
  if (denies(own)) return { conflict };
  if (denies(before))
    return {
      conflict,
      remedy: `remove the statements with the effect "Deny" from this request, if its component may do what they deny until the upgrade is finished`,
    };
  const allowed = requestedPermissions(own as unknown as Value);
  const left = before.flatMap((statement) => {
    const isLeft = (one: string) => !covers(allowed, requestedPermissions([{ ...statement, action: [one] }] as Value));
    const action = statement.action.filter(isLeft);
    return action.length === 0 ? [] : [{ ...statement, action }];
  });
  return { providerSpec: { ...newer, statementEntries: [...own, ...left] as unknown as Value } as ValueMap };
}
