import type { ScalarEvent } from "js-yaml";
import { CHOMPING, EVENT, jsYaml, SCALAR } from "../js-yaml.ts";
import * as KIND from "../kind.ts";

/* Codes of the characters with a meaning in YAML. */
export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const SINGLE_QUOTE = 0x27;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const GREATER = 0x3e;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const PIPE = 0x7c;
export const CLOSE_BRACE = 0x7d;

/*
 * The values of scalars that `from-block-text.ts` has read. Public keys and requests contain simple ones, which are
 * decoded here. js-yaml decodes the others.
 */

/** The value of a quoted scalar, given the offsets of its first character and its closing quote. */
export function quotedText(text: string, kind: number, start: number, end: number): string {
  if (kind === KIND.singleQuoted) return text.slice(start, end).replaceAll("''", "'");
  return jsYaml().getScalarValue(text, {
    ...scalarEvent,
    style: SCALAR.DOUBLE_QUOTED,
    valueStart: start,
    valueEnd: end,
  });
}

/** The form of a block scalar: its style, its indentation, and how its header treats line breaks at its end. */
export interface BlockForm {
  readonly kind: number;
  readonly indent: number;
  readonly chomping: ScalarEvent["chomping"];
}

/**
 * The value of a block scalar, given the start of its first line, which is not empty, and the start of the line after
 * it (YAML 1.2.2, sections 8.1.1.2 and 8.1.2).
 */
export function blockText(text: string, { kind, indent, chomping }: BlockForm, start: number, end: number): string {
  if (kind !== KIND.literal) {
    const event = { ...scalarEvent, style: SCALAR.FOLDED_BLOCK, valueStart: start, valueEnd: end, indent, chomping };
    return jsYaml().getScalarValue(text, event);
  }
  const lines = text.slice(start, end - 1).split("\n");
  const kept = lines.map((line) => line.slice(indent)).join("\n");
  if (chomping === CHOMPING.KEEP) return `${kept}\n`;
  const last = kept.replace(/\n+$/, "");
  return chomping === CHOMPING.STRIP ? last : `${last}\n`;
}

const scalarEvent: ScalarEvent = {
  type: EVENT.SCALAR,
  style: SCALAR.PLAIN,
  chomping: CHOMPING.CLIP,
  valueStart: -1,
  valueEnd: -1,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  indent: -1,
  fast: false,
};
