import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { readToken } from "../../../src/oidc/token.ts";
import { claimsOf, ecSigner, tokenOf } from "../../helpers/token.ts";

const whole = tokenOf(ecSigner());
const [header, payload] = whole.split(".") as [string, string, string];
const anew = "take the token anew, and whole: `oc create token`, or the file that the pod mounts";
const alone = "the file must hold the token alone";
const oneLine = "write the token on one line, without spaces: `tr -cd 'A-Za-z0-9_.-' < FILE > token`";

describe("a text that is not a token and nothing else", () => {
  it.each<[string, string, string, string]>([
    ["quotes", `"${whole}"`, "the token is in quotes", `remove the quotes: ${alone}`],
    ["single quotes", `'${whole}'`, "the token is in quotes", `remove the quotes: ${alone}`],
    ["a quote that was left behind", `${whole}"`, "the token is in quotes", `remove the quotes: ${alone}`],
    ...["Bearer ", "bearer ", "BEARER\t", "Authorization: Bearer "].map((start): [string, string, string, string] => [
      JSON.stringify(start),
      `${start}${whole}`,
      'the token begins with "Bearer"',
      `remove "Bearer", which belongs to an HTTP header: ${alone}`,
    ]),
    [
      "JSON",
      JSON.stringify({ status: { token: whole } }),
      "the text is JSON, in which a token may be",
      `take the token out of it, such as \`jq -r .status.token\` for \`oc create token -o json\`: ${alone}`,
    ],
    [
      "a line break",
      `${whole.slice(0, 80)}\n${whole.slice(80)}`,
      `there is a line break in the token, after 80 of its ${whole.length + 1} characters`,
      oneLine,
    ],
    [
      "a line break of Windows",
      `${whole.slice(0, 80)}\r\n${whole.slice(80)}`,
      `there is a line break in the token, after 80 of its ${whole.length + 2} characters`,
      oneLine,
    ],
    ["an empty line before it", `\n${whole}`, "there is a line break before the token", oneLine],
    ["a byte order mark", `\ufeff${whole}`, "there is white space before the token", oneLine],
    [
      "base64 around it",
      Buffer.from(whole).toString("base64"),
      "the token is in base64 once more, as the data of a Secret are",
      "decode it: `base64 --decode`",
    ],
    ["the header alone", header, "the token has 1 part between its dots, and must have 3: it is cut short", anew],
    [
      "a part of the payload",
      `${header}.${payload.slice(0, 20)}`,
      "the token has 2 parts between its dots, and must have 3: it is cut short",
      anew,
    ],
    ["no signature", `${header}.${payload}.`, "the token has no signature: it is cut short", anew],
    [
      "a signature of a length that base64url does not have",
      `${header}.${payload}.AAAAA`,
      "the token's signature is not whole base64url, as when a token is cut short",
      anew,
    ],
  ])("%s", (_name, text, cause, cure) => {
    expect(readToken(text, limits).problems).toEqual([{ cause, cure }]);
  });

  it("says nothing of the token", () => {
    const [signature = ""] = whole.split(".").slice(2);
    for (const text of [`"${whole}"`, `Bearer ${whole}`, `${whole} x`, `{"token":"${whole}"}`])
      expect(JSON.stringify(readToken(text, limits).problems)).not.toContain(signature.slice(0, 10));
  });

  it("is no problem of a token that is whole", () => {
    expect(readToken(whole, limits).problems).toEqual([]);
    expect(readToken(tokenOf(ecSigner(), claimsOf({ x: "Bearer \n" })), limits).problems).toEqual([]);
  });
});
