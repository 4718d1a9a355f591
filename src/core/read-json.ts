import { conflictIn } from "./leftover.ts";
import type { Value } from "./resource.ts";

/**
 * The value of a JSON text, or the problem with it. The problem completes a sentence that names the text: "... is not
 * JSON".
 */
export type JsonReading = { readonly value: Value } | { readonly problem: string };

const maxDepth = 64;

/**
 * Reads JSON from outside the project that other programs will read too. Text that two readers could interpret
 * differently is refused: if a key appears twice, some readers use the first value and others the last (RFC 8259,
 * section 4).
 */
export function readJson(text: string): JsonReading {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    const conflict = conflictIn(text);
    if (conflict === undefined) return { problem: "is not JSON" };
    return { problem: `is not JSON: ${conflict.reason}, line ${conflict.line}. ${conflict.cure}` };
  }
  const problem = ambiguity(text);
  return problem === undefined ? { value } : { problem };
}

// Only called for valid JSON, where a text before a colon is a key.
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
      if (keys?.has(key) === true) return "has a duplicate key";
      keys?.add(key);
    }
    if (open.length > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    before = token;
  }
  return undefined;
}
