import type { Value, ValueMap } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { evaluateCel } from "./cel.ts";
import type { Provider } from "./provider.ts";

/** The subject that a provider reads from a token, or why it is unknown. */
export type MappedSubject = { readonly subject: string } | { readonly problem: string };

/** Maps the claims of a token to `google.subject`. Every mapping must be understood, because one that fails ends the exchange. */
export function mappedSubject({ mapping }: Provider, claims: ValueMap): MappedSubject {
  if (mapping === undefined) return { problem: "the provider's attribute mapping cannot be read" };
  let subject: Value | undefined;
  for (const [attribute, expression] of mapping) {
    const result = evaluateCel(expression, { assertion: claims });
    if ("problem" in result)
      return { problem: `the mapping of ${quoteWhole(attribute)} cannot be evaluated here: ${result.problem}` };
    if (attribute === "google.subject") subject = result.value;
  }
  if (typeof subject !== "string" || subject === "" || !subject.isWellFormed())
    return { problem: "the provider does not map a usable text to google.subject" };
  return { subject };
}
