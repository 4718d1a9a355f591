import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isPrivateKey, maxLookahead } from "../../../src/cli/files/private-keys.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
const isKey = (all: Buffer): boolean => isPrivateKey(all.subarray(0, maxLookahead), all.length);

describeWith(["openssl"], "what openssl writes", () => {
  const openssl = (...args: readonly string[]) =>
    execFileSync("openssl", args, { input: pem, stdio: ["pipe", "pipe", "ignore"] });

  it("is a private key in every form of one", () => {
    expect(isKey(openssl("ecparam", "-name", "prime256v1", "-genkey"))).toBe(true);
    expect(isKey(openssl("rsa", "-outform", "DER", "-traditional"))).toBe(true);
    expect(isKey(openssl("pkcs8", "-topk8", "-outform", "DER", "-passout", "pass:x"))).toBe(true);
  });

  it("is none where it is a public key or a certificate", () => {
    const path = join(temporary(), "key");
    writeFileSync(path, pem);
    expect(isKey(openssl("rsa", "-pubout", "-outform", "DER"))).toBe(false);
    for (const form of ["DER", "PEM"])
      expect(isKey(openssl("req", "-new", "-x509", "-key", path, "-subj", "/CN=x", "-outform", form))).toBe(false);
  });
});
