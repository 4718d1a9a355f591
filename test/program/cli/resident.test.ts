import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run, runProcess } from "../../helpers/ccf.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const list = readFileSync("testdata/generate-oidc-issuer/basic/input.yaml", "utf8");

// Other tests of commands rely on this: the program behaves the same in its own process and in this one.
it.each<[string, readonly string[], number]>([
  ["a version", ["--version"], 0],
  ["a word that is not known", ["rendr"], 1],
  ["a function, on standard input", ["generate-oidc-issuer"], 0],
  ["all functions, on standard input", [], 0],
  ["a package that is not rendered", ["render", "--check", "package"], 2],
  ["a command that waits for an answer", ["verify-token", "--token", "token", "--package", "package"], 1],
])("ccf says the same in a process of its own and in a thread of the tests: %s", (_what, args, status) => {
  const cwd = temporary();
  writeTree(cwd, { token: "no token\n" });
  const directory = newPackage();
  const options = { cwd, input: list, env: { NO_COLOR: "1" } };
  const named = args.map((arg) => (arg === "package" ? directory : arg));
  const done = run(named, options);
  expect(done.status, done.stderr).toBe(status);
  expect(done).toEqual(runProcess(named, options));
  expect(process.cwd()).not.toBe(join(cwd));
});
