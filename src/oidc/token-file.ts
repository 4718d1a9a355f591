/** What stands around a token, or in it, and is no part of it: why no reader would take the text, and what to do. */
export interface TokenProblem {
  readonly cause: string;
  readonly cure: string;
}

const alone = "the file must hold the token alone";

/**
 * What a text is in the place of a token: in quotes, with a header's "Bearer", JSON, broken into lines, or in base64 once
 * more. Nothing of the text is shown. Undefined where it has none of these forms.
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
      cause: "the text is JSON, in which a token may be",
      cure: `take the token out of it, such as \`jq -r .status.token\` for \`oc create token -o json\`: ${alone}`,
    };
  const space = text.search(/\s/);
  if (space >= 0) {
    const what = /[\r\n]/.test(text[space] ?? "") ? "a line break" : "white space";
    const where = space === 0 ? "before the token" : `in the token, after ${space} of its ${text.length} characters`;
    return {
      cause: `there is ${what} ${where}`,
      cure: "write the token on one line, without spaces: `tr -cd 'A-Za-z0-9_.-' < FILE > token`",
    };
  }
  return isEncodedToken(text)
    ? { cause: "the token is in base64 once more, as the data of a Secret are", cure: "decode it: `base64 --decode`" }
    : undefined;
}

function isEncodedToken(text: string): boolean {
  return !text.includes(".") && /^eyJ[\w-]+\.[\w-]+\./.test(Buffer.from(text, "base64").toString("latin1"));
}
