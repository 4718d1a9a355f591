import { type Lexeme, lex } from "./lex.ts";

/** An expression of the supported part of the Common Expression Language. */
export type Expression =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "field"; readonly of: Expression; readonly name: string }
  | { readonly kind: "call"; readonly of: Expression; readonly name: string; readonly argument: Expression }
  | { readonly kind: "not"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Google accepts at most this many characters in a condition (IAM API v1, attributeCondition). */
const maxLength = 4096;

/** So that no expression exhausts the stack. */
const maxDepth = 64;

/** The operators from the weakest to the strongest; all of them group to the left. */
const levels: readonly (readonly string[])[] = [["||"], ["&&"], ["==", "!=", "in"]];

const reserved = new Set(["in", "null"]);

/** Parses an expression. Undefined if any part of it is not supported. */
export function parseCel(text: string): Expression | undefined {
  const lexemes = text.length > maxLength ? undefined : lex(text);
  if (lexemes === undefined) return undefined;
  const parser = new Parser(lexemes);
  const expression = parser.level(0, 0);
  return parser.isAtEnd() ? expression : undefined;
}

class Parser {
  private at = 0;
  private readonly lexemes: readonly Lexeme[];

  constructor(lexemes: readonly Lexeme[]) {
    this.lexemes = lexemes;
  }

  isAtEnd(): boolean {
    return this.at === this.lexemes.length;
  }

  level(level: number, depth: number): Expression | undefined {
    const operators = levels[level];
    if (operators === undefined) return this.unary(depth);
    let left = this.level(level + 1, depth);
    // Grouping to the left nests as deep as there are operators.
    for (let count = depth; left !== undefined; count++) {
      const operator = this.lexemes[this.at];
      if (operator === undefined || operator.kind === "text" || !operators.includes(operator.text)) return left;
      if (count > maxDepth) return undefined;
      this.at++;
      const right = this.level(level + 1, depth + 1);
      left = right === undefined ? undefined : { kind: "binary", operator: operator.text, left, right };
    }
    return undefined;
  }

  private unary(depth: number): Expression | undefined {
    if (depth > maxDepth) return undefined;
    if (!this.take("!")) return this.member(depth);
    const of = this.unary(depth + 1);
    return of === undefined ? undefined : { kind: "not", of };
  }

  private member(depth: number): Expression | undefined {
    let of = this.primary(depth);
    for (let count = depth; of !== undefined && count <= maxDepth; count++) {
      if (this.take("[")) of = this.index(of);
      else if (this.take(".")) of = this.selection(of, depth);
      else return of;
    }
    return undefined;
  }

  private index(of: Expression): Expression | undefined {
    const key = this.lexemes[this.at++];
    return key?.kind === "text" && this.take("]") ? { kind: "field", of, name: key.text } : undefined;
  }

  private selection(of: Expression, depth: number): Expression | undefined {
    const name = this.lexemes[this.at++];
    if (name?.kind !== "name" || reserved.has(name.text) || isTruth(name.text)) return undefined;
    if (!this.take("(")) return { kind: "field", of, name: name.text };
    const argument = this.level(0, depth + 1);
    return argument !== undefined && this.take(")") ? { kind: "call", of, name: name.text, argument } : undefined;
  }

  private primary(depth: number): Expression | undefined {
    if (this.take("(")) {
      const inner = this.level(0, depth + 1);
      return this.take(")") ? inner : undefined;
    }
    if (this.take("[")) return this.list(depth);
    const lexeme = this.lexemes[this.at++];
    if (lexeme === undefined || lexeme.kind === "mark" || (lexeme.kind === "name" && reserved.has(lexeme.text)))
      return undefined;
    if (lexeme.kind === "text") return { kind: "text", text: lexeme.text };
    return isTruth(lexeme.text)
      ? { kind: "truth", value: lexeme.text === "true" }
      : { kind: "name", name: lexeme.text };
  }

  private list(depth: number): Expression | undefined {
    const items: Expression[] = [];
    while (!this.take("]")) {
      if (items.length > 0 && !this.take(",")) return undefined;
      // A list may end in a comma.
      if (items.length > 0 && this.take("]")) break;
      const item = this.level(0, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "list", items };
  }

  private take(mark: string): boolean {
    const lexeme = this.lexemes[this.at];
    if (lexeme?.kind !== "mark" || lexeme.text !== mark) return false;
    this.at++;
    return true;
  }
}

function isTruth(name: string): boolean {
  return name === "true" || name === "false";
}
