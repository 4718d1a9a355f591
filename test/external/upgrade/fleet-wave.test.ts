import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { corpusReleases } from "../../helpers/corpus-release.ts";
import { describeWithCorpus } from "../../helpers/need.ts";
import { azureFlags, gcpFlags, initFlags } from "../../helpers/sample.ts";
import { temporary } from "../../helpers/temporary.ts";

const flagsOf = { aws: initFlags, gcp: gcpFlags, azure: azureFlags } as const;
const at = corpusReleases();
const clouds = ["aws", "gcp", "azure"] as const;

/** A fleet of 40 clusters on three clouds, with the requests of a release. */
function fleet(root: string, release: string): void {
  for (const cloud of clouds) {
    const flags = flagsOf[cloud]({ name: "the-name", "credentials-requests": at(release, cloud) });
    expect(run(["init", join(root, `model-${cloud}`), ...flags]).stderr).toBe("");
  }
  for (let index = 10; index < 50; index++) {
    const directory = join(root, "clusters", `c${index}`);
    cpSync(join(root, `model-${clouds[index % 3]}`), directory, { recursive: true });
    for (const file of ["cluster-identity.yaml", "Kptfile"]) {
      const text = readFileSync(join(directory, file), "utf8").replaceAll("the-name", `cluster-${index}`);
      writeFileSync(
        join(directory, file),
        text.replace(/123456789012|00000000-1111/, (id) => id.replace(/^../, String(index))),
      );
    }
  }
  expect(run(["render", "--recursive", join(root, "clusters"), "-q"]).status).toBe(0);
}

describeWithCorpus([], "a wave of 40 clusters from 4.19 to main", () => {
  it("fits into a comment, with each distinct change once", () => {
    const root = temporary();
    fleet(join(root, "old"), "4.19");
    fleet(join(root, "now"), "main");
    const args = ["diff", "old/clusters", "now/clusters", "--recursive", "-o", "markdown"];
    const { status, stdout } = run(args, { cwd: root });
    expect(status).toBe(2);
    expect(stdout).toContain("40 clusters: 40 changed.");
    expect(stdout.length).toBeLessThan(20_000);
    expect(stdout.match(/^### /gm)).toHaveLength(3);
    expect(stdout.match(/^\+ ec2:AllocateHosts$/gm)).toHaveLength(1);
    const identities = stdout.match(/^@@ .*/gm) ?? [];
    expect(new Set(identities).size).toBe(identities.length);
  });
});
