import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { commandLine } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

// A terminal of its own, on which keys are typed when the question is there.
const terminal = `
import os, pty, select, sys
keys = [bytes([int(one)]) for one in sys.argv[1].split(",")]
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
said = b""
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
    while keys and b"]: " in said:
        said = said.replace(b"]: ", b"]:", 1)
        os.write(fd, keys.pop(0))
_, status = os.waitpid(pid, 0)
sys.stdout.write(said.decode())
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

describeWith(["python3"], "on a terminal", () => {
  it.each([
    ["Ctrl-C", "3", 130, "Interrupted. Nothing was written."],
    ["Ctrl-D", "4", 1, "\u001b[31merror:\u001b[0m the input ended before the last answer. Nothing was written."],
  ])("%s ends ccf init, and nothing is written", (_key, code, status, message) => {
    const root = temporary();
    const done = run("python3", ["-c", terminal, code, ...commandLine("init", "demo").flat()], { cwd: root });
    expect(done.stdout).toContain(message);
    expect(done.status).toBe(status);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each([
    [{}, "\u001b[31merror:\u001b[0m unknown command"],
    [{ NO_COLOR: "" }, "\u001b[31merror:\u001b[0m unknown command"],
    [{ NO_COLOR: "1" }, "error: unknown command"],
    [{ TERM: "dumb" }, "error: unknown command"],
  ])("with the environment %j an error begins with %j", (env, begin) => {
    const done = run("python3", ["-c", terminal, "4", ...commandLine("\u001b[31mx").flat()], { env });
    expect(done.stdout).toBe(`${begin} "\\u001b[31mx". [usage]\r\nRun "ccf --help".\r\n`);
  });
});
