import type { Value } from "./resource.ts";

/** A JSON text's value, or why it has none. The problem ends a sentence that names the text: "... is not JSON". */
export type JsonReading = { readonly value: Value } | { readonly problem: string };

const maxDepth = 64;

/**
 * Reads JSON that somebody else wrote and somebody else will read, too. What two readers could take for two values is
 * refused: a key twice in one mapping counts once for some, and for others the other time (RFC 8259, section 4).
 */
export function readJson(text: string): JsonReading {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    return { problem: "is not JSON" };
  }
  const problem = ambiguity(text);
  return problem === undefined ? { value } : { problem };
}

// Only called for what is JSON: there a text before a colon is a key.
function ambiguity(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let before = "";
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const key = JSON.parse(before) as string;
      const keys = open.at(-1);
      if (keys?.has(key) === true) return "has a key twice in one mapping";
      keys?.add(key);
    }
    if (open.length > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    before = token;
  }
  return undefined;
}
