import { spawnSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordText, thisProcess } from "../../../src/cli/files/stage.ts";
import { ccf, copyProgram, type Run, run } from "../../helpers/ccf.ts";
import {
  copiedFrom,
  createIn,
  createWith,
  git,
  modeOf,
  preload,
  privateLines,
  privateName,
  progress,
  publicName,
  stage,
  storedKeyOf,
  tlsName,
} from "../../helpers/key-pair.ts";
import { describeWith } from "../../helpers/need.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";

// RSA keys are slow to generate, so most tests start with the files of one run.
const { directory: kept, remove } = keptTemporary();
const made = join(kept, "keys");
const copied = (paths?: readonly string[]) => copiedFrom(made, paths);
const storedKey = (directory: string) => storedKeyOf(made, directory);
let first: Run;
beforeAll(() => {
  first = createIn(made);
});
afterAll(remove);

const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The key ID, computed in a different way than in the program. */
function keyID(pem: string): string {
  const der = createPublicKey(pem).export({ format: "der", type: "spki" });
  return createHash("sha256").update(der).digest("base64").replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
}

function pem(key: KeyObject, type: "pkcs1" | "pkcs8" | "sec1"): string {
  return key.export({ format: "pem", type } as never).toString();
}

/** A directory with these files; private files get the right mode. */
function holding(files: Readonly<Record<string, string>>): string {
  const directory = temporary();
  writeTree(directory, files);
  for (const path of Object.keys(files)) chmodSync(join(directory, path), path === publicName ? 0o644 : 0o600);
  return directory;
}

