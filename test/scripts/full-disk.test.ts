import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { awks } from "../helpers/awk.ts";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { exported } from "../helpers/exported-package.ts";
import { describeWith } from "../helpers/need.ts";
import { pathWith, run } from "../helpers/programs.ts";
import { keptTemporary } from "../helpers/temporary.ts";

/*
 * The scripts keep what they read in a temporary directory. Here, that is a small file system, and it is full from one call of
 * awk on.
 */

const isRoot = process.getuid?.() === 0;
const clouds = {
  aws: { start: () => StubAws.start(), out: () => exported(), reads: ["policy", "text"] },
} as const;

describe.each(Object.entries(clouds))("on a full disk, for %s", (cloud, { start, out, reads }) => {
  let disk: string;
  let stub: Awaited<ReturnType<typeof start>>;
  let directory: string;
  let applied: unknown;
  beforeAll(async () => {
    disk = join(keptTemporary().directory, "disk");
    mkdirSync(disk);
    if (isRoot) expect(run("mount", ["-t", "tmpfs", "-o", "size=512k", "none", disk]).status).toBe(0);
    stub = await start();
    directory = out();
    stub.reset();
    expect(apply({})).toMatchObject({ status: 0 });
    applied = stub.state();
  });
  afterAll(() => {
    if (isRoot) run("umount", [disk]);
    rmSync(dirname(disk), { recursive: true });
    stub?.stop();
  });

  function apply(env: NodeJS.ProcessEnv, ...flags: string[]) {
    const script = join(directory, cloud, "apply.sh");
    const given = { CCF_WAIT: "0", TMPDIR: disk, ...env };
    return stub.run("sh", [script, ...flags], { env: given, input: "" });
  }

  for (const [awk, tool] of awks) {
    describeWith([tool], awk, () => {
      it.runIf(isRoot).each(reads)("apply.sh stops before it changes anything: %s (needs root)", (read) => {
        const filler = join(disk, "filler");
        const fill = `[ -e ${filler} ] || head -c 1m /dev/zero >${filler} 2>/dev/null`;
        const script = `case " $* " in *" ${read} "*) ${fill} ;; esac\nexec ${awk} "$@"`;
        const PATH = [pathWith({ awk: script }).split(delimiter)[0], stub.environment["PATH"]].join(delimiter);
        stub.reset(applied as never);
        const { status, stderr, stdout } = apply({ PATH }, "--prune");
        expect(readdirSync(disk)).toEqual(["filler"]);
        rmSync(filler);
        expect(stub.state(), stdout).toEqual(applied);
        expect([1, 2], stdout).toContain(status);
        expect(stderr).not.toBe("");
      });
    });
  }
});
