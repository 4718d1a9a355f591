import { CHOMPING } from "./events.ts";
import { KIND, type Nodes, NodeWriter } from "./nodes.ts";
import { blockText, quotedText } from "./scalar-text.ts";

/**
 * The nodes of a text that is written as kpt, kustomize and the tools of Kubernetes write: one document of mappings and
 * lists in block style, with scalars that stand on one line or after `|` or `>`, and brackets that end on their line. It
 * is most of what a function is given, and js-yaml needs several times as long for it.
 *
 * This reader decides nothing that could be decided otherwise: whatever is not wholly of that form, or might not be, it
 * leaves to js-yaml. What it returns is what {@link nodesFromEvents} makes of js-yaml's events for the same text.
 *
 * @returns undefined for a text of any other form, or of none.
 */
export function nodesFromBlockText(text: string): Nodes | undefined {
  if (!text.endsWith("\n") || unusual.test(text)) return undefined;
  try {
    return new BlockReader(text).read();
  } catch (error) {
    if (error === otherForm) return undefined;
    throw error;
  }
}

// Carriage returns, byte order marks, and what is not printed.
const unusual = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

const otherForm = new Error("not of the form that is read here");

/** Fewer levels, of either style, than half of what js-yaml takes: whether it refuses a text is for it to say. */
const deepest = 40;

/** A node has a row for itself, or two; the shortest line of a list, with its line break, has about as many characters. */
const charactersOfRow = 10;

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const PIPE = 0x7c;
const CLOSE_BRACE = 0x7d;

// With which a plain scalar does not begin (YAML 1.2.2, section 7.3.3); of the dash, what comes after it decides.
const noPlainStart = new Set(Array.from("\t\n #&*!|>'\"%@`,[]{}?:", (one) => one.charCodeAt(0)));

// Those of one character (YAML 1.2.2, section 5.7) that js-yaml decodes.
const simpleEscapes = new Set(Array.from('0abtnvfre "/\\N_LP', (one) => one.charCodeAt(0)));

