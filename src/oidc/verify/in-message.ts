import { quoteWhole } from "../../core/text.ts";

/** A text of a token that a cloud repeats in its message. Here, a text that could be a key or a token is redacted. */
export function inMessage(text: string): string {
  const quoted = quoteWhole(text);
  return quoted.startsWith('"') ? quoted.slice(1, -1) : quoted;
}
