import { withoutSecrets } from "../core/text.ts";
import type { Page } from "./page.ts";

/**
 * A page without anything that could be a private key or a token. This comes before everything else: a part of a text, such as a
 * name that is cut, would no longer look like a key.
 */
export function pageWithoutSecrets(page: Page): Page {
  return harmless(page) as Page;
}

function harmless(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, harmless(child)]));
}
