import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeWith } from "../helpers/need.ts";
import { run } from "../helpers/programs.ts";
import { keptTemporary, writeTree } from "../helpers/temporary.ts";

/** The clouds that have scripts. */
const clouds = await Promise.all(
  ["aws"].map(async (cloud) => {
    const scripts = await import(`../../src/generated/${cloud}-scripts.ts`);
    return { cloud, texts: scripts[`${cloud}Scripts`] as Readonly<Record<string, string>> };
  }),
);
const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map((found) => found[1] ?? "");
// Every cloud has the shared files, and a function of a shared file may be for one cloud only.
const everywhere = clouds.flatMap(({ texts }) => Object.values(texts)).join("");

describe.each(clouds)("the scripts' texts: $cloud", ({ cloud, texts }) => {
  // The layout of an export, regardless of the source directories.
  const { directory, remove } = keptTemporary();
  afterAll(remove);
  writeTree(directory, texts);
  const names = Object.keys(texts);
  const shell = names.filter((name) => name.endsWith(".sh"));
  const entries = shell.filter((name) => !name.startsWith("lib-"));

  it("are three scripts, their library, and two awk files", () => {
    expect(entries).toEqual(["apply.sh", "destroy.sh", "status.sh"]);
    expect(names.filter((name) => !shell.includes(name))).toEqual([`${cloud}.awk`, "json.awk"].sort());
  });

  it.each(names)("%s is ASCII, no tabs, nothing at a line's end, one line end at the end", (name) => {
    expect(texts[name]).toMatch(/^(?:(?:[!-~][ -~]*)?(?<! )\n| +[!-~][ -~]*(?<! )\n)+$/);
    expect(texts[name]).toMatch(/[^\n]\n$/);
  });

  it("have a first line that names their interpreter", () => {
    for (const name of shell) {
      expect(texts[name]?.split("\n")[0], name).toBe(entries.includes(name) ? "#!/bin/sh" : "# shellcheck shell=sh");
    }
  });

  it("are each sourced by a script, with a shellcheck directive", () => {
    const sourced = entries.map((name) => all(/^\. "\$here\/([\w.-]+)"$/gm, texts[name] ?? ""));
    const checked = entries.map((name) => all(/^# shellcheck source=([\w.-]+)$/gm, texts[name] ?? ""));
    expect(sourced).toEqual(checked);
    expect([...new Set(sourced.flat())].sort()).toEqual(shell.filter((name) => name.startsWith("lib-")));
  });

  it.each(entries)("%s has each function that it uses, once", (name) => {
    const parts = [name, ...all(/^\. "\$here\/([\w.-]+)"$/gm, texts[name] ?? "")];
    const defined = parts.flatMap((part) => all(/^(\w+)\(\) \{$/gm, texts[part] ?? ""));
    expect(defined.filter((text, index) => defined.indexOf(text) !== index)).toEqual([]);
    const anywhere = new Set(shell.flatMap((part) => all(/^(\w+)\(\) \{$/gm, texts[part] ?? "")));
    const code = codeOf(texts[name] ?? "");
    const reached = new Set<string>();
    const follow = (body: string) => {
      for (const text of anywhere) {
        if (reached.has(text) || !new RegExp(`(?<![\\w$-])${text}(?![\\w=-])`).test(body)) continue;
        reached.add(text);
        for (const part of parts) follow(bodyOf(text, texts[part] ?? ""));
      }
    };
    follow(code);
    expect([...reached].filter((text) => !defined.includes(text))).toEqual([]);
  });

  it("have no unused function", () => {
    const whole = shell.map((name) => texts[name] ?? "").join("");
    const code = everywhere.replace(/^ *#.*$/gm, "");
    const defined = all(/^(\w+)\(\) \{$/gm, whole);
    const used = (text: string) => new RegExp(`(?<!# )(?<![\\w$-])${text}(?!\\w|\\(\\)|:)`).test(code);
    expect(defined.filter((text) => !used(text))).toEqual([]);
    const functions = all(/^function (\w+)\(/gm, `${texts["json.awk"]}${texts[`${cloud}.awk`]}`);
    const calls = everywhere.replace(/^function \w+/gm, "");
    expect(functions.filter((text) => !new RegExp(`\\b${text}\\(`).test(calls))).toEqual([]);
  });

  it.each(entries)("%s lists exactly its flags in its usage", (name) => {
    const text = texts[name] ?? "";
    const [, usage = ""] = /<<'END'\n([\s\S]*?)\nEND\n/.exec(text) ?? [];
    const code = name === "status.sh" ? `${text}${texts["lib-flags.sh"]}` : text;
    const taken = all(/^ {4,}(-[\w |-]+)\) /gm, code.replaceAll(")\n", ") \n")).flatMap((text) => text.split(" | "));
    const said = all(/^ {2}(?:-\w, )?(--[\w-]+)/gm, usage);
    expect(taken).toContain("--help");
    expect(said).toEqual(expect.arrayContaining(taken.filter((text) => !["-h", "--help", "-o"].includes(text))));
    expect(taken).toEqual(expect.arrayContaining(said));
    for (const flag of all(/(?<![\w-])(--[a-z][\w-]+)/g, usage)) expect(taken).toContain(flag);
    for (const line of usage.split("\n")) expect(line.length, line).toBeLessThanOrEqual(120);
  });

  it.each(entries)("%s --help prints the usage, and needs no other tool", (name) => {
    const { status, stdout, stderr } = run("sh", [join(directory, name), "--help"], { env: { PATH: "/usr/bin:/bin" } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(texts[name]).toContain(stdout);
    expect(stdout).toMatch(/^[\s\S]+\nUsage:\n {2}\w+\.sh[\s\S]+Exit codes: /);
    for (const args of [["--no-such"], ["-x"], ["word"], [""]]) {
      const refused = run("sh", [join(directory, name), ...args]);
      expect({ ...refused, stderr: refused.stderr.split("\n").length }).toEqual({ status: 1, stdout: "", stderr: 2 });
    }
  });

  describeWith(["shellcheck"], "shellcheck", () => {
    it.each(entries)("finds no problem in %s and the files that it sources", (name) => {
      expect(run("shellcheck", ["-s", "sh", "-x", name], { cwd: directory }).stdout).toBe("");
    });
  });

  describe.each([
    ["dash", ["-n"]],
    ["bash", ["--posix", "-n"]],
    ["busybox", ["sh", "-n"]],
  ])("%s", (tool, args) => {
    describeWith([tool], "reads", () => {
      it.each(shell)("%s", (name) => {
        expect(run(tool, [...args, join(directory, name)])).toEqual({ status: 0, stdout: "", stderr: "" });
      });
    });
  });
});

/** What a script does at its top level: no comments, no usage, no functions. */
function codeOf(text: string): string {
  return text
    .replace(/<<'END'\n[\s\S]*?\nEND\n/g, "\n")
    .replace(/^\w+\(\) \{\n[\s\S]*?^\}$/gm, "")
    .replace(/^ *#.*$/gm, "")
    .replace(/'[^'\n]*'/g, "''");
}

function bodyOf(name: string, text: string): string {
  const [, body = ""] = new RegExp(`^${name}\\(\\) \\{\\n([\\s\\S]*?)^\\}$`, "m").exec(text) ?? [];
  return body.replace(/^ *#.*$/gm, "").replace(/'[^'\n]*'/g, "''");
}
