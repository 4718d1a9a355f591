import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { initSample } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";

const readme = readFileSync("README.md", "utf8");

function block(comment: string): string {
  const [, rest = ""] = readme.split(`<!-- ${comment} -->\n`);
  return /```\w*\n([\s\S]*?)```/.exec(rest)?.[1] ?? "";
}

describe("README.md", () => {
  it("shows what a run really says and makes", () => {
    const root = temporary();
    initSample(join(root, "demo"));
    const { stdout, stderr } = run(["render", "demo"], { cwd: root });
    expect(block("output of: npm start")).toBe(`$ ccf render demo\n${stderr}${stdout}`);
    const path = "demo/manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";
    expect(block(`file: ${path}`)).toBe(readFileSync(join(root, path), "utf8"));
  });

  it("names files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(5);
    for (const path of links) expect(spawnSync("ls", [path ?? ""]).status, path).toBe(0);
  });
});

describe("npm start", () => {
  it("makes and shows a package", () => {
    const directory = join(temporary(), "demo");
    const { status, stdout } = spawnSync(process.execPath, ["tools/demo.mjs", directory], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(stdout).toContain("9 files written. A second run changes nothing.");
    expect(stdout).toContain(
      "role_arn = arn:aws:iam::123456789012:role/demo-openshift-ingress-operator-cloud-credentials",
    );
  });
});