describe("ccf create-key-pair", () => {
  it("creates the same three files as ccoctl, and prints the next step", () => {
    const files = readTree(made);
    expect(Object.keys(files)).toEqual([privateName, publicName, tlsName]);
    expect(files[privateName]).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n[\s\S]+\n-----END RSA PRIVATE KEY-----\n$/);
    expect(files[publicName]).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/);
    expect(files[tlsName]).toBe(files[privateName]);
    expect([privateName, tlsName, publicName, "tls"].map((path) => modeOf(join(made, path)))).toEqual([
      "600",
      "600",
      "644",
      "700",
    ]);
    expect(createPrivateKey(files[privateName] ?? "").asymmetricKeyDetails).toEqual({
      modulusLength: 4096,
      publicExponent: 65537n,
    });
    expect(publicPem(createPrivateKey(files[privateName] ?? ""))).toBe(files[publicName]);
    expect(first).toEqual({
      status: 0,
      stdout: `created  ${privateName}
created  ${tlsName}
created  ${publicName}
Key ID: ${keyID(files[publicName] ?? "")} (RSA, 4096 bits). Keep the private key out of Git.
Next: ccf init DIR --public-key-file ${made}/${publicName}
For the installer: cp -a ${made}/tls INSTALLATION_DIRECTORY
`,
      stderr: progress,
    });
  });

  it("--no-installer creates an ECDSA key for kube-apiserver, and no file for the installer", () => {
    const directory = join(temporary(), "a/b c");
    const { status, stdout, stderr } = createIn(directory, ["--no-installer"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const files = readTree(directory);
    expect(Object.keys(files)).toEqual([privateName, publicName]);
    expect(files[privateName]).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    expect(createPrivateKey(files[privateName] ?? "").asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(modeOf(join(directory, privateName))).toBe("600");
    expect(stdout).toBe(`created  ${privateName}
created  ${publicName}
Key ID: ${keyID(files[publicName] ?? "")} (ECDSA, P-256). Keep the private key out of Git.
Next: ccf init DIR --public-key-file '${directory}/${publicName}'
For kube-apiserver: --service-account-signing-key-file '${directory}/${privateName}'
`);
  });

  it("uses the current directory by default, and creates a different key each time", () => {
    const [one, two] = [temporary(), temporary()];
    for (const cwd of [one, two]) {
      const { status, stdout } = run(["create-key-pair", "--no-installer"], { cwd });
      expect(status).toBe(0);
      expect(stdout).toContain(`Next: ccf init DIR --public-key-file ${publicName}\n`);
      expect(Object.keys(readTree(cwd))).toEqual([privateName, publicName]);
    }
    expect(readTree(one)[publicName]).not.toBe(readTree(two)[publicName]);
  });

  it("-o json names the key and the files", () => {
    const directory = holding(copied([privateName]));
    const { status, stdout, stderr } = createIn(directory, ["-o", "json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      keyID: keyID(copied()[publicName] ?? ""),
      key: "RSA, 4096 bits",
      made: [tlsName, publicName],
      used: [privateName],
      findings: [],
    });
    writeFileSync(join(directory, publicName), publicPem(other.privateKey));
    const failed = createIn(directory, ["-o", "json"]);
    expect(failed.status).toBe(1);
    expect(JSON.parse(failed.stdout)).toEqual({
      keyID: null,
      key: null,
      made: [],
      used: [],
      findings: [
        {
          severity: "error",
          message: `"${publicName}" is not the public half of "${privateName}"; remove the wrong file, or set another --output-dir.`,
          file: { path: publicName, index: 0 },
          tags: { code: "key-pair-mismatch" },
        },
      ],
    });
  });

  it.each([
    [["--output-dir", ""], "--output-dir must name a directory"],
    [["--output-dir", "package.json"], `"${resolve("package.json")}" is not a directory`],
    [["--output-dir", "package.json/keys"], `"${resolve("package.json")}" is not a directory`],
  ])("refuses %j", (args, message) => {
    const { status, stdout, stderr } = run(["create-key-pair", ...args]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toContain('Run "ccf create-key-pair --help".\n');
  });

  it("is the only command that loads cryptography, and functions load none", () => {
    const root = temporary();
    const script = join(root, "loaded.cjs");
    writeFileSync(
      script,
      `process.on("exit", () => { for (const name of ["crypto", "child_process"]) if (process.moduleLoadList.includes("NativeModule " + name)) process.stderr.write("loaded: " + name + "\\n"); });`,
    );
    mkdirSync(join(root, "keys/.git"), { recursive: true });
    expect(createWith([script], join(root, "keys")).stderr).toContain("loaded: child_process\n");
    expect(createWith([script], join(root, "more"), {}, ["--no-installer"]).stderr).toContain("loaded: crypto\n");
    const loadedBy = (args: readonly string[]) =>
      spawnSync(process.execPath, ["-r", script, ccf, ...args], { input: "x: y\n", encoding: "utf8" }).stderr;
    expect(loadedBy([])).not.toContain("loaded:");
    // commander, which parses the command line, imports child_process.
    expect(loadedBy(["--help"])).toBe("loaded: child_process\n");
  });
});

describe("ccf create-key-pair uses existing files:", () => {
  it("a complete pair is not changed", () => {
    const directory = holding(copied());
    const before = lstatSync(join(directory, privateName));
    const { status, stdout, stderr } = createIn(directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(
        `^used {5}${privateName}\nused {5}${tlsName}\nused {5}${publicName}\nThe private key already existed\\..*\nKey ID: `,
      ),
    );
    expect(readTree(directory)).toEqual(copied());
    expect(lstatSync(join(directory, privateName))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it.each([[[privateName]], [[privateName, tlsName]], [[privateName, publicName]]])(
    "missing files are derived from %j",
    (paths) => {
      const directory = holding(copied(paths));
      const { status, stdout, stderr } = createIn(directory);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      for (const path of [privateName, tlsName, publicName])
        expect(stdout).toContain(`${paths.includes(path) ? "used   " : "created"}  ${path}\n`);
      expect(stdout.includes("The private key already existed. A key pair is for one cluster; ")).toBe(true);
      expect(readTree(directory)).toEqual(copied());
      expect(modeOf(join(directory, tlsName))).toBe("600");
    },
  );

  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  it.each([
    ["PKCS#1", pem(other.privateKey, "pkcs1"), "RSA, 2048 bits"],
    ["PKCS#8 with RSA", pem(other.privateKey, "pkcs8"), "RSA, 2048 bits"],
    ["PKCS#8 with ECDSA", pem(p384, "pkcs8"), "ECDSA, P-384"],
    ["what openssl ecparam writes", parameters + pem(curve.privateKey, "sec1"), "ECDSA, P-256"],
    ["lines of Windows", pem(curve.privateKey, "sec1").replaceAll("\n", "\r\n"), "ECDSA, P-256"],
  ])("--no-installer takes what kube-apiserver takes, %s", (_, text, description) => {
    const directory = holding({ [privateName]: text });
    const { status, stdout, stderr } = createIn(directory, ["--no-installer"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(` (${description}). `);
    expect(readTree(directory)).toEqual({ [privateName]: text, [publicName]: publicPem(createPrivateKey(text)) });
  });

  it.each([0o640, 0o604, 0o620])("a private key with the mode %o, with a warning", (mode) => {
    const directory = holding(copied());
    chmodSync(join(directory, privateName), mode);
    const { status, stderr } = createIn(directory);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `warning: ${privateName}: "${privateName}" is accessible to users other than its owner (mode 0${mode.toString(8)}); run: chmod 600 ${directory}/${privateName} [private-key-permissions]\n`,
    });
    expect(modeOf(join(directory, privateName))).toBe(mode.toString(8));
  });

  it("in a directory named by a symbolic link", () => {
    const root = temporary();
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "link"));
    expect(createIn(join(root, "link"), ["--no-installer"]).status).toBe(0);
    expect(Object.keys(readTree(join(root, "real")))).toEqual([privateName, publicName]);
  });
});

describe("ccf create-key-pair refuses, and changes nothing:", () => {
  const rsa = pem(other.privateKey, "pkcs1");
  const differs = `"${privateName}"; remove the wrong file, or set another --output-dir.`;
  const alone = `exists without "${privateName}"; put the private key next to it, or set another --output-dir.`;
  const encrypted = "is encrypted, but the program that reads it has no passphrase; decrypt it.";
  const oneKey = "must contain exactly one private key in PEM form and nothing else.";
  const unreadable = "is in PEM form but cannot be read as a private key; it may be truncated or edited.";
  const noRsa =
    "is not an RSA key, but the OpenShift installer reads only RSA keys; set another --output-dir, or use --no-installer if no installer will read the key.";
  const pkcs8 =
    "is in PKCS#8 format, but the OpenShift installer reads only PKCS#1; convert it with: openssl rsa -traditional.";
  const locked = (type: "pkcs1" | "pkcs8") =>
    other.privateKey.export({ format: "pem", type, cipher: "aes-256-cbc", passphrase: "x" } as never).toString();
  const jwk = other.privateKey.export({ format: "jwk" });
  const changedNumber = (name: "n" | "d" | "dp" | "dq" | "qi") => {
    const bytes = Buffer.from(jwk[name] ?? "", "base64url");
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 2;
    return pem(createPrivateKey({ key: { ...jwk, [name]: bytes.toString("base64url") }, format: "jwk" }), "pkcs1");
  };
  // If a prime minus one is added to d, d is right for that prime only.
  const shiftedBy = (prime: "p" | "q") => {
    const [d = 0n, less = 0n] = [jwk.d, jwk[prime]].map((text) =>
      BigInt(`0x${Buffer.from(text ?? "", "base64url").toString("hex")}`),
    );
    const hex = (d + less - 1n).toString(16);
    const text = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
    return pem(createPrivateKey({ key: { ...jwk, d: text }, format: "jwk" }), "pkcs1");
  };
  // The private number of one key with the public point of another.
  const otherPoint = () => {
    const [ours, theirs] = [curve.privateKey, generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey].map(
      (key) => key.export({ format: "der", type: "sec1" }),
    ) as [Buffer, Buffer];
    const der = Buffer.concat([ours.subarray(0, ours.length - 64), theirs.subarray(theirs.length - 64)]);
    return `-----BEGIN EC PRIVATE KEY-----\n${der.toString("base64")}\n-----END EC PRIVATE KEY-----\n`;
  };
  const ed25519 = generateKeyPairSync("ed25519").privateKey;
  const cases: [string, string[], Record<string, string>, path: string, message: string, code?: string][] = [
    [
      "a public key of another pair",
      [],
      { [privateName]: rsa, [publicName]: publicPem(curve.privateKey) },
      publicName,
      `is not the public half of ${differs}`,
      "key-pair-mismatch",
    ],
    [
      "another key for the installer",
      [],
      { [privateName]: rsa, [tlsName]: pem(short.privateKey, "pkcs1") },
      tlsName,
      "is an RSA key of 1024 bits, but must have at least 2048.",
    ],
    ["a public key alone", [], { [publicName]: publicPem(other.privateKey) }, publicName, alone, "key-pair-mismatch"],
    ["the installer's key alone", [], { [tlsName]: rsa }, tlsName, alone, "key-pair-mismatch"],
    [
      "the installer's key alone, for kube-apiserver",
      ["--no-installer"],
      { [tlsName]: rsa },
      tlsName,
      alone,
      "key-pair-mismatch",
    ],
    ["an encrypted key, PKCS#1", [], { [privateName]: locked("pkcs1") }, privateName, encrypted],
    ["an encrypted key, PKCS#8", ["--no-installer"], { [privateName]: locked("pkcs8") }, privateName, encrypted],
    ["an ECDSA key for the installer", [], { [privateName]: pem(curve.privateKey, "sec1") }, privateName, noRsa],
    ["PKCS#8 for the installer", [], { [privateName]: pem(other.privateKey, "pkcs8") }, privateName, pkcs8],
    [
      "PKCS#8 where the installer looks",
      [],
      { [privateName]: rsa, [tlsName]: pem(other.privateKey, "pkcs8") },
      tlsName,
      pkcs8,
    ],
    [
      "a short key",
      [],
      { [privateName]: pem(short.privateKey, "pkcs1") },
      privateName,
      "is an RSA key of 1024 bits, but must have at least 2048.",
    ],
    [
      "a key that Kubernetes cannot sign with",
      ["--no-installer"],
      { [privateName]: pem(ed25519, "pkcs8") },
      privateName,
      "must be an RSA key, or an ECDSA key on P-256, P-384 or P-521; Kubernetes does not sign tokens with other keys.",
    ],
    ["a key that was cut", [], { [privateName]: rsa.replace(/\n.{64}\n/, "\n") }, privateName, unreadable],
    ["a key with another modulus", [], { [privateName]: changedNumber("n") }, privateName, unreadable],
    ["a key whose d is right for one prime", [], { [privateName]: shiftedBy("p") }, privateName, unreadable],
    ["a key whose d is right for the other", [], { [privateName]: shiftedBy("q") }, privateName, unreadable],
    ["a key with another d", [], { [privateName]: changedNumber("d") }, privateName, unreadable],
    ["a key with another dP", [], { [privateName]: changedNumber("dp") }, privateName, unreadable],
    ["a key with another dQ", [], { [privateName]: changedNumber("dq") }, privateName, unreadable],
    ["a key with another qInv", [], { [privateName]: changedNumber("qi") }, privateName, unreadable],
    ["a key with another's point", ["--no-installer"], { [privateName]: otherPoint() }, privateName, unreadable],
    ["two keys", [], { [privateName]: rsa + rsa }, privateName, oneKey],
    ["a key with a word before it", [], { [privateName]: `my key\n${rsa}` }, privateName, oneKey],
    ["an empty file", [], { [privateName]: "" }, privateName, oneKey],
    ["a public key as the private one", [], { [privateName]: publicPem(other.privateKey) }, privateName, oneKey],
    ["a large file", [], { [privateName]: " ".repeat(65537) }, privateName, "is too large to be a key."],
  ];
  it.each(cases)("%s", (_, flags, files, path, message, code = "key-pair-unusable") => {
    const directory = holding(files);
    expect(createIn(directory, flags)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${path}: "${path}" ${message} [${code}]\n`,
    });
    expect(readTree(directory)).toEqual(files);
  });

  it("a different installer key, and reports all problems together", () => {
    const files = {
      [privateName]: copied()[privateName] ?? "",
      [tlsName]: rsa,
      [publicName]: publicPem(curve.privateKey),
    };
    const directory = holding(files);
    chmodSync(join(directory, tlsName), 0o644);
    expect(createIn(directory)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${publicName}: "${publicName}" is not the public half of ${differs} [key-pair-mismatch]
error: ${tlsName}: "${tlsName}" contains a different key than ${differs} [key-pair-mismatch]
warning: ${tlsName}: "${tlsName}" is accessible to users other than its owner (mode 0644); run: chmod 600 ${directory}/${tlsName} [private-key-permissions]
`,
    });
    expect(readTree(directory)).toEqual(files);
  });

  it.each([
    ["a private key", rsa, "private-key", "is a private key. Only the public key belongs in a package"],
    ["nothing", "", "signing-key-invalid", "must be one public key in PEM form"],
  ])("%s as the public key", (_, text, code, message) => {
    const files = { [privateName]: rsa, [publicName]: text };
    const directory = holding(files);
    const { status, stdout, stderr } = run(["create-key-pair", "--output-dir", directory]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: "${publicName}" ${message}`);
    expect(stderr).toContain(`[${code}]`);
    for (const line of privateLines(directory)) expect(stderr).not.toContain(line);
    expect(readTree(directory)).toEqual(files);
  });

  it.each([privateName, publicName, tlsName])("a symbolic link as %s, whatever its target", (path) => {
    for (const target of ["outside", "nowhere"]) {
      const root = temporary();
      const directory = join(root, "keys");
      mkdirSync(join(directory, "tls"), { recursive: true });
      writeFileSync(join(root, "outside"), copied()[path] ?? "", { mode: 0o600 });
      if (path !== privateName)
        writeFileSync(join(directory, privateName), copied()[privateName] ?? "", { mode: 0o600 });
      symlinkSync(join(root, target), join(directory, path));
      const before = readTree(root);
      expect(createIn(directory)).toMatchObject({
        status: 1,
        stdout: "",
        stderr: `error: ${path}: "${path}" is a symbolic link or not a regular file; move it away. [path-taken]\n`,
      });
      expect(readTree(root)).toEqual(before);
    }
  });

  it("a symbolic link or a file instead of the directory tls", () => {
    const root = temporary();
    const [linked, file] = [join(root, "linked"), join(root, "file")];
    writeTree(root, { "outside/note": "theirs", "file/tls": "a file", "linked/note": "ours" });
    symlinkSync(join(root, "outside"), join(linked, "tls"));
    const before = readTree(root);
    for (const directory of [linked, file]) {
      expect(createIn(directory)).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: ${tlsName}: "${tlsName}" requires the directory "tls", but that is a file or a symbolic link; move it away. [path-taken]\n`,
      });
    }
    expect(readTree(root)).toEqual(before);
  });

  it("files without read or write permission, before it creates a key", () => {
    const root = temporary();
    const copy = copyProgram(root);
    writeTree(root, { "read/note": "", "written/note": "", [`read/${privateName}`]: "x" });
    const asOther = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    for (const path of ["", "written", "read", "ccf"]) {
      if (process.getuid?.() === 0) chownSync(join(root, path), 65534, 65534);
    }
    chmodSync(join(root, "written"), 0o555);
    chmodSync(join(root, "read", privateName), process.getuid?.() === 0 ? 0o600 : 0);
    const before = existsSync(join(root, "written/keys"));
    const create = (directory: string) =>
      spawnSync(process.execPath, [copy, "create-key-pair", "--output-dir", directory], {
        ...asOther,
        encoding: "utf8",
      });
    for (const directory of [join(root, "written"), join(root, "written/keys/deep")]) {
      const { status, stdout, stderr } = create(directory);
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: "${root}/written" is not writable; change its permissions, or run the command as its owner. [file-not-writable]\n`,
      });
    }
    expect(existsSync(join(root, "written/keys"))).toBe(before);
    expect(create(join(root, "read")).stderr).toBe(
      `error: ${privateName}: "${privateName}" cannot be read (EACCES). [key-pair-unusable]\n`,
    );
    chmodSync(join(root, "written"), 0o755);
  });

  it("a file that another program creates during the run", () => {
    for (const path of [privateName, tlsName, publicName]) {
      const root = temporary();
      const directory = join(root, "keys");
      mkdirSync(join(directory, "tls"), { recursive: true });
      const target = JSON.stringify(join(directory, path));
      const meddle = preload(
        root,
        `const privateKey = crypto.createPrivateKey(fs.readFileSync(${JSON.stringify(join(made, privateName))}, "utf8"));
         crypto.generateKeyPairSync = () => { fs.writeFileSync(${target}, "theirs"); return { privateKey }; };`,
      );
      const { status, stdout, stderr } = createWith([meddle], directory);
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: "",
        stderr: `${progress}error: ${path}: "${path}" was created by another program during the run and was not changed; run the command again. [file-changed]\n`,
      });
      expect(readFileSync(join(directory, path), "utf8")).toBe("theirs");
      expect(existsSync(join(directory, stage))).toBe(false);
    }
  });

  it("a file system without permissions, before it writes a key", () => {
    const root = temporary();
    const directory = join(root, "keys");
    const open = preload(
      root,
      "const make = fs.mkdirSync; fs.mkdirSync = (path, options) => make(path, { ...options, mode: 0o777 });",
    );
    const { status, stderr } = createWith([open], directory, {}, ["--no-installer"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: the file system of "${directory}" does not support permissions, so every user could read a private key there; use a directory on another file system. [usage]\nRun "ccf create-key-pair --help".\n`,
    });
    expect(readTree(directory)).toEqual({});
  });

  it("while another run is writing, and if its stage is not a directory", () => {
    const directory = holding({ [`${stage}/process`]: recordText(thisProcess()) });
    const busy = `error: another "ccf create-key-pair" is writing to this directory. Wait until it ends, and run the same command again. If no such process is running, remove the directory ${stage}.`;
    expect(createIn(directory).stderr).toBe(`${busy} [usage]\nRun "ccf create-key-pair --help".\n`);
    rmSync(join(directory, stage), { recursive: true });
    writeTree(directory, { "outside/0": "theirs" });
    symlinkSync("outside", join(directory, stage));
    expect(createIn(directory)).toMatchObject({
      status: 1,
      stderr: `error: ${stage} is not a directory; remove it. [usage]\nRun "ccf create-key-pair --help".\n`,
    });
    expect(readTree(directory)).toEqual({ "outside/0": "theirs" });
  });
});

