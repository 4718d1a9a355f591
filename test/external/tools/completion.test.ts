import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run as ccf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const script = (shell: string) => {
  const { status, stdout, stderr } = ccf(["completion", shell]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
};

/** A directory with a file and directories, one of a name that a shell must not split. */
function directory(): string {
  const root = temporary();
  for (const name of ["clusters", "two words"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "claims.json"), "");
  return root;
}

/** What each shell offers, sorted: words typed before the one that is completed, and that one. */
const asked: readonly [typed: readonly string[], current: string, offered: readonly string[]][] = [
  [[], "ex", ["explain", "explain-finding", "export", "extract-release"]],
  [[], "generate-", ["generate-cloud-credentials", "generate-oidc-issuer", "generate-workload-identities"]],
  [["render"], "--o", ["--only-ours", "--output"]],
  [["render", "--allow"], "re", ["removal", "replace-issuer", "replace-key"]],
  [["validate", "--output"], "", ["json", "sarif", "text"]],
  [["completion"], "", ["bash", "fish", "zsh"]],
  [["help"], "expl", ["explain", "explain-finding"]],
  [["explain-finding"], "client-id-unk", ["client-id-unknown"]],
];

describeWith(["bash"], "bash completes", () => {
  const complete = (words: readonly string[], cwd = directory()) => {
    const ask = [
      'eval "$1"; shift; COMP_WORDS=(ccf "$@"); COMP_CWORD=$#',
      '_ccf; (( ${#COMPREPLY[@]} )) && printf "%s\\n" "${COMPREPLY[@]}"; complete -p ccf',
    ];
    const { stdout, stderr } = run("bash", ["--norc", "-uc", ask.join("\n"), "bash", script("bash"), ...words], {
      cwd,
    });
    expect(stderr).toBe("");
    const lines = stdout.split("\n").slice(0, -1);
    expect(lines.pop()).toBe("complete -F _ccf ccf");
    return lines.sort();
  };

  it.each(asked)("%j %s", (typed, current, offered) => {
    expect(complete([...typed, current])).toEqual(offered);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ["render", ""],
      ["clusters", "two words"],
    ],
    [["render", "tw"], ["two words"]],
    [["export", "clusters", "--output-dir", "c"], ["clusters"]],
    [
      ["verify-token", "--token", "cl"],
      ["claims.json", "clusters"],
    ],
    // As bash splits "--output=j".
    [["render", "--output", "=", "j"], ["json"]],
    [
      ["render", "--output", "="],
      ["json", "text"],
    ],
    [["init", "--name", "c"], []],
    [["nothing", "c"], []],
  ])("%j", (words, offered) => {
    expect(complete(words)).toEqual(offered);
  });
});

describeWith(["zsh"], "zsh", () => {
  it("takes the script", () => {
    const path = join(temporary(), "_ccf");
    writeFileSync(path, script("zsh"));
    expect(run("zsh", ["-n", path])).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describeWith(["fish"], "fish completes", () => {
  it.each(asked)("%j %s", (typed, current, offered) => {
    const line = ["ccf", ...typed, current].join(" ");
    const { stdout, stderr } = run(
      "fish",
      ["--no-config", "-c", "eval $argv[1]; complete -C $argv[2]", script("fish"), line],
      {
        cwd: directory(),
      },
    );
    expect(stderr).toBe("");
    expect(
      stdout
        .split("\n")
        .slice(0, -1)
        .map((text) => text.split("\t")[0])
        .sort(),
    ).toEqual(offered);
  });
});
