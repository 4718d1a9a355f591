import { preservedChomping } from "./chomping.ts";
import { directivesOf } from "./directives.ts";
import type { DocumentPart } from "./document-parts.ts";
import { applyEdits, type Edit, lineAfter } from "./edit.ts";
import { endOfLine, endsLine } from "./lines.ts";
import type { Source } from "./source.ts";

/**
 * A document for a stream of documents, from its mark `---` to the end of a line, with its comments.
 *
 * It has no directives: kubectl, kustomize and Argo CD split streams at each `---` before they parse, and refuse text
 * before a mark. The only directive that affects values is `%TAG`, so tags that need it are written in full.
 */
export function documentText(source: Source, part: DocumentPart): string {
  const { text } = source;
  const start = contentStart(source, part);
  const stop = contentStop(source, part);
  const edits: Edit[] = tagEdits(source, part);
  const lacksLineBreak = !endsLine(text, stop);
  // Only at the end of the text can a line break be missing.
  const chomping = lacksLineBreak && stop === text.length ? preservedChomping(source) : undefined;
  if (chomping !== undefined) edits.push(chomping);
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, stop: edit.stop - start }));
  return `---\n${leadingComments(source, part)}${applyEdits(text.slice(start, stop), inside)}${lacksLineBreak ? "\n" : ""}`;
}

const blankBehindMark = /[ \t]*(?:(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))*)?/y;

// Content on the line of the mark gets its own line.
function contentStart({ readable }: Source, { head, body }: DocumentPart): number {
  if (head === body) return body;
  blankBehindMark.lastIndex = body;
  blankBehindMark.test(readable);
  return blankBehindMark.lastIndex;
}

function contentStop(source: Source, { body, end, node }: DocumentPart): number {
  const { readable, stop } = source;
  const nodeStop = Math.max(body, stop[node] as number);
  const behind = readable.slice(nodeStop, end).trimEnd();
  if (behind === "") return Math.min(lineAfter(source, node), end);
  return Math.min(endOfLine(readable, nodeStop + behind.length) + 1, end);
}

// Between the previous document and its mark, a document may have comments. Other lines there are marks and directives.
function leadingComments({ readable }: Source, { start, body }: DocumentPart): string {
  const lines = readable.slice(start, body).split(/\r\n?|\n/);
  return lines
    .map((line) => /^\ufeff?[ \t]*(#.*)$/.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join("");
}

function tagEdits(source: Source, { node }: DocumentPart): Edit[] {
  // Reading directives requires parsing with js-yaml.
  if (!source.readable.includes("%TAG")) return [];
  const prefixes = new Map<string, string>();
  for (const directive of directivesOf(source, node)) {
    if (directive.kind === "tag") prefixes.set(directive.handle, directive.prefix);
  }
  if (prefixes.size === 0) return [];
  const edits: Edit[] = [];
  for (let row = node; row < (source.next[node] as number); row++) {
    const { tagStart: start, tagEnd: stop } = source.properties.get(row) ?? { tagStart: -1, tagEnd: -1 };
    const [, handle = "", suffix] = /^(!(?:[0-9A-Za-z-]*!)?)([^<].*)$/s.exec(source.text.slice(start, stop)) ?? [];
    const prefix = prefixes.get(handle);
    if (start >= 0 && prefix !== undefined) edits.push({ start, stop, text: `!<${prefix}${suffix}>` });
  }
  return edits;
}
