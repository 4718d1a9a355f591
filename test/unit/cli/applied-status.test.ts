import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExportedFile } from "../../../src/cli/package/export-files.ts";
import { type AppliedStatus, readStatus, statusProblem, wantedDigest } from "../../../src/cli/package/status-result.ts";
import { answerOf } from "../../helpers/in-process.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const whole = { digest: "sha256:1", verdict: "in sync", time: "2026-05-01T12:00:00Z" };

function fileOf(text: string): string {
  const file = join(temporary(), "status.json");
  writeFileSync(file, text);
  return file;
}

describe("a result of a status", () => {
  it("has the digest of the resources that were compared, the time, and the verdict", () => {
    const time = new Date("2026-05-01T12:00:00Z");
    for (const verdict of ["in sync", "drift", "unknown"]) {
      const file = fileOf(JSON.stringify({ account: "123456789012", package: "demo", ...whole, verdict }));
      expect(readStatus(file)).toEqual({ digest: "sha256:1", time, verdict });
    }
  });

  it.each([
    "",
    "x",
    "[]",
    "null",
    JSON.stringify({ ...whole, verdict: "fine" }),
    JSON.stringify({ ...whole, verdict: undefined, status: "in sync" }),
    JSON.stringify({ ...whole, time: "yesterday" }),
    JSON.stringify({ ...whole, time: "2026-99-01T00:00:00Z" }),
    JSON.stringify({ ...whole, time: "2026-05-01T12:00:00+02:00" }),
    JSON.stringify({ ...whole, digest: 5 }),
  ])("is not %j", (text) => {
    expect(readStatus(fileOf(text))).toMatchObject({ severity: "error", code: "status-invalid" });
  });

  it("that cannot be read is a mistake in the command line", () => {
    expect(() => readStatus(join(temporary(), "status.json"))).toThrow(/cannot be read \(ENOENT\)/);
  });
});

describe("a result for a package", () => {
  let files: ExportedFile[];
  let digest: string;
  beforeAll(async () => {
    const out = join(temporary(), "out");
    const exported = await answerOf(["export", "testdata/packages/aws-s3-public", "--output-dir", out]);
    expect(exported).toMatchObject({ status: 0 });
    files = Object.entries(readTree(out)).map(([path, text]) => ({ path, text }));
    digest = wantedDigest(files) ?? "";
  });
  const now = new Date("2026-05-02T12:00:00Z");
  const problem = (time: string, from = files, of = digest, verdict: AppliedStatus["verdict"] = "in sync") =>
    statusProblem({ digest: of, time: new Date(time), verdict }, from, now)?.code;

  it.each([
    ["is a day old", "2026-05-01T12:00:00Z", undefined],
    ["is older than a day", "2026-05-01T11:59:59Z", "status-outdated"],
    ["is a quarter of an hour ahead, as clocks differ", "2026-05-02T12:15:00Z", undefined],
    ["is further ahead", "2026-05-02T12:15:01Z", "status-outdated"],
  ])("that %s: %s", (_, time, code) => {
    expect(problem(time)).toBe(code);
  });

  it.each(["drift", "unknown"] as const)("that found %s is an error", (verdict) => {
    expect(problem("2026-05-01T12:00:00Z", files, digest, verdict)).toBe("status-not-in-sync");
  });

  it("counts only if the wanted resources are the same", () => {
    const time = "2026-05-02T11:00:00Z";
    const edited = (form: RegExp, change: (text: string) => string) =>
      files.map(({ path, text }) => ({ path, text: form.test(path) ? change(text) : text }));
    const [manifest, provider] = [/^manifests\//, /create-open-id-connect-provider\.json$/];
    const commented = edited(manifest, (text) => `${text}# changed\n`);
    const indented = edited(provider, (text) => text.replace("{\n", "{\n\n"));
    expect([problem(time, commented), problem(time, indented)]).toEqual([undefined, undefined]);
    const other = edited(provider, (text) => text.replace('"openshift"', '"other"'));
    expect(problem(time, other)).toBe("status-of-another-package");
    expect(problem(time, files, "sha256:0")).toBe("status-of-another-package");
  });

  it.each(["{}", "[]", "null", '"text"', "5", "", "{"])("is for no package with a resource that is %j", (content) => {
    const stating = files.filter(({ path }) => /\/create-(?:role|open-id-connect-provider)\.json$/.test(path));
    expect(stating.length).toBeGreaterThan(1);
    for (const { path } of stating) {
      const edited = files.map((file) => (file.path === path ? { path, text: content } : file));
      expect(wantedDigest(edited), path).not.toBe(digest);
    }
  });

  it("is for no package whose resources are unknown", () => {
    const manifests = files.filter(({ path }) => path.startsWith("manifests/"));
    expect(wantedDigest(manifests)).toBeUndefined();
    expect(problem("2026-05-02T11:00:00Z", manifests)).toBe("status-of-another-package");
  });
});
