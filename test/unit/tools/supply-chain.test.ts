import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workflow } from "../../helpers/workflow.ts";

const below = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:yaml|md)$/.test(name))
    .map((name) => join(directory, name));
const workflows = [...below(".github/workflows"), ...below("integrations/github"), ...below("integrations/flux")];

/** Images of this project have no digest before their release. The pages say how to name them by it. */
const own = /^ghcr\.io\/cloud-credential-functions\//;

/** The images that a text names; a value in angle brackets or of an example host is a placeholder. */
function imagesIn(text: string): string[] {
  const yaml = [...text.matchAll(/^\s*(?:- )?image:\s*["']?([\w./-]+[:@][^\s"'}]+)/gm)];
  const dockerfile = [...text.matchAll(/^(?:ARG \w+_IMAGE=|FROM )([\w./-]+[:@]\S+)/gm)];
  return [...yaml, ...dockerfile].map(([, image = ""]) => image).filter((image) => !image.startsWith("example.com/"));
}

describe("what is downloaded is named by its content", () => {
  it.each(["Dockerfile", "Kptfile", ...below("integrations"), ...below("docs"), ...below(".github")])(
    "images in %s",
    (path) => {
      const images = imagesIn(readFileSync(path, "utf8")).filter((image) => !own.test(image));
      expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    },
  );

  it("finds the images", () => {
    expect(imagesIn(readFileSync("Dockerfile", "utf8"))).toHaveLength(2);
    expect(imagesIn(readFileSync("integrations/kubernetes/check-job.yaml", "utf8"))).toHaveLength(2);
  });

  it.each(workflows)("actions and installations in %s", (path) => {
    const text = readFileSync(path, "utf8");
    const actions = [...text.matchAll(/^\s*(?:- )?uses:\s*(\S+)/gm)].map(([, action = ""]) => action);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(text).not.toMatch(/\b(?:curl|wget)\b[^\n]*\|\s*(?:sudo )?(?:ba)?sh\b|\bnpx\b/);
    const downloads = text.match(/\b(?:curl|wget) [^\n]*/g) ?? [];
    const checks = text.match(/sha256sum --check --strict/g) ?? [];
    expect(checks.length).toBeGreaterThanOrEqual(downloads.length);
  });

  it("the runner with tools never runs the code of a fork", () => {
    const { jobs } = workflow(".github/workflows/test.yaml");
    const condition = jobs["everything"]?.if ?? "";
    expect(condition.replace(/\s+/g, " ")).toContain(
      "&& (github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository)",
    );
    for (const path of workflows) expect(readFileSync(path, "utf8"), path).not.toContain("pull_request_target");
  });
});
