// The tests of `ccf create-key-pair`. RSA keys are slow to generate, so most tests start with the files of one run.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ccf, type Run, run } from "./ccf.ts";
import { run as runProgram } from "./programs.ts";
import { readTree } from "./temporary.ts";

export const privateName = "serviceaccount-signer.private";
export const publicName = "serviceaccount-signer.public";
export const tlsName = "tls/bound-service-account-signing-key.key";
export const stage = ".ccf-create-key-pair";
export const progress = "Generating a 4096-bit RSA key; this takes a few seconds.\n";

/** Runs the command, and expects that it prints no part of a private key. */
export function createIn(directory: string, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Run {
  const before = existsSync(directory) ? privateLines(directory) : [];
  const done = run(["create-key-pair", "--output-dir", directory, ...flags], { env });
  const lines = existsSync(directory) ? [...before, ...privateLines(directory)] : before;
  for (const text of [done.stdout, done.stderr]) {
    expect(text).not.toContain("PRIVATE KEY");
    for (const line of lines) expect(text).not.toContain(line);
  }
  return done;
}

export function privateLines(directory: string): string[] {
  const texts = Object.values(readTree(directory)).filter((text) => text.includes("PRIVATE KEY"));
  return texts.flatMap((text) => text.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----")));
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** The files of a run in a directory, or some of them. */
export function copiedFrom(
  made: string,
  paths: readonly string[] = [privateName, tlsName, publicName],
): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(made, path), "utf8")]));
}

/** Loads this file before the program. */
export function preload(directory: string, script: string): string {
  const path = join(directory, "preload.cjs");
  writeFileSync(
    path,
    `const fs = require("node:fs"), crypto = require("node:crypto"), path = require("node:path");\n${script}`,
  );
  return path;
}

/** Makes the program return the key of that run instead of a new key, which saves time. */
export function storedKeyOf(made: string, directory: string): string {
  const key = JSON.stringify(join(made, privateName));
  return preload(
    directory,
    `const privateKey = crypto.createPrivateKey(fs.readFileSync(${key}, "utf8")); crypto.generateKeyPairSync = () => ({ privateKey });`,
  );
}

export function createWith(
  preloads: readonly string[],
  directory: string,
  env: NodeJS.ProcessEnv = {},
  flags: string[] = [],
) {
  const args = [
    ...preloads.flatMap((preload) => ["-r", preload]),
    ccf,
    "create-key-pair",
    "--output-dir",
    directory,
    ...flags,
  ];
  return spawnSync(process.execPath, args, { env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" });
}

/** Runs git in a directory, and returns what it prints. */
export function git(directory: string, ...args: string[]): string {
  const identity = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
  const { status, stdout, stderr } = runProgram("git", [...identity, ...args], { cwd: directory });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}