describe("ccf create-key-pair never lets others read a private key", () => {
  it("not for an instant, whatever the umask is", () => {
    const root = temporary();
    const directory = join(root, "keys");
    // Records the modes of the files and directories after every call.
    const watch = join(root, "watch.cjs");
    writeFileSync(
      watch,
      `const fs = require("node:fs"), path = require("node:path"), { readdirSync, lstatSync } = fs, seen = {};
       const look = () => { try { for (const name of readdirSync(process.env.WATCHED, { recursive: true })) {
         const stat = lstatSync(path.join(process.env.WATCHED, name));
         (seen[stat.ino] ??= { names: [], modes: [] }).names.push(name); seen[stat.ino].modes.push((stat.mode & 0o777).toString(8));
       } } catch {} };
       for (const name of ["openSync", "writeSync", "fsyncSync", "closeSync", "mkdirSync", "linkSync", "rmSync"]) {
         const original = fs[name]; fs[name] = (...args) => { const result = original(...args); look(); return result; };
       }
       process.on("exit", () => process.stderr.write("seen: " + JSON.stringify(Object.values(seen)) + "\\n"));`,
    );
    const command = ["-r", storedKey(root), "-r", watch, ccf, "create-key-pair", "--output-dir", directory];
    const { status, stderr } = spawnSync("sh", ["-c", 'umask 0; exec "$0" "$@"', process.execPath, ...command], {
      env: { PATH: process.env["PATH"], WATCHED: directory },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const seen: { names: string[]; modes: string[] }[] = JSON.parse(/seen: (.*)/.exec(stderr)?.[1] ?? "[]");
    const modesOf = (name: string) =>
      seen.filter(({ names }) => names.includes(name)).flatMap(({ modes }) => [...new Set(modes)]);
    expect(modesOf(privateName)).toEqual(["600"]);
    expect(modesOf(tlsName)).toEqual(["600"]);
    expect(modesOf(publicName)).toEqual(["644"]);
    expect(modesOf(stage)).toEqual(["700"]);
    expect(modesOf("tls")).toEqual(["700"]);
    expect(modeOf(directory)).toBe("755");
    // The names in the stage, in addition to the final names.
    expect(seen.find(({ names }) => names.includes(privateName))?.names).toContain(`${stage}/0`);
  });
});

describe("ccf create-key-pair without git", () => {
  const elsewhere = "Set --output-dir to a directory outside the work tree, or use --allow-in-git.";

  it.each(["a directory", "a file"])("refuses below a .git that is %s, and writes nothing", (kind) => {
    const root = temporary();
    if (kind === "a file") writeFileSync(join(root, ".git"), "gitdir: elsewhere\n");
    else mkdirSync(join(root, ".git"));
    const before = readTree(root);
    const directory = join(root, "a/keys");
    expect(createIn(directory, [], { PATH: "/nowhere" })).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: "${root}" is a Git work tree, and it is unknown whether Git ignores private keys there: git is not in any absolute directory of PATH. ${elsewhere} [key-pair-in-git]\n`,
    });
    expect(existsSync(join(root, "a"))).toBe(false);
    expect(readTree(root)).toEqual(before);
    expect(createIn(directory, ["--no-installer", "--allow-in-git"], { PATH: "/nowhere" }).status).toBe(0);
  });

  it("does not run git outside a work tree", () => {
    expect(createIn(join(temporary(), "keys"), ["--no-installer"], { PATH: "/nowhere" }).status).toBe(0);
  });
});

describeWith(["git"], "ccf create-key-pair in a Git work tree", () => {
  const both = `"${privateName}" and "${tlsName}"`;
  const lines = `${privateName} and bound-service-account-signing-key.key`;
  const outside = "Set --output-dir to a directory outside the work tree";

  function repository(files: Readonly<Record<string, string>> = {}): string {
    const directory = temporary();
    git(directory, "init", "--quiet");
    writeTree(directory, files);
    return directory;
  }

  function refusal(workTree: string, names = both, ignore = lines): Run {
    const message = `"${workTree}" is a Git work tree, and Git does not ignore ${names} there. ${outside}, add ${ignore} to .gitignore, or use --allow-in-git.`;
    return { status: 1, stdout: "", stderr: `error: ${message} [key-pair-in-git]\n` };
  }

  it("refuses keys that are not ignored, and writes nothing", () => {
    const root = repository();
    for (const directory of [root, join(root, "keys"), join(root, "a/b")]) {
      expect(createIn(directory)).toEqual(refusal(root));
    }
    const run = refusal(root, `"${privateName}"`, privateName);
    expect(createIn(root, ["--no-installer"])).toEqual(run);
    writeFileSync(join(root, ".gitignore"), "bound-service-account-signing-key.key\n");
    expect(createIn(join(root, "keys"))).toEqual(run);
    expect(Object.keys(readTree(root)).filter((path) => !path.startsWith(".git/"))).toEqual([".gitignore"]);
    expect(existsSync(join(root, "keys"))).toBe(false);
  });

  it("accepts the .gitignore lines from its message, and --allow-in-git", () => {
    const root = repository({ ".gitignore": lines.replace(" and ", "\n") });
    const stored = storedKey(temporary());
    expect(createWith([stored], join(root, "keys")).status).toBe(0);
    expect(git(root, "status", "--porcelain", "--untracked-files=all")).toBe(`?? .gitignore\n?? keys/${publicName}\n`);
    const open = repository();
    expect(createIn(join(open, "keys"), ["--no-installer", "--allow-in-git"]).status).toBe(0);
  });

  it("respects exceptions, and names with a special meaning to Git", () => {
    const root = repository({ ".gitignore": `*.private\n!/:(top)/${privateName}\n` });
    expect(createIn(join(root, "keys"), ["--no-installer"]).status).toBe(0);
    const run = refusal(root, `"${privateName}"`, privateName);
    expect(createIn(join(root, ":(top)"), ["--no-installer"])).toEqual(run);
    mkdirSync(join(root, ":(top)"));
    expect(createIn(join(root, ":(top)"), ["--no-installer"])).toEqual(run);
  });

  it("recognizes a linked work tree, and a directory behind a symbolic link", () => {
    const root = repository();
    git(root, "commit", "--quiet", "--allow-empty", "--message", "first");
    const linked = join(temporary(), "worktree");
    git(root, "worktree", "add", "--quiet", linked);
    expect(statSync(join(linked, ".git")).isFile()).toBe(true);
    expect(createIn(join(linked, "keys"))).toEqual(refusal(linked));
    const link = join(temporary(), "link");
    symlinkSync(root, link);
    expect(createIn(link)).toEqual(refusal(root));
    expect(createIn(join(link, "keys"))).toEqual(refusal(root));
  });

  it("ignores Git's environment variables", () => {
    const root = repository();
    const tolerant = repository({ ".gitignore": "*\n" });
    const rules = join(temporary(), "rules");
    writeFileSync(rules, "*\n");
    for (const env of [
      { GIT_DIR: join(tolerant, ".git"), GIT_WORK_TREE: tolerant },
      { GIT_DIR: join(tolerant, ".git") },
      { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.excludesFile", GIT_CONFIG_VALUE_0: rules },
      { GIT_CEILING_DIRECTORIES: root },
    ]) {
      expect(createIn(join(root, "keys"), [], env), Object.keys(env).join()).toEqual(refusal(root));
    }
    // Nor does it refuse if these variables select another repository, which does not ignore the keys.
    const env = { GIT_DIR: join(root, ".git"), GIT_WORK_TREE: root };
    expect(createIn(join(tolerant, "keys"), ["--no-installer"], env).status).toBe(0);
    expect(createIn(join(temporary(), "keys"), ["--no-installer"], env).status).toBe(0);
  });

  it("reports a key that Git already tracks, even if it is ignored", () => {
    const root = repository({ ".gitignore": "*\n", [privateName]: pem(curve.privateKey, "sec1") });
    chmodSync(join(root, privateName), 0o600);
    git(root, "add", "--force", privateName);
    expect(createIn(root, ["--no-installer"])).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: "${root}" is a Git work tree, and Git already tracks "${privateName}". Remove the key from Git, treat it as compromised, and create a new key pair in a directory outside the work tree. [key-pair-in-git]\n`,
    });
  });

  describe("that may be hostile", () => {
    // Each case plants commands that would create this file.
    const planted: readonly [
      string,
      (root: string, command: string) => { directory?: string; env?: NodeJS.ProcessEnv },
    ][] = [
      [
        "tracked files that look like a bare repository",
        (root, command) => {
          const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${JSON.stringify(command)}\n`;
          // The planted repository claims to ignore everything.
          const rules = { "info/exclude": "*\n", "objects/kept": "", "refs/kept": "" };
          const files = { HEAD: "ref: refs/heads/main\n", config, ...rules };
          writeTree(join(root, "keys"), files);
          git(root, "add", "--all");
          return { directory: join(root, "keys") };
        },
      ],
      ["core.fsmonitor", (root, command) => configured(root, { "core.fsmonitor": command })],
      [
        "an included file",
        (root, command) => {
          writeFileSync(join(root, "included"), `[core]\n\tfsmonitor = ${JSON.stringify(command)}\n`);
          return configured(root, { "include.path": "../included" });
        },
      ],
      [
        "the configuration of a linked work tree",
        (root, command) => {
          git(root, "commit", "--quiet", "--allow-empty", "--message", "first");
          const linked = join(temporary(), "worktree");
          git(root, "worktree", "add", "--quiet", linked);
          configured(root, { "extensions.worktreeConfig": "true" });
          git(linked, "config", "--worktree", "core.fsmonitor", command);
          return { directory: join(linked, "keys") };
        },
      ],
      [
        "a partial clone that fetches the missing rules",
        (root, command) => {
          writeFileSync(join(root, ".gitignore"), "anything\n");
          git(root, "add", ".gitignore");
          git(root, "update-index", "--skip-worktree", ".gitignore");
          const id = git(root, "rev-parse", ":.gitignore").trim();
          for (const path of [".gitignore", join(".git/objects", id.slice(0, 2), id.slice(2))])
            rmSync(join(root, path), { force: true });
          return configured(root, {
            "core.sshCommand": command,
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": "ssh://host.invalid/repository",
          });
        },
      ],
      [
        "a git in the directory, with a relative PATH",
        (root, command) => {
          const PATH = `.:bin::${process.env["PATH"]}`;
          for (const path of ["git", "bin/git"]) {
            writeTree(root, { [path]: `#!/bin/sh\n${command}\n` });
            chmodSync(join(root, path), 0o755);
          }
          return { directory: root, env: { PATH } };
        },
      ],
    ];

    function configured(root: string, settings: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(settings)) git(root, "config", name, value);
      return {};
    }

    it.each(planted)("runs no command from it: %s", (_, plant) => {
      const root = repository();
      const marker = join(temporary(), "ran");
      const { directory = join(root, "keys"), env = {} } = plant(root, `touch ${marker}; false`);
      const workTree = existsSync(join(directory, "../.git")) ? join(directory, "..") : root;
      expect(createIn(directory, [], env)).toEqual(refusal(workTree));
      expect(existsSync(marker)).toBe(false);
      if (env["PATH"] !== undefined) return;
      // Without the precautions, Git runs it.
      const here = existsSync(directory) ? directory : workTree;
      runProgram("git", ["check-ignore", "--quiet", "./key"], { cwd: here });
      expect(existsSync(marker)).toBe(true);
    });
  });

  it("refuses if Git cannot tell", () => {
    const root = temporary();
    writeFileSync(join(root, ".git"), "gitdir: /nowhere\n");
    expect(createIn(root)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: "${root}" is a Git work tree, and it is unknown whether Git ignores private keys there: git reported "fatal: not a git repository: /nowhere". ${outside}, or use --allow-in-git. [key-pair-in-git]\n`,
    });
  });
});
