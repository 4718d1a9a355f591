import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { judgeKey } from "../../../src/oidc/judge-key.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary } from "../../helpers/temporary.ts";
import { ecSigner, rsaSigner, type Signer } from "../../helpers/token.ts";

const [rsa, p256, stranger] = [rsaSigner(), ecSigner(), ecSigner()];

describeWith(["openssl"], "a certificate beside a key", () => {
  const certificateOf = (signer: Signer): string => {
    const directory = temporary();
    const [key, path] = [join(directory, "key.pem"), join(directory, "cert.pem")];
    writeFileSync(key, signer.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    execFileSync("openssl", ["req", "-x509", "-key", key, "-out", path, "-subj", "/CN=x", "-days", "2"], {
      stdio: "pipe",
    });
    return new X509Certificate(readFileSync(path)).raw.toString("base64");
  };
  it("must be for the same key, and written as RFC 7517 says", () => {
    for (const signer of [rsa, p256]) {
      const own = certificateOf(signer);
      expect(judgeKey({ ...signer.jwk, x5c: [own, "another of the chain"] }).verdict).toBe("usable");
      for (const x5c of [[certificateOf(stranger)], [`${own}AAAA`], [own.replace(/^(.{64})/, "$1\n")], []])
        expect(judgeKey({ ...signer.jwk, x5c }).verdict).toBe("malformed");
    }
  });
});
