import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codes, explained } from "../../../src/cli/all-findings.ts";
import { isFinding } from "../../../src/cli/terminal/output.ts";
import { nearestOf } from "../../../src/core/words.ts";
import { answerOf } from "../../helpers/in-process.ts";

const explain = (...args: readonly string[]) => answerOf(["explain-finding", ...args]);
const pages = ["findings", "validation-rules"].map((name) => readFileSync(`docs/reference/${name}.md`, "utf8"));

describe("ccf explain-finding", () => {
  it.each(["client-id-unknown", "[client-id-unknown]"])("prints severity, cause, fix, and page of %s", async (code) => {
    const { status, stdout, stderr } = await explain(code);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /^warning: client-id-unknown\n\nAzure assigns a client ID when the managed identity is created/,
    );
    expect(stdout).toContain("\n\nFix: Apply the package with `ccf apply`");
    expect(stdout).toMatch(/\n\nhttps:\/\/.*\/docs\/reference\/findings\.md#client-id-unknown\n$/);
  });

  it("explains a rule of ccf validate: what it finds, and why", async () => {
    const { status, stdout } = await explain("privilege-escalation");
    expect(status).toBe(0);
    const [head, summary, why] = stdout.split("\n\n").map((text) => text.replaceAll("\n", " "));
    expect([head, summary, why]).toEqual([
      "warning: privilege-escalation",
      explained("privilege-escalation")?.summary,
      explained("privilege-escalation")?.cause,
    ]);
    expect(stdout).toContain("/docs/reference/validation-rules.md#privilege-escalation\n");
  });

  it("prints JSON", async () => {
    const { status, stdout } = await explain("client-id-unknown", "-o", "json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      code: "client-id-unknown",
      severity: "warning",
      summary: expect.stringMatching(/^Azure assigns/),
      cause: expect.stringMatching(/^Azure assigns/),
      fix: expect.stringMatching(/^Apply the package/),
      page: expect.stringMatching(/^https:.*findings\.md#client-id-unknown$/),
    });
  });

  it.each([
    [
      "client-id-unknwon",
      /^error: unknown code "client-id-unknwon" \(did you mean "client-id-unknown"[^\n]*\?\)\. \[usage\]\n/,
    ],
    ["client-id", /"client-id-\w+", "client-id-\w+" or "client-id-\w+"\?\)/],
    ["zzz", /^error: unknown code "zzz"; a code is in brackets at the end of a finding's line\. \[usage\]\n/],
    ["constructor", /^error: unknown code "constructor"/],
    ["\u001b[31m", /^error: unknown code "\\u001b\[31m"/],
  ])("does not know %j", async (code, message) => {
    const { status, stdout, stderr } = await explain(code);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("explains every code of the two references, and no other", () => {
    const documented = pages.flatMap((page) =>
      [...page.matchAll(/^#{2,3} ([a-z\d-]+)$/gm)].map(([, code = ""]) => code),
    );
    expect(documented.sort()).toEqual([...codes].sort());
    for (const code of codes) {
      const { severity, cause, cure, page } = explained(code) ?? {};
      expect({ code, severity, page }).toEqual({
        code,
        severity: expect.stringMatching(/^(?:error|warning|info)$/),
        page: expect.stringContaining(`.md#${code}`),
      });
      expect(pages.some((text) => text.includes(`${cause}\n\n**Fix:** ${cure}\n`))).toBe(true);
    }
  });

  it("is needed only for a line with a code", () => {
    expect(isFinding("error: a.yaml: is not YAML [yaml-invalid]")).toBe(true);
    expect(isFinding("warning: Secret a/b: differs [x-1]")).toBe(true);
    for (const line of ["info: Secret a/b: is fine [x]", "error: unknown command", "  error: a [b]", "error: [A b]"])
      expect(isFinding(line)).toBe(false);
  });
});

describe("nearestOf", () => {
  it("returns the nearest names first, and no name that is too far away", () => {
    expect(nearestOf("rendr", ["report", "render", "sender", "destroy"], 2)).toEqual(["render", "sender"]);
    expect(nearestOf("rendr", ["destroy"], 2)).toEqual([]);
  });
});
