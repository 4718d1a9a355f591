import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ccf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { initSample } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";

const hint = "For the cause and the fix: ccf explain-finding CODE";

describeWith(["script"], "findings on a terminal", () => {
  /** What a terminal shows, line by line, for a package with an error. */
  const shown = (options: string) => {
    const directory = temporary();
    initSample(join(directory, "demo"));
    appendFileSync(join(directory, "demo/cluster-identity.yaml"), "unknown: field\n");
    const command = `'${process.execPath}' '${ccf}' validate ${options} demo`;
    const { stdout } = run("script", ["--quiet", "--command", command, "/dev/null"], { cwd: directory });
    return stdout.split(/\r?\n/).filter((line) => line !== "");
  };

  it("end with one line about their codes", () => {
    const lines = shown("");
    expect(lines.some((line) => /error\[[a-z-]+\]:/.test(line))).toBe(true);
    expect(lines.filter((line) => line === hint)).toHaveLength(1);
    expect(lines.at(-1)).toBe(hint);
  });

  it.each(["--quiet", "-o json"])("end without it for %s", (options) => {
    expect(shown(options)).not.toContain(hint);
  });
});
