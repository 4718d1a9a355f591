import { quoteWhole } from "../../../core/text.ts";

const form =
  /^(?:(?:\/\/|https:\/\/|principal(?:Set)?:\/\/)iam\.googleapis\.com\/)?projects\/\d{1,19}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{1,32}(?:\/\*|\/providers\/[a-z0-9-]{1,32}|\/subject\/system:serviceaccount:[a-z0-9-]{1,63}:[a-z0-9.-]{1,253})?$/;

/** The name of a pool, a provider or a principal in quotes. Its length makes it look like a key, so `quoteWhole` hides it. */
export function quoteName(text: string): string {
  return form.test(text) ? `"${text}"` : quoteWhole(text);
}
