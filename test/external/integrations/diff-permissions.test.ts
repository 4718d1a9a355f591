import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { renderedPackage } from "../../helpers/cluster-package.ts";
import { kptRender, shell } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const ingress = "credentials-requests/20-ingress.yaml";
const said =
  "openshift-ingress-operator/cloud-credentials asks for more than its role has: + sts:AssumeRole. [permissions-broadened]";

/** A rendered package with a request of a new release, whose pipeline reports the changed permissions first. */
function upgraded(): string {
  const directory = renderedPackage();
  const edit = (path: string, from: RegExp, to: string) => {
    const text = readFileSync(join(directory, path), "utf8");
    expect(text).toMatch(from);
    writeFileSync(join(directory, path), text.replace(from, to));
  };
  edit("Kptfile", / {2}mutators:\n/, "$&  - exec: ccf diff-permissions\n    configPath: cluster-identity.yaml\n");
  edit(ingress, /( +- )route53:List/, "$1sts:AssumeRole\n$&");
  return directory;
}

describeWith(["kpt"], "diff-permissions in front of the generators", () => {
  it("reports once, before the roles are replaced, with kpt and with ccf render", () => {
    const text = upgraded();
    const other = join(temporary(), "package");
    cpSync(text, other, { recursive: true });
    const [kpt, ccf] = [kptRender(text), run(["render", other])];
    expect([kpt.status, ccf.status]).toEqual([0, 0]);
    expect(ccf.stderr).toContain(
      `warning: ${ingress}: CredentialsRequest openshift-cloud-credential-operator/sample-ingress: ${said}`,
    );
    expect(kpt.stderr).toContain("asks for more than its role has: + sts:AssumeRole.");
    // kpt reformats files that a user wrote.
    const generated = (directory: string) =>
      Object.fromEntries(Object.entries(readTree(directory)).filter(([path]) => /^(?:aws|manifests)\//.test(path)));
    expect(generated(text)).toEqual(generated(other));
    expect(kptRender(text).stderr).not.toContain("sts:AssumeRole.");
    const again = run(["render", other]);
    expect(again).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    expect(again.stderr).not.toContain("permissions-");
  });

  it("changes nothing as a function of kpt fn eval", () => {
    const directory = upgraded();
    const before = readTree(directory);
    const { status, stdout } = shell(
      "kpt fn source . --fn-config cluster-identity.yaml | ccf diff-permissions",
      directory,
    );
    expect(status).toBe(0);
    expect((load(stdout) as Any).results.map(({ tags }: Any) => tags.code)).toEqual(["permissions-broadened"]);
    expect(readTree(directory)).toEqual(before);
  });
});
