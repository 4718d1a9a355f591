import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ccf } from "../helpers/ccf.ts";
import { type Run, run as runProgram } from "../helpers/programs.ts";
import { keptTemporary } from "../helpers/temporary.ts";

/** What a live test knows of one cloud. */
export interface LiveCloud {
  readonly title: string;
  /** The flags of `ccf init` for a package with this prefix; asks the cloud's own command-line tool who we are. */
  flags(prefix: string): readonly string[];
  /** Changes something of the package by hand. @returns texts that a status must contain. */
  changeByHand(prefix: string): readonly string[];
}

/** Runs the command-line tool of a cloud with the environment that this process has. @returns its JSON. */
export function shown(program: string, ...args: readonly string[]): unknown {
  const { status, stdout, stderr } = runProgram(program, args, { env: process.env });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}\n${stderr}`);
  return stdout.trim() === "" ? undefined : JSON.parse(stdout);
}

/**
 * A package with a prefix of its own is applied, compared, changed by hand, mended, and destroyed. The private key of the
 * sample was thrown away, so no token for what it creates can exist.
 */
export function lifecycle(cloud: LiveCloud): void {
  const prefix = `ccfl-${randomBytes(3).toString("hex")}`;
  const { directory, remove } = keptTemporary();
  const pkg = join(directory, "live");
  let isApplied = false;

  /** Runs the program with the environment that this process has: credentials, profiles, endpoints, proxies. */
  function program(...args: readonly string[]): Run {
    const ran = runProgram(process.execPath, [ccf, ...args], { env: process.env });
    console.log(`$ ccf ${args.join(" ")}\n${ran.stdout}${ran.stderr}`);
    return ran;
  }

  beforeAll(() => {
    for (const step of [
      ["init", pkg, ...cloud.flags(prefix)],
      ["render", pkg],
    ])
      if (program(...step).status !== 0) throw new Error(`ccf ${step[0]} failed`);
  });

  afterAll(() => {
    const isLeft = isApplied && program("destroy", "--yes", prefix, pkg).status !== 0;
    if (isLeft) console.error(`Something of ${prefix} may be left. Run: ccf destroy ${pkg}`);
    else remove();
  });

  describe(`a package in ${cloud.title}, ${prefix}`, () => {
    it("is missing at first", () => {
      const { status, stdout } = program("apply", "--dry-run", pkg);
      expect(status).toBe(2);
      expect(stdout).not.toMatch(/^ *[!?]/m);
    });

    it("is applied, and then in sync", () => {
      isApplied = true;
      expect(program("apply", "--yes", pkg).status).toBe(0);
      expect(program("status", pkg).status).toBe(0);
    });

    it("needs no second run", () => {
      expect(program("apply", "--dry-run", pkg).status).toBe(0);
    });

    it("shows what was changed by hand, and mends it", () => {
      const expected = cloud.changeByHand(prefix);
      const { status, stdout } = program("status", pkg);
      expect(status).toBe(2);
      for (const text of expected) expect(stdout).toContain(text);
      expect(program("apply", "--yes", "--prune", pkg).status).toBe(0);
      expect(program("status", pkg).status).toBe(0);
    });

    it("is destroyed, and is missing again", () => {
      expect(program("destroy", "--yes", prefix, pkg).status).toBe(0);
      isApplied = false;
      expect(program("status", pkg).status).toBe(2);
    });
  });
}
