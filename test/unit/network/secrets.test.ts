import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CloudError } from "../../../src/apply/requests.ts";
import { asFinding } from "../../../src/cli/cloud/open-package.ts";
import { notShown } from "../../../src/core/text.ts";
import { keepProxyPasswords, keepSecret, keepSecretFile, redacted } from "../../../src/network/secrets.ts";
import { temporary } from "../../helpers/temporary.ts";

const secret = `se"c<r&e/t+ k~y='${"z".repeat(8)}`;

describe("a secret that is known", () => {
  it.each([
    ["as it is", secret],
    ["in a URL", encodeURIComponent(secret)],
    ["in a URL in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", new URLSearchParams({ a: secret }).toString().slice(2)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in XML", secret.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")],
  ])("%s is replaced", (_, form) => {
    keepSecret(secret);
    expect(redacted(`before ${form}, ${form} after`)).toBe(`before ${notShown}, ${notShown} after`);
  });

  it.each(["", "a", "ab", "abc"])("in base64 after %j is replaced", (before) => {
    keepSecret(secret);
    const whole = Buffer.from(`${before}${secret}tail`).toString("base64");
    for (const text of [whole, whole.replaceAll("+", "-").replaceAll("/", "_")]) {
      const rest = redacted(text);
      expect(rest).toContain(notShown);
      expect(Buffer.from(rest.replace(notShown, ""), "base64").length).toBeLessThan(before.length + 8);
    }
  });

  it("is replaced in the error of a cloud, and in one of a library", () => {
    keepSecret("wJalrXUtnFEMI/K7MDENG");
    expect(new CloudError("refused: wJalrXUtnFEMI/K7MDENG").message).toBe(`refused: ${notShown}`);
    expect(asFinding(new TypeError("bad wJalrXUtnFEMI/K7MDENG"))).toMatchObject({ message: `bad ${notShown}` });
  });

  it("is replaced whole, if it contains another one", () => {
    keepSecret("inner-secret");
    keepSecret("outer-inner-secret-outer");
    expect(redacted("x outer-inner-secret-outer y")).toBe(`x ${notShown} y`);
  });
});

it("a short text, or none, is not a secret", () => {
  for (const text of [undefined, "", "       ", "seven77", "  seven77\n"]) keepSecret(text);
  expect(redacted("seven77        ")).toBe("seven77        ");
});

it("a text that is not valid Unicode is a secret, too", () => {
  keepSecret("\ud800-lone-surrogate");
  expect(redacted("x \ud800-lone-surrogate")).toBe(`x ${notShown}`);
});

describe("the file of a token", () => {
  it("is a secret without the line break at its end", () => {
    const file = join(temporary(), "token");
    writeFileSync(file, "token-of-a-file\n");
    keepSecretFile(file);
    expect(redacted("refused: token-of-a-file.")).toBe(`refused: ${notShown}.`);
  });

  it("that does not exist, or is not a file, is ignored", () => {
    for (const path of [undefined, "", "/nonexistent/token", "/dev/zero"]) keepSecretFile(path);
  });
});

describe("the password of a proxy", () => {
  it.each([
    ["http://kim:p%40ssword-one@proxy.example:3128", ["p%40ssword-one", "p@ssword-one"]],
    ["https://kim:password-two@proxy.example", ["password-two", Buffer.from("kim:password-two").toString("base64")]],
    ["kim:password-three@proxy.example:3128", ["password-three"]],
    ["http://kim:pass word/four%zz@[proxy", ["pass word/four%zz"]],
  ])("in %s is a secret", (HTTPS_PROXY, forms) => {
    keepProxyPasswords({ HTTPS_PROXY });
    for (const form of forms) expect(redacted(`<${form}>`).replace(/=*>$/, ">")).toBe(`<${notShown}>`);
  });
});
