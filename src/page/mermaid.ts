import { printable } from "../core/text.ts";
import { type ClusterPart, type IdentityPart, type Page, pageWithoutSecrets } from "./page.ts";
import { accountOf, marksOf, servicesOf, subjectsOf } from "./services.ts";

/**
 * The picture as a Mermaid flowchart in a code block of Markdown, for code hosts that draw it. Names are quoted, and every
 * character with a meaning in Markdown or Mermaid is an entity code (Mermaid documentation, "Flowcharts: special characters").
 */
export function mermaid(page: Page): string[] {
  const { clusters } = pageWithoutSecrets(page);
  const isFleet = clusters.length > 1;
  const bodies = clusters.flatMap((cluster, index) => {
    const lines = linesOf(cluster, `c${index}`);
    const inGroup = [`  subgraph c${index}[${quoted(cluster.name)}]`, ...lines.map((line) => `  ${line}`), "  end"];
    return isFleet ? inGroup : lines;
  });
  return ["```mermaid", "flowchart LR", ...bodies, "```"];
}

function linesOf({ identities }: ClusterPart, prefix: string): string[] {
  const nodes = new Map<string, string>();
  const lines: string[] = [];
  // A service account, or a service, that several identities have is one node.
  const node = (kind: string, name: string, [open, close]: readonly [string, string]) => {
    const known = nodes.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const id = `${prefix}n${nodes.size}`;
    nodes.set(`${kind} ${name}`, id);
    lines.push(`  ${id}${open}${quoted(name)}${close}`);
    return id;
  };
  for (const identity of identities) {
    const accounts = subjectsOf(identity).map((subject) => node("account", accountOf(subject), ["([", "])"]));
    const id = node("identity", nameWithMarks(identity), ["[", "]"]);
    lines.push(...accounts.map((account) => `  ${account} --> ${id}`));
    for (const { name, amount, isWide } of servicesOf(identity)) {
      const service = node("service", name, ["[[", "]]"]);
      lines.push(`  ${id} -->|${quoted(isWide ? `${amount}, wildcard` : amount)}| ${service}`);
    }
  }
  return lines;
}

function nameWithMarks(identity: IdentityPart): string {
  const marks = Object.values(marksOf(identity)).filter((mark) => mark !== "");
  return marks.length === 0 ? identity.key : `${identity.key} (${marks.join(", ")})`;
}

function quoted(text: string): string {
  const safe = printable(text).replace(/[^A-Za-z0-9 .,/:@()-]/gu, (one) => `#${one.codePointAt(0)};`);
  return `"${safe}"`;
}
