import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { wrapped } from "../../core/wrapped.ts";
import { placeOf, told } from "../../krm/results.ts";

/**
 * Findings for a terminal, each in a few lines that are not wider than it: what is wrong with the code, where, and what to do.
 *
 *     warning[client-id-unknown]: its managed identity has no client ID in the package yet
 *       --> credentials-requests/20-ingress.yaml: CredentialsRequest openshift-ingress/cloud-credentials
 *       help: Apply the package with "ccf apply", which stores the ID and renders again.
 *
 * @param width of the terminal, in columns.
 */
export function diagnosticLines(findings: readonly Finding[], width: number): string[] {
  return told(findings).flatMap((one) => {
    const [{ severity, code }] = one.findings;
    const [sentence = "", ...rest] = partsOf(safeLine(one.message), ".", /^ ["A-Z]/);
    // Rules say what to do after the last semicolon.
    const parts = partsOf(sentence.replace(/\.$/, ""), ";", /^ [a-z]/);
    const cure = parts.length > 1 ? parts.pop() : undefined;
    const first = parts.join(" ").replace(/;$/, "");
    const place = safeLine(placeOf(one));
    const below = (label: string, text: string) =>
      text === "" ? [] : wrapped(text, width, `  ${label} `, " ".repeat(label.length + 3));
    return [
      ...wrapped(first, width, `${severity}[${code}]: `, "    "),
      ...below("-->", place),
      ...below("help:", [...(cure === undefined ? [] : [`${cure}${rest.length > 0 ? "." : ""}`]), ...rest].join(" ")),
    ];
  });
}

/** A text in parts that end with a sign outside of quotes, where a form of text follows. */
function partsOf(text: string, sign: string, next: RegExp): string[] {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== sign || !next.test(text.slice(at + 1, at + 3))) continue;
    parts.push(text.slice(start, at + 1));
    start = at + 2;
  }
  return [...parts, text.slice(start)];
}
