import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage, succeed } from "../../helpers/cluster-package.ts";
import { readTree } from "../../helpers/temporary.ts";

// As kpt 1.0 and Porch record the last render in the Kptfile (kpt, "status.conditions" and "status.renderStatus").
const status = `status:
    conditions: # not ours
    - type: Rendered
      status: "False"
      reason: RenderFailed
      message: |-
        pkg.render: pkg .:
        \tpipeline.run: must run with \`--allow-exec\` option to allow running function binaries
    renderStatus:
        mutationSteps:
        - image: ghcr.io/cloud-credential-functions/generate-oidc-issuer:v0.0.1
          exitCode: 1
        errorSummary: ''
`;

it("a status in the Kptfile changes nothing that is rendered, and none of its bytes is touched", () => {
  const plain = newPackage();
  const withStatus = newPackage();
  appendFileSync(join(withStatus, "Kptfile"), status);
  const { Kptfile: before = "" } = readTree(withStatus);
  expect(before).toContain(status);
  const expected = succeed(run(["render", plain]));
  const rendered = succeed(run(["render", withStatus]));
  expect(rendered).toEqual(expected);
  const { Kptfile: after, ...files } = readTree(withStatus);
  const { Kptfile: _, ...expectedFiles } = readTree(plain);
  expect(after).toBe(before);
  expect(files).toEqual(expectedFiles);
  expect(run(["render", "--check", withStatus])).toMatchObject({ status: 0 });
  expect(run(["render", "--stdout", withStatus]).stdout).toBe(run(["render", "--stdout", plain]).stdout);
});
