import { codePointOf, lineAt } from "../core/text.ts";
import type { SyntaxProblem } from "./source.ts";

const lineBreak = /[\u0085\u2028\u2029]/;
const mark = /^---(?![ \t]*\r?$|[ \t]+#)|(?<=[\r\n\ufeff])\ufeff/m;

/**
 * A place where readers split a text differently, so that one of them may see an object that others do not see. kubectl, kustomize, and Argo CD cut a stream at each line that begins
 * with `---` before they parse the documents. Their parser (go-yaml) ends a line, and therefore a comment, at three characters that
 * are not line breaks in YAML 1.2.
 */
export function ambiguityIn(text: string): Required<SyntaxProblem> | undefined {
  const found = lineBreak.exec(text);
  if (found !== null) {
    const reason = `it contains the character ${codePointOf(found[0])}, at which some readers of YAML end a line`;
    return { reason, line: lineAt(text, found.index), cure: "Delete it, or write it as an escape in double quotes" };
  }
  const other = mark.exec(text);
  if (other === null) return undefined;
  const line = lineAt(text, other.index);
  return other[0] === "---"
    ? {
        reason:
          'it contains a line that begins with "---" and goes on, which some readers of YAML take for a separator',
        line,
        cure: 'Put "---" on a line of its own; write a comment there after a space',
      }
    : {
        reason: "it contains a byte order mark that is not at its start, which some readers of YAML take for text",
        line,
        cure: "Delete it",
      };
}
