/*
 * The syntax of the Common Expression Language ("Language Definition", section "Syntax").
 */

/** A parsed expression. */
export type CelExpression =
  | { readonly is: "value"; readonly value: Literal }
  | { readonly is: "name"; readonly name: string }
  | { readonly is: "field"; readonly of: CelExpression; readonly name: string }
  | { readonly is: "index"; readonly of: CelExpression; readonly key: CelExpression }
  | { readonly is: "list"; readonly items: readonly CelExpression[] }
  | { readonly is: "call"; readonly name: string; readonly on?: CelExpression; readonly args: readonly CelExpression[] }
  /** A map, a message, or a number: its parts are parsed, but not evaluated. */
  | { readonly is: "other"; readonly parts: readonly CelExpression[] };

/** The value of a literal. */
export type Literal = string | boolean | null;

/** A syntax error, with the position of the character. */
export class CelError extends Error {
  readonly at: number;

  constructor(problem: string, at: number) {
    super(problem);
    this.at = at;
  }
}

interface Token {
  readonly kind: "text" | "number" | "name" | "sign" | "end";
  readonly text: string;
  readonly at: number;
  /** The value of a text; undefined for bytes, and for a text with an escape that is not evaluated. */
  readonly value?: string | undefined;
}

const space = /(?:[\s]|\/\/[^\n]*)*/y;
const token =
  /(?<text>[rR]?[bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'))|(?<number>0x[0-9a-fA-F]+u?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[uU]?|\.\d+(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<sign>&&|\|\||[<>=!]=|[-+*/%!?:.,<>()[\]{}])/y;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    space.lastIndex = at;
    at += space.exec(source)?.[0].length ?? 0;
    if (at >= source.length) return [...tokens, { kind: "end", text: "", at }];
    token.lastIndex = at;
    const found = token.exec(source);
    if (found === null)
      throw new CelError(/["']/.test(source[at] ?? "") ? "a string is not closed" : "a character is not expected", at);
    const [kind, text] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) as [
      Token["kind"],
      string,
    ];
    tokens.push({ kind, text, at, ...(kind === "text" ? { value: textOf(text) } : {}) });
    at += text.length;
  }
}

function textOf(text: string): string | undefined {
  const [, prefix = "", quotes = "", inner = ""] = /^([rRbB]*)("""|'''|"|')([\s\S]*)\2$/.exec(text) ?? [];
  if (/b/i.test(prefix)) return undefined;
  return /r/i.test(prefix) || !inner.includes("\\") ? inner : unescaped(inner, quotes);
}

// Only the escapes that a subject can need.
function unescaped(text: string, quotes: string): string | undefined {
  const left = text.replace(/\\[\\"'`?]/g, "");
  return quotes === "" || left.includes("\\") ? undefined : text.replace(/\\(.)/gs, "$1");
}

/** Operators with two operands, from the weakest. */
const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** The most nested expressions; Google limits the length, not the depth. */
const maxDepth = 200;

/** Parses an expression. @throws CelError */
export function parseCel(source: string): CelExpression {
  const tokens = tokensOf(source);
  let index = 0;
  let depth = 0;
  const now = () => tokens[index] as Token;
  const fail = (): never => {
    const { kind, text, at } = now();
    throw new CelError(kind === "end" ? "it ends too early" : `${JSON.stringify(text)} is not expected`, at);
  };
  const take = (text: string): boolean => {
    const { kind, text: own } = now();
    const isTaken = own === text && (kind === "sign" || (kind === "name" && text === "in"));
    if (isTaken) index += 1;
    return isTaken;
  };
  const must = (text: string) => take(text) || fail();
  const name = (): string => {
    const { kind, text } = now();
    if (kind !== "name" || text === "in") fail();
    index += 1;
    return text;
  };
  const nested = <T>(parse: () => T): T => {
    depth += 1;
    if (depth > maxDepth) throw new CelError("it is nested too deeply", now().at);
    const result = parse();
    depth -= 1;
    return result;
  };
  const list = (end: string): CelExpression[] => {
    const items: CelExpression[] = [];
    while (!take(end)) {
      if (items.length > 0) {
        must(",");
        if (end !== ")" && take(end)) break;
      }
      items.push(expression());
    }
    return items;
  };
  const entries = (): CelExpression[] => {
    const parts: CelExpression[] = [];
    while (!take("}")) {
      if (parts.length > 0) {
        must(",");
        if (take("}")) break;
      }
      parts.push(expression());
      must(":");
      parts.push(expression());
    }
    return parts;
  };
  const expression = (): CelExpression =>
    nested(() => {
      const condition = binary(0);
      if (!take("?")) return condition;
      const yes = binary(0);
      must(":");
      return { is: "call", name: "?:", args: [condition, yes, expression()] };
    });
  const binary = (level: number): CelExpression => {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find((one) => take(one));
      if (operator === undefined) return left;
      left = { is: "call", name: operator, args: [left, binary(level + 1)] };
    }
  };
  const unary = (): CelExpression =>
    nested(() => {
      const sign = take("!") ? "!" : take("-") ? "-" : undefined;
      return sign === undefined ? member(primary()) : { is: "call", name: sign, args: [unary()] };
    });
  const member = (first: CelExpression): CelExpression => {
    let on = first;
    for (;;) {
      if (take(".")) {
        const field = name();
        on = take("(") ? { is: "call", name: field, on, args: list(")") } : { is: "field", of: on, name: field };
      } else if (take("[")) {
        on = { is: "index", of: on, key: expression() };
        must("]");
      } else if (take("{")) on = { is: "other", parts: entries() };
      else return on;
    }
  };
  const primary = (): CelExpression => {
    const { kind, value } = now();
    if (kind === "text" || kind === "number") {
      index += 1;
      return value === undefined ? { is: "other", parts: [] } : { is: "value", value };
    }
    if (take("(")) {
      const inner = expression();
      must(")");
      return inner;
    }
    if (take("[")) return { is: "list", items: list("]") };
    if (take("{")) return { is: "other", parts: entries() };
    take(".");
    const own = name();
    if (own in constants) return { is: "value", value: constants[own] as Literal };
    return take("(") ? { is: "call", name: own, args: list(")") } : { is: "name", name: own };
  };
  const parsed = expression();
  if (now().kind !== "end") fail();
  return parsed;
}

const constants: Readonly<Record<string, Literal>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
  null: null,
});
