import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/cli/export/export-files.ts";
import { readStatus, statusProblem } from "../../../src/cli/upgradeable-to/applied-status.ts";
import { temporary } from "../../helpers/temporary.ts";

const whole = { package: "0".repeat(64), status: "in sync", time: "2026-05-01T12:00:00Z" };

function fileOf(text: string): string {
  const file = join(temporary(), "status.json");
  writeFileSync(file, text);
  return file;
}

describe("a result of status.sh", () => {
  it("has the digest of the files that were compared, and the time", () => {
    const file = fileOf(JSON.stringify({ account: "123456789012", ...whole }));
    const time = new Date("2026-05-01T12:00:00Z");
    expect(readStatus(file)).toEqual({ package: whole.package, time, verdict: "in sync" });
    const ours = { digest: "sha256:1", verdict: "drift", time: whole.time };
    expect(readStatus(fileOf(JSON.stringify(ours)))).toEqual({ package: "sha256:1", time, verdict: "drift" });
  });

  it.each([
    "",
    "x",
    "[]",
    "null",
    JSON.stringify({ ...whole, status: "differs" }),
    JSON.stringify({ ...whole, time: "yesterday" }),
    JSON.stringify({ ...whole, time: "2026-99-01T00:00:00Z" }),
    JSON.stringify({ ...whole, time: "2026-05-01T12:00:00+02:00" }),
    JSON.stringify({ ...whole, package: 5 }),
    JSON.stringify({ digest: "sha256:1", verdict: "fine", time: whole.time }),
  ])("is not %j", (text) => {
    expect(readStatus(fileOf(text))).toMatchObject({ severity: "error", code: "status-invalid" });
  });

  it("that cannot be read is a mistake in the command line", () => {
    expect(() => readStatus(join(temporary(), "status.json"))).toThrow(/cannot be read \(ENOENT\)/);
  });
});

describe("a result for a package", () => {
  const files = [
    { path: "aws/cluster.json", text: "{}\n", mode: 0o644 },
    { path: "manifests/secret.yaml", text: "kind: Secret\n", mode: 0o644 },
  ];
  const digest = digestOf(`${digestOf("{}\n")}  aws/cluster.json\n`);
  const now = new Date("2026-05-02T12:00:00Z");
  const problem = (time: string, of = digest, from = files, verdict: "in sync" | "drift" | "unknown" = "in sync") =>
    statusProblem({ package: of, time: new Date(time), verdict }, from, now)?.code;

  it.each([
    ["is a day old", "2026-05-01T12:00:00Z", undefined],
    ["is older than a day", "2026-05-01T11:59:59Z", "status-outdated"],
    ["is a quarter of an hour ahead, as clocks differ", "2026-05-02T12:15:00Z", undefined],
    ["is further ahead", "2026-05-02T12:15:01Z", "status-outdated"],
  ])("that %s: %s", (_, time, code) => {
    expect(problem(time)).toBe(code);
  });

  it.each(["drift", "unknown"] as const)("that found %s is an error", (verdict) => {
    expect(problem("2026-05-01T12:00:00Z", digest, files, verdict)).toBe("status-not-in-sync");
  });

  it("counts only if the files that scripts read are the same", () => {
    const [cluster, secret] = files as [(typeof files)[0], (typeof files)[0]];
    const time = "2026-05-02T11:00:00Z";
    expect(problem(time, digest, [cluster, { ...secret, text: "kind: Secret # changed\n" }])).toBeUndefined();
    expect(problem(time, digest, [{ ...cluster, text: "{ }\n" }, secret])).toBe("status-of-another-package");
    expect(problem(time, "0".repeat(64))).toBe("status-of-another-package");
  });
});
