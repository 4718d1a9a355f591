import { generateKeyPairSync } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createIn, privateName, publicName } from "../../helpers/key-pair.ts";
import { describeWith } from "../../helpers/need.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

describeWith(["openssl"], "openssl and ccf create-key-pair", () => {
  function openssl(args: readonly string[]): string {
    const { status, stdout, stderr } = runProgram("openssl", args);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  }

  it("agree on an RSA key, its public half and its key ID", () => {
    const made = temporary();
    const first = createIn(made);
    const key = join(made, privateName);
    expect(openssl(["rsa", "-check", "-noout", "-in", key])).toContain("RSA key ok");
    expect(openssl(["rsa", "-noout", "-text", "-in", key])).toContain("Private-Key: (4096 bit, 2 primes)");
    expect(openssl(["rsa", "-pubout", "-in", key])).toBe(readFileSync(join(made, publicName), "utf8"));
    const der = join(temporary(), "der");
    openssl(["pkey", "-pubin", "-in", join(made, publicName), "-outform", "DER", "-out", der]);
    const digest = Buffer.from(openssl(["dgst", "-sha256", "-r", der]).slice(0, 64), "hex").toString("base64url");
    expect(first.stdout).toContain(`Key ID: ${digest} (`);
  });

  it("agree on an ECDSA key, and on keys that openssl makes", () => {
    const directory = temporary();
    expect(createIn(directory, ["--no-installer"]).status).toBe(0);
    const key = join(directory, privateName);
    expect(runProgram("openssl", ["ec", "-check", "-noout", "-in", key]).stderr).toContain("EC Key valid.");
    expect(openssl(["pkey", "-pubout", "-in", key])).toBe(readFileSync(join(directory, publicName), "utf8"));
    for (const [flags, args] of [
      [["--no-installer"], ["ecparam", "-name", "prime256v1", "-genkey", "-out", "FILE"]],
      [[], ["genrsa", "-traditional", "-out", "FILE", "2048"]],
    ] as const) {
      const theirs = temporary();
      openssl(args.map((arg) => (arg === "FILE" ? join(theirs, privateName) : arg)));
      chmodSync(join(theirs, privateName), 0o600);
      expect(createIn(theirs, flags)).toMatchObject({ status: 0, stderr: "" });
      expect(openssl(["pkey", "-pubout", "-in", join(theirs, privateName)])).toBe(
        readFileSync(join(theirs, publicName), "utf8"),
      );
    }
  });

  it("agree on how a key is made one for the installer", () => {
    const directory = temporary();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const path = join(directory, privateName);
    writeFileSync(path, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
    expect(createIn(directory).stderr).toContain("convert it with: openssl rsa -traditional.");
    const converted = openssl(["rsa", "-traditional", "-in", join(directory, privateName)]);
    writeFileSync(join(directory, privateName), converted);
    expect(createIn(directory).status).toBe(0);
  });
});
