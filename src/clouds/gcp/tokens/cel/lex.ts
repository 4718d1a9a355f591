/** A token of an expression: a name, a text, or a punctuation mark. */
export interface Lexeme {
  readonly kind: "name" | "text" | "mark";
  /** The name, the value of the text, or the mark. */
  readonly text: string;
}

const pattern =
  /\s*(?:([A-Za-z_]\w*)|"((?:[^"\\\r\n]|\\["'\\])*)"|'((?:[^'\\\r\n]|\\["'\\])*)'|(==|!=|&&|\|\||[!()[\],.]))/y;

/**
 * Splits an expression into its tokens (Common Expression Language, "Language Definition", "Syntax"). Undefined if it
 * contains something that is not supported: numbers, other operators, other escapes, comments, raw or triple-quoted texts.
 */
export function lex(expression: string): readonly Lexeme[] | undefined {
  const found: Lexeme[] = [];
  const text = expression.replace(/[ \t\r\n]+$/, "");
  for (pattern.lastIndex = 0; pattern.lastIndex < text.length; ) {
    const [, name, double, single, mark] = pattern.exec(text) ?? [];
    const quoted = double ?? single;
    if (name !== undefined) found.push({ kind: "name", text: name });
    else if (quoted !== undefined) found.push({ kind: "text", text: quoted.replace(/\\(.)/g, "$1") });
    else if (mark !== undefined) found.push({ kind: "mark", text: mark });
    else return undefined;
  }
  return found;
}