// A plain scalar up to the end of its line, a colon or hash that ends it, or a tab. It never fails, so that it never goes
// back; the engine is quicker with it than with a look at each character.
const plainText = /(?:[^\n\t:# ]+|:(?![ \n])|#| +(?![#\n ]))*/y;

// A plain scalar in brackets, in the characters that mean nothing there; a colon that something follows is one of them.
const plainWord = /[A-Za-z0-9_./](?:[A-Za-z0-9_./@+*=-]|:(?=[A-Za-z0-9_./*-])| +(?=[A-Za-z0-9_./]))*/y;

/*
 * The reader goes from line to line, with the collections that are open on a stack: no function calls itself for what is
 * nested, because a program that runs for a tenth of a second is slowed down by what V8 makes of such functions.
 */
class BlockReader {
  private readonly text: string;
  private readonly nodes: NodeWriter;
  /** Where the reader is, and where that line starts. */
  private at = 0;
  private lineStart = 0;
  /** The collections that are open: their rows, their kinds, and the columns in which their keys or dashes stand. */
  private depth = 0;
  private readonly rows = new Int32Array(deepest);
  private readonly kinds = new Uint8Array(deepest);
  private readonly columns = new Int32Array(deepest);
  /** Whether the node that was read last is a plain scalar: js-yaml looks on the lines below whether it goes on there. */
  private isOpenEnded = false;
  /** The character with which the last line ended: its line break, or the hash of its comment. */
  private lineEnd = NEWLINE;
  /** The column of the comment on the first line of those that were passed last, blank ones aside; -1 for none. */
  private commentColumn = -1;
  /** How many brackets are open. */
  private brackets = 0;
  /** The offset after a dash or colon whose node is to come on the lines below, or is not written; -1 where none is. */
  private mark = 0;
  /** The offset after the last node that has been written. */
  private stop = 0;
  /** The scalar that was read last, and is not written yet. */
  private kind: number = KIND.plain;
  private start = 0;
  private end = 0;
  private isEncoded = false;

  constructor(text: string) {
    this.text = text;
    this.nodes = new NodeWriter(Math.ceil(text.length / charactersOfRow) + 16);
  }

  read(): Nodes {
    const { text } = this;
    const document = this.nodes.open(KIND.document, -1);
    this.toContent(0);
    if (this.at !== this.lineStart) throw otherForm;
    do this.line();
    while (this.at < text.length);
    if (this.mark >= 0) this.nothing();
    while (this.depth > 0) this.close();
    this.nodes.close(document, this.stop);
    return this.nodes;
  }

  /** From the start of a line to the next character that is no space and in no comment, or to the end. */
  private toContent(from: number): void {
    const { text } = this;
    let lineStart = from;
    let at = from;
    this.commentColumn = -1;
    for (;;) {
      let code = text.charCodeAt(at);
      while (code === SPACE) code = text.charCodeAt(++at);
      if (code === NEWLINE) at++;
      else if (code === HASH) {
        if (this.commentColumn < 0) this.commentColumn = at - lineStart;
        at = text.indexOf("\n", at) + 1;
      } else break;
      lineStart = at;
    }
    this.lineStart = lineStart;
    this.at = at;
    if (at === lineStart && (text.startsWith("---", at) || text.startsWith("...", at))) throw otherForm;
  }

  /** The offset of the line break, with nothing before it but spaces and a comment. */
  private endOfLine(from: number): number {
    const { text } = this;
    let at = from;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    this.lineEnd = code;
    if (code === HASH && at > from) return text.indexOf("\n", at);
    if (code !== NEWLINE) throw otherForm;
    return at;
  }

  private isAtDash(): boolean {
    return this.text.charCodeAt(this.at) === DASH && this.isSpaceAt(this.at + 1);
  }

  /** Reads from the first key or dash of a line to that of the next one that has any. */
  private line(): void {
    const column = this.at - this.lineStart;
    const isDash = this.isAtDash();
    const kind = isDash ? KIND.blockSequence : KIND.blockMapping;
    if (this.mark >= 0 && this.isBelow(column, kind)) this.open(kind, this.at);
    else {
      if (this.mark >= 0) this.nothing();
      if (!this.goesOn(column, kind)) this.closeTo(column, kind);
    }
    this.mark = -1;
    this.isOpenEnded = false;
    if (isDash ? this.entry() : this.node()) this.pair();
    else if (!isDash) throw otherForm;
    this.toContent(this.endOfLine(this.at) + 1);
    // js-yaml takes such a comment for the scalar's next line, until it sees what it is, and decodes the scalar.
    const mayGoOn = this.isOpenEnded && this.lineEnd === NEWLINE;
    if (mayGoOn && this.commentColumn > (this.columns[this.depth - 1] as number)) throw otherForm;
  }

  /** Says whether what starts in a column is the node that a dash or key above has announced. */
  private isBelow(column: number, kind: number): boolean {
    if (this.depth === 0) return true;
    const top = this.depth - 1;
    const owner = this.columns[top] as number;
    // A list may stand in the column of its key.
    return column > owner || (column === owner && kind === KIND.blockSequence && this.kinds[top] === KIND.blockMapping);
  }

  /** Says whether what starts in a column is one more key or entry of the collection that was opened last. */
  private goesOn(column: number, kind: number): boolean {
    const top = this.depth - 1;
    return this.columns[top] === column && this.kinds[top] === kind;
  }

  private open(kind: number, start: number): void {
    const { depth } = this;
    if (depth === deepest) throw otherForm;
    this.rows[depth] = this.nodes.open(kind, start);
    this.kinds[depth] = kind;
    this.columns[depth] = start - this.lineStart;
    this.depth = depth + 1;
  }

  private close(): void {
    this.nodes.close(this.rows[--this.depth] as number, this.stop);
  }

  /**
   * Ends what a line in this column does not go on with; what it goes on with must be there. No line is further left than
   * the first collection.
   */
  private closeTo(column: number, kind: number): void {
    while ((this.columns[this.depth - 1] as number) > column) this.close();
    // The key of a mapping in the column of whose keys a list stands.
    if (this.depth > 1 && this.kinds[this.depth - 1] !== kind) this.close();
    if (!this.goesOn(column, kind)) throw otherForm;
  }

  private nothing(): void {
    this.nodes.leaf(KIND.plain, -1, -1, this.mark);
    this.stop = this.mark;
  }

  /** Reads on from a dash; says whether that was up to the first key of a mapping. */
  private entry(): boolean {
    for (;;) {
      this.at++;
      if (this.isNothingElse()) return false;
      if (!this.isAtDash()) break;
      this.open(KIND.blockSequence, this.at);
    }
    const start = this.at;
    const isKey = this.node();
    if (isKey) this.open(KIND.blockMapping, start);
    return isKey;
  }

  /** Reads on from a key, which has been read. */
  private pair(): void {
    this.leaf();
    this.at++;
    if (!this.isNothingElse() && this.node()) throw otherForm;
  }

  /** Behind a dash or colon: goes to what stands on the same line; says whether that is nothing, or a comment. */
  private isNothingElse(): boolean {
    const afterMark = this.at;
    let at = afterMark;
    let code = this.text.charCodeAt(at);
    while (code === SPACE) code = this.text.charCodeAt(++at);
    const isNothing = code === NEWLINE || code === HASH;
    if (isNothing) this.mark = afterMark;
    else this.at = at;
    return isNothing;
  }

  /** Reads what stands here; says whether it is a key: that is not written yet, and its colon is what comes next. */
  private node(): boolean {
    const code = this.text.charCodeAt(this.at);
    if (!noPlainStart.has(code)) {
      if (this.plain()) return true;
      this.isOpenEnded = true;
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      if (this.quotedKey(code)) return true;
    } else {
      if (code === PIPE || code === GREATER) this.blockScalar(code === PIPE ? KIND.literal : KIND.folded);
      else if (code === OPEN_BRACKET || code === OPEN_BRACE) this.inBrackets();
      else throw otherForm;
      return false;
    }
    this.leaf();
    return false;
  }

  private quotedKey(quote: number): boolean {
    this.quoted(quote);
    const { text } = this;
    let at = this.at;
    while (text.charCodeAt(at) === SPACE) at++;
    if (text.charCodeAt(at) !== COLON) return false;
    if (!this.isSpaceAt(at + 1)) throw otherForm;
    this.at = at;
    return true;
  }

  private plain(): boolean {
    const { text, at: start } = this;
    if (this.isAtDash()) throw otherForm;
    plainText.lastIndex = start;
    plainText.test(text);
    let end = plainText.lastIndex;
    const code = text.charCodeAt(end);
    const isKey = code === COLON;
    this.at = end;
    while (text.charCodeAt(end - 1) === SPACE) end--;
    this.kind = KIND.plain;
    this.start = start;
    this.end = end;
    this.isEncoded = false;
    return isKey;
  }

  private isSpaceAt(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code === SPACE || code === NEWLINE;
  }

  private quoted(quote: number): void {
    const { text } = this;
    const isDouble = quote === DOUBLE_QUOTE;
    let at = this.at + 1;
    this.start = at;
    this.isEncoded = false;
    for (let code = text.charCodeAt(at); ; code = text.charCodeAt(++at)) {
      if (code === NEWLINE) throw otherForm;
      if (code === quote) {
        if (isDouble || text.charCodeAt(at + 1) !== SINGLE_QUOTE) break;
      } else if (!isDouble || code !== BACKSLASH) continue;
      else if (!simpleEscapes.has(text.charCodeAt(at + 1))) throw otherForm;
      // A quote that is written twice, or an escape.
      this.isEncoded = true;
      at++;
    }
    this.kind = isDouble ? KIND.doubleQuoted : KIND.singleQuoted;
    this.end = at;
    this.at = at + 1;
  }

  /** Writes the scalar that was read. */
  private leaf(): void {
    const { kind, start, end } = this;
    this.stop = kind === KIND.plain ? end : end + 1;
    const { text } = this;
    const encoded = this.isEncoded ? () => quotedText(text, kind, start, end) : undefined;
    this.nodes.leaf(kind, start, end, this.stop, encoded);
  }

  // YAML 1.2.2, section 8.1. Where it ends without a line of text, readers differ, and js-yaml decides.
  private blockScalar(kind: number): void {
    const { text } = this;
    const sign = text.charCodeAt(++this.at);
    if (sign === PLUS || sign === DASH) this.at++;
    const chomping = sign === PLUS ? CHOMPING.KEEP : sign === DASH ? CHOMPING.STRIP : CHOMPING.CLIP;
    const start = this.endOfLine(this.at) + 1;
    const indent = this.indentOf(start);
    if (indent <= (this.columns[this.depth - 1] as number)) throw otherForm;
    const end = this.afterIndented(start, indent);
    this.stop = end;
    this.nodes.leaf(kind, start, end, end, () => blockText(text, { kind, indent, chomping }, start, end));
    this.at = end - 1;
  }

  /** How far the text of a line is indented; at least one line of text must be there, and no empty one before it. */
  private indentOf(lineStart: number): number {
    const { text } = this;
    let at = lineStart;
    while (text.charCodeAt(at) === SPACE) at++;
    const code = text.charCodeAt(at);
    if (code === NEWLINE || code === TAB) throw otherForm;
    return at - lineStart;
  }

  /** The offset after the lines, from one on, that are empty or as far indented. */
  private afterIndented(from: number, indent: number): number {
    const { text } = this;
    for (let lineStart = from; ; ) {
      let at = lineStart;
      while (text.charCodeAt(at) === SPACE) at++;
      if (text.charCodeAt(at) !== NEWLINE && at - lineStart < indent) return lineStart;
      lineStart = text.indexOf("\n", at) + 1;
    }
  }

  /** A list or mapping in brackets, all of it on this line. */
  private inBrackets(): void {
    if (++this.brackets > deepest) throw otherForm;
    const isMapping = this.text.charCodeAt(this.at) === OPEN_BRACE;
    const row = this.nodes.open(isMapping ? KIND.flowMapping : KIND.flowSequence, this.at);
    const closer = isMapping ? CLOSE_BRACE : CLOSE_BRACKET;
    this.at++;
    this.toToken();
    if (this.text.charCodeAt(this.at) !== closer) {
      this.inBracket(isMapping);
      while (this.text.charCodeAt(this.at) === COMMA) {
        this.at++;
        this.inBracket(isMapping);
      }
      if (this.text.charCodeAt(this.at) !== closer) throw otherForm;
    }
    this.stop = ++this.at;
    this.nodes.close(row, this.stop);
    this.brackets--;
  }

  /** An entry of a list or a pair of a mapping, and the spaces around it. */
  private inBracket(isPair: boolean): void {
    this.toToken();
    if (isPair) {
      this.word();
      this.toToken();
      if (this.text.charCodeAt(this.at++) !== COLON) throw otherForm;
      // Behind a plain key, a colon without a space may be one of its characters: `{a :b}`, `{a:"b"}`.
      if (this.kind === KIND.plain && this.text.charCodeAt(this.at) !== SPACE) throw otherForm;
      this.toToken();
    }
    const code = this.text.charCodeAt(this.at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) this.inBrackets();
    else this.word();
    this.toToken();
  }

  private word(): void {
    const { text } = this;
    const code = text.charCodeAt(this.at);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.quoted(code);
    else {
      plainWord.lastIndex = this.at;
      if (!plainWord.test(text)) throw otherForm;
      this.kind = KIND.plain;
      this.isEncoded = false;
      this.start = this.at;
      this.end = plainWord.lastIndex;
      this.at = this.end;
    }
    this.leaf();
  }

  private toToken(): void {
    while (this.text.charCodeAt(this.at) === SPACE) this.at++;
  }
}
