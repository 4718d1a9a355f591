/** Compares by UTF-16 code unit: the result is the same everywhere, because it does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text with its first letter in upper case. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const longestQuote = 72;

// Text after this is never shown, so it need not be checked.
const maxLookahead = 4096;

// `<namespace>/<name>` of an object has at most 317 characters; the ARN of an OpenID Connect provider is about as long.
const longestName = 320;

// Characters that a terminal or log could interpret, and characters that a reader cannot see or cannot tell from a space: C0, DEL,
// C1, line separators, direction marks, lone surrogates, zero-width characters, other spaces, the empty Braille pattern. Not what
// Unicode has not assigned yet: that differs between versions of Node, and a message must not.
const unseen =
  "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}\\u2800]|(?! )\\p{Zs}";

const unprintable = new RegExp(unseen, "gu");

// Texts of several lines may be indented with tabs.
const invisible = new RegExp(`(?![\\t\\n\\r])(?:${unseen})`, "u");

// "-----BEGIN", plain or in base64, at any of the three alignments of the base64 alphabet.
const secretLike =
  /PRIVATE KEY|LS0tLS1CRUdJTi|0tLS0tQkVHSU4|tLS0tLUJFR0lO|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+|eyJ[\w-]{8,}\.[\w-]*\.[\w-]{16,}/;

/**
 * A value from the input, ready for a message: in double quotes, shortened, with control characters escaped. A value
 * that could be a private key or a token is not shown at all.
 */
export function quote(value: unknown): string {
  return typeof value === "string" ? quoteUpTo(longestQuote, value) : summarize(value);
}

/** Like {@link quote}, for a text that is useless when shortened: a name, a field path, an ARN. */
export function quoteWhole(text: string): string {
  return quoteUpTo(longestName, text);
}

/** The code point of a character, as Unicode writes it: `U+000A`. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The first character of a text, other than a tab or a line break, that a reader cannot see or cannot tell from a space. */
export function invisibleCharacterIn(text: string): string | undefined {
  return /^[ -~]*$/.test(text) ? undefined : invisible.exec(text)?.[0];
}

/** The first control character or line break of a text. */
export function controlCharacterIn(text: string): string | undefined {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.exec(text)?.[0];
}

/**
 * A text from the input, with invisible characters and those that a terminal or log could interpret escaped: `\u202e`.
 */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOne);
}

// The header of a token begins with `{"`, which is "eyJ" in base64url. An encrypted token has five parts.
const tokens = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+(?:\.[\w-]*)*|eyJ[\w-]{8,}\.[\w-]*\.[\w-]{16,}(?:\.[\w-]*)*/g;

/**
 * A text without anything that could be a private key or a token. A token is removed whole, because its end is the
 * secret.
 */
export function withoutSecrets(text: string): string {
  if (holdsPrivateKey(text)) return notShown;
  return text.includes("eyJ") ? text.replace(tokens, notShown) : text;
}

/**
 * A line of output that is safe whatever the input: it stays one line, a terminal shows all of it and interprets none
 * of it, and it contains no key and no token. Every printed text passes through here (src/krm/stdio.ts).
 */
export function safeLine(text: string): string {
  return printable(withoutSecrets(text));
}

/**
 * A text from the input for a program to read: unchanged, or {@link notShown} if it could be a private key or a token.
 */
export function withoutSecret(text: string): string {
  return quoteWhole(text) === notShown || holdsPrivateKey(text) ? notShown : text;
}

/** Replaces anything that could be a private key or a token. */
export const notShown = "(a value that is not shown)";

