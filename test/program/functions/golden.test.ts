import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { run } from "../../helpers/ccf.ts";
import { expectGolden } from "../../helpers/golden.ts";

function withoutResults(list: string): string {
  return list.replace(/^results:\n[\s\S]*|,"results":[\s\S]*/m, "");
}

describe.each(functions.map((fn) => fn.name))("%s", (name) => {
  const folder = join("testdata", name);
  const cases = existsSync(folder) ? readdirSync(folder).sort() : [];

  it("has cases", () => expect(cases.length).toBeGreaterThan(3));

  it.each(cases)("%s", (golden) => {
    const at = (file: string) => join(folder, golden, file);
    const input = readFileSync(at("input.yaml"), "utf8");
    const { status, stdout, stderr } = run([name], { input });
    expectGolden(at("expected.yaml"), stdout);
    expectGolden(at("expected-stderr.txt"), stderr);
    expectGolden(at("expected-exit"), `${status}\n`);
    if (status !== 0) {
      expect(withoutResults(stdout)).toBe(input);
      return;
    }
    // Results describe one run, for example what it removed. The items are a fixed point, and on the second run the
    // results are too.
    const second = run([name], { input: stdout }).stdout;
    expect(withoutResults(second)).toBe(withoutResults(stdout));
    expect(run([name], { input: second }).stdout).toBe(second);
  });

  it.each(cases)("%s has the same output in any time zone, language and directory", (golden) => {
    const input = readFileSync(join(folder, golden, "input.yaml"));
    const here = run([name], { input });
    const env = {
      TZ: "Pacific/Kiritimati",
      LANG: "tr_TR.UTF-8",
      LC_ALL: "tr_TR.UTF-8",
      HOME: "/nonexistent",
      AWS_REGION: "eu-west-1",
      NO_COLOR: "1",
    };
    expect(run([name], { input, cwd: "/", env })).toEqual(here);
  });
});
