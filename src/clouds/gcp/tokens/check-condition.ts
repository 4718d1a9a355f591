import { quote } from "../../../core/text.ts";
import type { Token } from "../../../oidc/token.ts";
import { type Check, failed, passed, unknown } from "../../../oidc/verify/check.ts";
import type { MappedSubject } from "./attributes.ts";
import { evaluateCel } from "./cel.ts";
import { giveProvider } from "./check-provider.ts";
import type { Provider } from "./provider.ts";
import { conditionFalse } from "./refusals.ts";

const simpler =
  "compare the condition with the token's claims; `ccf` evaluates one `==` or `in` on assertion.<claim> and google.subject";

/** Checks that the token meets the provider's attribute condition. */
export function checkCondition(
  { claims }: Token,
  provider: Provider | undefined,
  mapped: MappedSubject | undefined,
): Check {
  if (provider === undefined) return unknown("condition", "the condition of the provider is unknown", giveProvider);
  const { condition } = provider;
  if (condition === undefined) return unknown("condition", "the condition is not a string", giveProvider);
  if (condition === "") return passed("condition", "the provider has no attribute condition");
  const google = mapped !== undefined && "subject" in mapped ? { google: { subject: mapped.subject } } : {};
  const result = evaluateCel(condition, { assertion: claims, ...google });
  if ("problem" in result)
    return unknown(
      "condition",
      `the condition ${quote(condition)} cannot be evaluated here: ${result.problem}`,
      simpler,
    );
  if (result.value === true) return passed("condition", `the token meets the condition ${quote(condition)}`);
  if (result.value !== false)
    return unknown("condition", `the condition ${quote(condition)} is neither true nor false`, simpler);
  const cure =
    "use a token that meets the condition; or change `spec.platform.gcp.attributeCondition`, render, export and apply";
  return failed("condition", conditionFalse, `the token does not meet the condition ${quote(condition)}`, cure);
}