function quoteUpTo(longest: number, text: string): string {
  const start = text.slice(0, maxLookahead);
  if (secretLike.test(start) || isKeyLike(start)) return notShown;
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  const escaped = short.replace(/["\\]/g, "\\$&").replace(unprintable, escapeOne);
  return `"${withoutLookAlikes(escaped)}"`;
}

// Letters that look like those of ASCII, in a word with such letters: the message would show the name that the reader expects.
function withoutLookAlikes(text: string): string {
  return /^[ -~]*$/.test(text)
    ? text
    : text.replace(/[\p{L}\p{N}]+/gu, (word) => (/[A-Za-z]/.test(word) ? word.replace(lookAlike, escapeOne) : word));
}

const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\uff01-\uff5e]/gu;

// The name of every workload identity pool of Google Cloud contains this, and it looks like base64.
const poolPath = "/locations/global/workloadIdentityPools/";

// A long run of base64 with upper case, lower case and digits: the body of a key without its header.
function isKeyLike(value: string): boolean {
  return (value.replaceAll(poolPath, " ").match(/[A-Za-z0-9+/]{60,}/g) ?? []).some(
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

/** The length of "-----BEGIN PRIVATE KEY-----", without any content. */
const shortestKey = 27;

// What a key must contain, in plain or base64 form. A single search rules out nearly every text.
const maybePrivateKey = /PRIVATE KEY|(?:^|[^A-Za-z0-9+/\s])[A-Za-z0-9+/\s]{36}/;

/** Whether a text contains a private key in PEM form, even if it is encoded in base64 once more. */
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

/**
 * Decodes strict base64url (RFC 7515, section 2): no padding, no white space, no other alphabet, and zeros in the unused
 * bits of the last character.
 *
 * @returns undefined for any other text. Encoding the result must give the same text, so that all readers decode the same
 * octets.
 */
export function readBase64url(text: string): Buffer | undefined {
  const octets = Buffer.from(text, "base64url");
  return octets.toString("base64url") === text ? octets : undefined;
}

/** What another program left in a text for a person to finish, so that the text is not what its author meant. */
export interface Leftover {
  /** What it is, as the end of "... is not YAML: ". */
  readonly reason: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** What to do: a sentence without a period. */
  readonly cure: string;
}

/** What was left in a text that cannot be parsed, and is probably the reason. */
export function leftoverIn(text: string): Leftover | undefined {
  return conflictAt(text, /^(?:[<>|]{7}(?= |$)|={7}$)/m) ?? placeholderIn(text);
}

/**
 * A merge conflict in any text (git-merge, "How conflicts are presented").
 *
 * @param isIndented the conflict may be in a text inside the text, such as a policy in a ConfigMap.
 */
export function conflictIn(text: string, isIndented = false): Leftover | undefined {
  if (!text.includes(">>>>>>>")) return undefined;
  const [start, end] = isIndented ? [/^[ \t]*<{7}(?= |$)/m, /^[ \t]*>{7}(?= |$)/m] : [/^<{7}(?= |$)/m, /^>{7}(?= |$)/m];
  return end.test(text) ? conflictAt(text, start) : undefined;
}

function conflictAt(text: string, mark: RegExp): Leftover | undefined {
  const found = mark.exec(text);
  if (found === null) return undefined;
  return {
    reason: "it contains a merge conflict",
    line: lineAt(text, found.index),
    cure: "Resolve the conflict: keep what belongs in the file, and delete the lines that begin with <<<<<<<, |||||||, =======, and >>>>>>>",
  };
}

// The last line of a Secret that ccoctl writes with --dry-run (cloud-credential-operator, writeCredReqSecret).
function placeholderIn(text: string): Leftover | undefined {
  const found = /^POPULATE (?:[\w.]+ ){1,20}(?:AND DELETE THIS LINE|GENERATED FROM SCRIPT)/m.exec(text);
  if (found === null) return undefined;
  return {
    reason: `ccoctl wrote it with --dry-run, so it ends with the line "${found[0]}"`,
    line: lineAt(text, found.index),
    cure: "Write the missing values into the file and delete that line, or get the Secret from the cluster",
  };
}

/** The number of the line at an offset, counted from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n?|\n/).length;
}

/** Bytes as text, including a byte order mark; undefined if they are not UTF-8. No byte is ever replaced. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/*
 * Lines end where the parser sees a line break: a line feed, a carriage return with a line feed, or a single carriage
 * return.
 */

const lineBreak = /\r\n?|\n/g;

/** The offset of the last character of the line break that ends the line at an offset, or the length of the text. */
export function endOfLine(text: string, offset: number): number {
  // One search for both kinds: if the text has only one of them, a search for the other would run to its end.
  lineBreak.lastIndex = offset;
  return lineBreak.test(text) ? lineBreak.lastIndex - 1 : text.length;
}

/** The offset of the first character of the line at an offset. */
export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !endsLine(text, at)) at--;
  return at;
}

/** Whether the character before an offset ends a line. */
export function endsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === "\n" || (before === "\r" && text[offset] !== "\n");
}
