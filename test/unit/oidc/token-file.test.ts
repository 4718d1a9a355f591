import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { readToken } from "../../../src/oidc/token.ts";
import { temporary } from "../../helpers/temporary.ts";
import { claimsOf, ecSigner, tokenOf } from "../../helpers/token.ts";

const whole = tokenOf(ecSigner());
const [header, payload] = whole.split(".") as [string, string, string];
const copyWhole = "get the complete token again: `oc create token`, or the file that the pod mounts";
const alone = "the file must contain only the token";
const oneLine = "write the token on one line, without spaces: `tr -d '[:space:]' < FILE > token`";
const onlyToken = "keep only the token: `grep -oE 'eyJ[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+' FILE > token`";
const signatureAt = whole.length - 40;

describe("a text that is not exactly a token", () => {
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
      "the text is JSON, which may contain a token",
      `extract the token, for example with \`jq -r .status.token\` from \`oc create token -o json\`: ${alone}`,
    ],
    [
      "a line break",
      `${whole.slice(0, 80)}\n${whole.slice(80)}`,
      `the text contains a line break in the token, after 80 of its ${whole.length + 1} characters`,
      oneLine,
    ],
    [
      "a line break of Windows",
      `${whole.slice(0, 80)}\r\n${whole.slice(80)}`,
      `the text contains a line break in the token, after 80 of its ${whole.length + 2} characters`,
      oneLine,
    ],
    [
      "a line break in the signature",
      `${whole.slice(0, signatureAt)}\n${whole.slice(signatureAt)}`,
      `the text contains a line break in the token, after ${signatureAt} of its ${whole.length + 1} characters`,
      oneLine,
    ],
    ["an empty line before it", `\n${whole}`, "the text contains a line break before the token", onlyToken],
    ["a byte order mark", `\ufeff${whole}`, "the text contains white space before the token", onlyToken],
    ["a no-break space behind it", `${whole}\u00a0`, "the text contains white space after the token", onlyToken],
    ...[`Warning: see the documentation.\n${whole}\nDone`, `${whole} x`, `token: ${whole}`].map(
      (text): [string, string, string, string] => [
        `other words (${text.slice(0, 7)})`,
        text,
        "the text contains other words beside the token, for example a message of the command that printed it",
        onlyToken,
      ],
    ),
    ["two tokens", `${whole}\n${whole}`, "the text contains 2 tokens", `keep one: ${alone}`],
    [
      "other words beside a token in lines",
      `Warning: x\n${whole.slice(0, signatureAt)}\n${whole.slice(signatureAt)}`,
      "the text contains white space, and is not a token without it",
      copyWhole,
    ],
    [
      "base64 around it",
      Buffer.from(whole).toString("base64"),
      "the token is encoded in base64 again, like the data of a Secret",
      "decode it: `base64 --decode`",
    ],
    ["the header alone", header, "the token has 1 dot-separated part, but must have 3: it is truncated", copyWhole],
    [
      "a part of the payload",
      `${header}.${payload.slice(0, 20)}`,
      "the token has 2 dot-separated parts, but must have 3: it is truncated",
      copyWhole,
    ],
    ["no signature", `${header}.${payload}.`, "the token has no signature: it is truncated", copyWhole],
    [
      "a signature of a length that base64url does not have",
      `${header}.${payload}.AAAAA`,
      "the token's signature is not complete base64url, which happens if a token is truncated",
      copyWhole,
    ],
  ])("%s", (_name, text, cause, cure) => {
    expect(readToken(text, limits).problems).toEqual([{ cause, cure }]);
  });

  it.each([
    `Warning: see "https://example.com".\nTOKEN\nDone\n`,
    "\ufeffTOKEN",
    "TOKEN\u00a0\n",
    `token: TOKEN`,
    whole.replace(/.{64}/g, "$&\n"),
    whole.replace(/.{40}/g, "$&\r\n"),
  ])("has a cure whose command restores the token (%#)", (form) => {
    const text = form.replace("TOKEN", whole);
    const [problem] = readToken(text.replace(/[ \t\r\n]+$/, ""), limits).problems;
    const [, command = "false"] = /`(.*)`$/.exec(problem?.cure ?? "") ?? [];
    const directory = temporary();
    writeFileSync(join(directory, "FILE"), text);
    execFileSync("sh", ["-c", command], { cwd: directory });
    expect(readFileSync(join(directory, "token"), "utf8").trimEnd()).toBe(whole);
  });

  it("does not show the token", () => {
    const [signature = ""] = whole.split(".").slice(2);
    for (const text of [`"${whole}"`, `Bearer ${whole}`, `${whole} x`, `{"token":"${whole}"}`])
      expect(JSON.stringify(readToken(text, limits).problems)).not.toContain(signature.slice(0, 10));
  });

  it("is not reported for a complete token", () => {
    expect(readToken(whole, limits).problems).toEqual([]);
    expect(readToken(tokenOf(ecSigner(), claimsOf({ x: "Bearer \n" })), limits).problems).toEqual([]);
  });
});
