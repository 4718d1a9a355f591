import { type DocumentPart, documentParts } from "./document-parts.ts";
import type { Edit } from "./edit.ts";
import { isEmpty, type Source } from "./source.ts";

/**
 * The edits that remove documents from a text, each with its marks, its directives and the comments after it. Undefined
 * if only empty documents would remain.
 *
 * Text before the first document, up to its mark `---`, belongs to the file and is kept. An end mark is kept if the
 * remaining document before it has none and the text after it does not start with a mark.
 *
 * @param removed the nodes of the documents.
 */
export function removeDocuments(source: Source, removed: ReadonlySet<number>): Edit[] | undefined {
  const parts = documentParts(source);
  const isRemoved = ({ node }: DocumentPart) => removed.has(node);
  if (parts.every((part) => isRemoved(part) || isEmpty(source, part.node))) return undefined;
  const edits: Edit[] = [];
  for (let index = 0; index < parts.length; index++) {
    const first = parts[index] as DocumentPart;
    if (!isRemoved(first)) continue;
    const before = parts[index - 1];
    while (index + 1 < parts.length && isRemoved(parts[index + 1] as DocumentPart)) index++;
    const last = parts[index] as DocumentPart;
    edits.push(
      before === undefined ? fromTheStart(source, first, last) : between(source, before, first, last, parts[index + 1]),
    );
  }
  return edits;
}

function fromTheStart({ readable }: Source, first: DocumentPart, last: DocumentPart): Edit {
  const hasByteOrderMark = readable.startsWith("\ufeff");
  const hasComment = first.head !== first.body && readable.slice(0, first.head).includes("#");
  const start = hasComment ? first.head : hasByteOrderMark ? 1 : 0;
  // One byte order mark is enough, and there must be none after a comment.
  const isRepeated = start > 0 && readable[last.stop] === "\ufeff";
  return { start, stop: last.stop + (isRepeated ? 1 : 0), text: "" };
}

function between(
  { readable }: Source,
  before: DocumentPart,
  first: DocumentPart,
  last: DocumentPart,
  next: DocumentPart | undefined,
): Edit {
  const isEnded = before.end < before.stop;
  const endMark = last.end < last.stop;
  const beginsItself = next === undefined ? last.stop === readable.length : startsWithMark(next);
  const stop = endMark && !isEnded && !beginsItself ? last.end : last.stop;
  return { start: first.start, stop, text: "" };
}

function startsWithMark({ start, head, body }: DocumentPart): boolean {
  return start === head && body === head + 3;
}
