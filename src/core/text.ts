/** Compares by UTF-16 code unit: the same everywhere, unlike anything that asks the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const longestQuote = 72;

// What is never shown need not be looked at.
const maxLookahead = 4096;

// `<namespace>/<name>` of an object has at most 317 characters, an OpenID Connect provider's ARN about as many.
const longestName = 320;

// What a terminal or a log could act on, and what a reader cannot see: C0, DEL, C1, line separators, direction marks, lone
// surrogates, characters without width. Emoji of newer Unicode versions than Node's are among the unassigned ones.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

// "-----BEGIN", plain or in base64, at any of the three alignments of the base64 alphabet.
const secretLike =
  /PRIVATE KEY|LS0tLS1CRUdJTi|0tLS0tQkVHSU4|tLS0tLUJFR0lO|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+|eyJ[\w-]{8,}\.[\w-]*\.[\w-]{16,}/;

/**
 * A value of the input, ready for a message: in double quotes, control characters escaped, shortened, and nothing of it
 * where it could be a private key or a token.
 */
export function quote(value: unknown): string {
  return typeof value === "string" ? quoteUpTo(longestQuote, value) : summarize(value);
}

/** The same of a text that says nothing when it is cut: a name, a field path, an ARN. */
export function quoteWhole(text: string): string {
  return quoteUpTo(longestName, text);
}

/** A text of the input as it is, but for what a terminal or a log could act on, and what nobody could see: as `\u202e`. */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOne);
}

// A header in base64url begins with `{"`, so that a token begins with "eyJ" wherever in a text it is. An encrypted one has
// five parts.
const tokens = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+(?:\.[\w-]*)*|eyJ[\w-]{8,}\.[\w-]*\.[\w-]{16,}(?:\.[\w-]*)*/g;

/** A text without what could be a private key or a token in it; of a token nothing is left, because its end is the secret. */
export function withoutSecrets(text: string): string {
  if (holdsPrivateKey(text)) return notShown;
  return text.includes("eyJ") ? text.replace(tokens, notShown) : text;
}

/**
 * A line of output: whatever of the input is in it, a terminal shows all of it and acts on nothing, it stays one line, and no
 * key and no token is in it. Every text that is printed passes this (src/krm/stdio.ts).
 */
export function safeLine(text: string): string {
  return printable(withoutSecrets(text));
}

/** A text of the input for a program to read: as it is, and nothing of it where it could be a private key or a token. */
export function withoutSecret(text: string): string {
  return quoteWhole(text) === notShown || holdsPrivateKey(text) ? notShown : text;
}

/** Stands in the place of what could be a private key or a token. */
export const notShown = "(a value that is not shown)";

function quoteUpTo(longest: number, text: string): string {
  const start = text.slice(0, maxLookahead);
  if (secretLike.test(start) || isKeyLike(start)) return notShown;
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  const escaped = short.replace(/["\\]/g, "\\$&").replace(unprintable, escapeOne);
  return `"${escaped}"`;
}

// A long run of the base64 alphabet in which all of its classes stand: the body of a key, without its header.
function isKeyLike(value: string): boolean {
  return (value.match(/[A-Za-z0-9+/]{60,}/g) ?? []).some(
    (run) => /[A-Z]/.test(run) && /[a-z]/.test(run) && /[0-9]/.test(run),
  );
}

function summarize(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "a mapping";
  return String(value);
}

function escapeOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

// RFC 7468 names private keys "PRIVATE KEY", "ENCRYPTED PRIVATE KEY"; older forms put the algorithm before it.
const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;

/** "-----BEGIN PRIVATE KEY-----", and not a character of a key. */
const shortestKey = 27;

// What a key must have, in the one form or the other. Nearly every text has neither, and one look at it says so.
const maybePrivateKey = /PRIVATE KEY|(?:^|[^A-Za-z0-9+/\s])[A-Za-z0-9+/\s]{36}/;

/** Says whether a text holds a private key in PEM form, also where it is wrapped in base64 once more. */
export function holdsPrivateKey(text: string): boolean {
  return text.length >= shortestKey && maybePrivateKey.test(text) && holdsWholeKey(text);
}

function holdsWholeKey(text: string): boolean {
  if (privateKey.test(text)) return true;
  // Base64 may be broken into lines, and a key may start at any of its alignments.
  for (const run of text.replace(/\s+/g, "").match(/[A-Za-z0-9+/]{36,}/g) ?? []) {
    for (const offset of [0, 1, 2, 3]) {
      if (privateKey.test(atob64(run.slice(offset)))) return true;
    }
  }
  return false;
}

function atob64(text: string): string {
  return Buffer.from(text, "base64").toString("latin1");
}
