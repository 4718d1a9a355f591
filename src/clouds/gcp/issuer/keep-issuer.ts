import { quoteWhole } from "../../../core/text.ts";

/** How a package keeps its issuer: a provider has exactly one, and its URL need not be where the keys are. */
export function keepIssuer(issuer: string): { readonly cure: string; readonly field: string } {
  const field = "spec.issuer.url";
  return { field, cure: `Google Cloud trusts exactly one issuer at a time. Set "${field}" to ${quoteWhole(issuer)}.` };
}
