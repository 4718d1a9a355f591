import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { isRunning, type ProcessRecord, readRecord, recordText, thisProcess } from "../../../src/cli/files/stage.ts";

const own = thisProcess();

test("a record can be read back", () => {
  expect(readRecord(recordText(own))).toEqual(own);
});

test.each([
  "",
  "1\n",
  "1 2 x",
  "0 2 x\n",
  "01 2 x\n",
  "1 2 x y\n",
  "1 -2 x\n",
  "1 2 x\n\n",
  `1 2 ${"x".repeat(256)}\n`,
])("%j is not a record", (text) => {
  expect(readRecord(text)).toBeUndefined();
});

test.each<[string, Partial<ProcessRecord>, boolean]>([
  ["this process runs", {}, true],
  ["one with its number that started at another time does not", { started: own.started + 1 }, false],
  ["one of another machine does not", { machine: "other" }, false],
  ["an unused process ID does not", { pid: 2 ** 31 - 2 }, false],
])("%s", (_what, change, expected) => {
  expect(isRunning({ ...own, ...change })).toBe(expected);
});

test("a process that has ended is not running", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  const pid = child.pid as number;
  await new Promise((resolve) => child.on("close", resolve));
  expect(isRunning({ ...own, pid })).toBe(false);
});
