/** Why a text is not accepted as a token, and what to do. */
export interface TokenProblem {
  readonly cause: string;
  readonly cure: string;
  /** The claim or the header field, if the rest of the token is well formed. */
  readonly field?: "alg" | "iss" | "sub" | "aud" | "exp" | "iat" | "nbf";
  /** Some readers accept the text nevertheless. */
  readonly isReadBySome?: true;
}

const alone = "the file must contain only the token";

/**
 * Recognizes common forms of a token that are not the token alone: in quotes, with "Bearer", JSON, with line breaks, or
 * encoded in base64 again. No part of the text is shown. Undefined if the text has none of these forms.
 */
export function misplacedText(text: string): TokenProblem | undefined {
  if (/^["'`]|["'`]$/.test(text)) return { cause: "the token is in quotes", cure: `remove the quotes: ${alone}` };
  if (/^(?:authorization:\s*)?bearer\s/i.test(text))
    return {
      cause: 'the token begins with "Bearer"',
      cure: `remove "Bearer", which belongs to an HTTP header: ${alone}`,
    };
  if (text.startsWith("{"))
    return {
      cause: "the text is JSON, which may contain a token",
      cure: `extract the token, for example with \`jq -r .status.token\` from \`oc create token -o json\`: ${alone}`,
    };
  const space = text.search(/\s/);
  if (space >= 0) {
    const what = /[\r\n]/.test(text[space] ?? "") ? "a line break" : "white space";
    const where = space === 0 ? "before the token" : `in the token, after ${space} of its ${text.length} characters`;
    return {
      cause: `the text contains ${what} ${where}`,
      cure: "write the token on one line, without spaces: `tr -cd 'A-Za-z0-9_.-' < FILE > token`",
    };
  }
  return isEncodedToken(text)
    ? { cause: "the token is encoded in base64 again, like the data of a Secret", cure: "decode it: `base64 --decode`" }
    : undefined;
}

function isEncodedToken(text: string): boolean {
  return !text.includes(".") && /^eyJ[\w-]+\.[\w-]+\./.test(Buffer.from(text, "base64").toString("latin1"));
}
