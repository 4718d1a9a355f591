import { describe, expect, it } from "vitest";
import { findingProblems } from "../../../tools/finding-problems.mjs";

const modules = {
  "src/core": [],
  "src/low": ["src/core"],
  "src/other": ["src/core"],
  "src/cli": ["src/core", "src/low"],
};
const table = (...codes: string[]) =>
  `export const explanations = {\n${codes.map((code) => `  ${code}: {\n    cause: "C.",\n  },\n`).join("")}} as const;\n`;
const list = {
  path: "src/cli/all-findings.ts",
  text: 'from "../../low/findings.ts"; from "../../core/findings.ts"; from "../files/findings.ts";',
};

/** The problems of files, by path. A test asserts every code except "untested". */
function problemsOf(files: Readonly<Record<string, string>>) {
  const source = [list, ...Object.entries(files).map(([path, text]) => ({ path, text }))];
  const tests = [{ path: "test/a.test.ts", text: 'code: "known-code"\n[other-code]\nerror [shared-code]: …' }];
  return findingProblems({ source, tests, modules });
}

describe("findings of modules", () => {
  it("are accepted if their folder or a module above reports each code, and a test asserts it", () => {
    const files = {
      "src/low/findings.ts": table('"known-code"'),
      "src/low/read.ts": 'finding("error", "known-code", m)',
      "src/cli/files/findings.ts": table('"other-code"'),
      "src/cli/files/read.ts": 'finding("error", "other-code", m); finding("error", "known-code", m);',
      "src/cli/render/render.ts": 'code === "other-code"',
    };
    expect(problemsOf(files)).toEqual([]);
  });

  it("may be shared in core, if two modules report them", () => {
    const files = { "src/core/findings.ts": table('"shared-code"'), "src/low/a.ts": '"shared-code"' };
    const alone = "shared-code is in src/core/findings.ts, but no code in src/core reports it";
    expect(problemsOf(files)).toEqual([alone]);
    expect(problemsOf({ ...files, "src/other/a.ts": '"shared-code"' })).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      "no code reports",
      { "src/low/findings.ts": table('"known-code"'), "src/cli/a.ts": '"known-code"' },
      ["known-code is in src/low/findings.ts, but no code in src/low reports it"],
    ],
    [
      "a module without access reports",
      {
        "src/low/findings.ts": table('"known-code"'),
        "src/low/a.ts": '"known-code"',
        "src/other/a.ts": '"known-code"',
      },
      ["known-code of src/low is used in src/other, which may not import from src/low"],
    ],
    [
      "no test asserts",
      { "src/low/findings.ts": table("untested"), "src/low/a.ts": '"untested"' },
      ["no test asserts untested"],
    ],
    [
      "two tables have",
      {
        "src/low/findings.ts": table('"known-code"'),
        "src/low/a.ts": '"known-code"',
        "src/cli/files/findings.ts": table('"known-code"'),
        "src/cli/files/a.ts": '"known-code"',
      },
      ["known-code is in two findings.ts"],
    ],
  ])("are rejected if one is a finding that %s", (_, files, problems) => {
    expect(problemsOf(files)).toEqual(expect.arrayContaining([...problems]));
  });

  it("are rejected if a table is not listed or not readable", () => {
    const files = {
      "src/other/findings.ts": table('"known-code"'),
      "src/other/a.ts": '"known-code"',
      "src/low/findings.ts": "export const findings = {};",
    };
    expect(problemsOf(files)).toEqual([
      "could not read src/low/findings.ts",
      "src/other/findings.ts is not listed in src/clouds/all-findings.ts or src/cli/all-findings.ts",
    ]);
    expect(problemsOf({})).toEqual(["could not read any findings.ts"]);
  });
});
