import { expect, it } from "vitest";
import { explained } from "../../../src/cli/all-findings.ts";
import { failureJson, failureOf, UsageError } from "../../../src/cli/terminal/errors.ts";

const stopped = Object.assign(new Error("aborted"), { name: "AbortError", code: "ABORT_ERR" });
const refused = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: "EACCES", syscall: "open" });

it.each<[string, unknown, string, string, string]>([
  ["an invalid command line", new UsageError("x is required"), "usage", "x is required.", "usage"],
  ["an interruption", stopped, "stopped", "stopped; nothing was created.", "stopped"],
  [
    "a refusal of the system",
    refused,
    "EACCES",
    "EACCES: permission denied, open 'x'; change its permissions, or run the command as its owner",
    "system-error",
  ],
  ["a bug", new TypeError("x is not a function"), "internal", "TypeError: x is not a function", "internal-error"],
])(
  "the line about %s ends with a code that is explained, and JSON is without it",
  (_, error, code, message, finding) => {
    const failure = failureOf(error);
    expect(failure.lines[0]).toBe(`error: ${message} [${finding}]`);
    expect(failureJson(failure)).toEqual({ error: { code, message }, findings: [] });
    expect(explained(finding)).toMatchObject({ code: finding, severity: "error" });
  },
);
