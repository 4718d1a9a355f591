import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { commandLine, run } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

/*
 * Edge cases of the process: pipes that end early or are slow, and too much input.
 */

const basic = readFileSync(
  new URL("../../../testdata/generate-cloud-credentials/basic/input.yaml", import.meta.url),
  "utf8",
);
const functionName = "generate-cloud-credentials";

/** The list with one more item, which contains a text of the given length. */
function withText(length: number): string {
  const line = `${"x".repeat(127)}\n`;
  const text = `      ${line}`.repeat(Math.ceil(length / 134));
  const item = `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: large\n  data:\n    text: |\n${text}`;
  return basic.replace(/^items:\n/m, (items) => `${items}${item}`);
}

describe("more than 48 MiB", () => {
  it("is refused before it is parsed, without a list", () => {
    const input = Buffer.alloc(50 * 1024 * 1024, "# x\n");
    expect(run([functionName], { input })).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: standard input has more than 50331648 bytes, the maximum. [not-a-resource-list]\n",
    });
  });

  it("is the limit: smaller input passes through unchanged", () => {
    const input = withText(45 * 1024 * 1024);
    const { status, stdout } = run([functionName], { input });
    expect(status).toBe(0);
    const item = input.slice(input.indexOf("- apiVersion: v1\n  kind: ConfigMap"), input.lastIndexOf("xxxx\n"));
    expect(stdout.includes(item)).toBe(true);
    expect(stdout).toContain("role_arn");
  });
});

describe("a pipe", () => {
  it("with a reader that closes it ends the run with exit code 1, without a stack trace", () => {
    const directory = temporary();
    writeFileSync(join(directory, "in"), withText(1_000_000));
    const script = `"$@" ${functionName} < in 2> err | head -c 10 > out; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = spawnSync("bash", ["-c", script, "bash", ...commandLine().flat()], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(stdout).toBe("1\n");
    expect(readFileSync(join(directory, "out"), "utf8")).toBe("apiVersion");
    expect(readFileSync(join(directory, "err"), "utf8")).not.toMatch(/Error|^\s+at /m);
  });

  it("for findings with a reader that closes it does the same", () => {
    const directory = temporary();
    const many = Array.from(
      { length: 3000 },
      (_, index) => `- apiVersion: cloudcredential.openshift.io/v1
  kind: CredentialsRequest
  metadata:
    name: other-${index}
    namespace: openshift-cloud-credential-operator
  spec:
    providerSpec:
      kind: NobodysProviderSpec
`,
    ).join("");
    writeFileSync(
      join(directory, "in"),
      basic.replace(/^items:\n/m, (items) => `${items}${many}`),
    );
    const script = `"$@" ${functionName} < in 2>&1 > out | head -c 10 > err; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = spawnSync("bash", ["-c", script, "bash", ...commandLine().flat()], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(stdout).toBe("1\n");
    expect(readFileSync(join(directory, "out"), "utf8")).toContain("role_arn");
  });

  it("with a writer that stops in the middle leads to a finding, and no list", () => {
    const { status, stdout, stderr } = run([functionName], {
      input: basic.slice(0, basic.indexOf("kind: ResourceList") + 8),
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: standard input is not .*\[not-a-resource-list\]\n$/);
  });

  it("that is slow on both sides loses nothing", async () => {
    const input = withText(300_000);
    const child = spawn(...commandLine(functionName), { stdio: ["pipe", "pipe", "ignore"] });
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const read: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of child.stdout) {
        read.push(chunk as Buffer);
        await setTimeout(5);
      }
    })();
    for (let at = 0; at < input.length; at += 50_000) {
      child.stdin.write(input.slice(at, at + 50_000));
      await setTimeout(5);
    }
    child.stdin.end();
    expect(await ended).toBe(0);
    await reading;
    expect(Buffer.concat(read).toString()).toBe(run([functionName], { input }).stdout);
  });

  it("that is closed is read as empty", () => {
    const { status, stderr, stdout } = spawnSync("bash", ["-c", '"$@" <&-', "bash", ...commandLine().flat()], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe("error: standard input is empty, but must be a ResourceList. [not-a-resource-list]\n");
  });
});
