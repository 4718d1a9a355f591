import type { Item } from "../../krm/item.ts";
import { elements, isMapping, isSequence, pairsOf, type Source, startOf } from "../../yaml/source.ts";

/**
 * The line of the file, from 1, that contains a field of an object, or the nearest parent field that exists.
 * @param field as findings name it: `spec.platform.aws.tags`, `spec.serviceAccountNames[0]`.
 */
export function lineOf({ source, node }: Item, field = ""): number {
  let at = node;
  let line = lineAt(source, startOf(source, node));
  let rest = field;
  while (rest !== "") {
    const step = isMapping(source, at)
      ? keyStep(source, at, rest)
      : isSequence(source, at)
        ? indexStep(source, at, rest)
        : undefined;
    if (step === undefined) break;
    if (step.start >= 0) line = lineAt(source, step.start);
    at = step.node;
    rest = rest.slice(step.length).replace(/^\./, "");
  }
  return line;
}

interface Step {
  readonly node: number;
  readonly start: number;
  readonly length: number;
}

// Keys may contain dots and slashes: the longest key that the rest begins with wins.
function keyStep(source: Source, mapping: number, rest: string): Step | undefined {
  const fitting = pairsOf(source, mapping).filter(
    ({ name }) =>
      name !== undefined && name !== "" && rest.startsWith(name) && /^(?:$|[.[])/.test(rest.slice(name.length)),
  );
  const [best] = fitting.sort((a, b) => (b.name ?? "").length - (a.name ?? "").length);
  return best === undefined
    ? undefined
    : { node: best.value, start: startOf(source, best.key), length: (best.name ?? "").length };
}

function indexStep(source: Source, sequence: number, rest: string): Step | undefined {
  const [written, location] = /^\[(\d+)\]/.exec(rest) ?? [];
  const node = location === undefined ? undefined : elements(source, sequence)[Number(location)];
  return written === undefined || node === undefined
    ? undefined
    : { node, start: startOf(source, node), length: written.length };
}

function lineAt({ text }: Source, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split(/\r\n|\r|\n/).length;
}
