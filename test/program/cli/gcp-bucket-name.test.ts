import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

it("ccf init names the flag for a cluster whose name a bucket cannot have", () => {
  const directory = join(temporary(), "demo");
  const samples = "testdata/sample-cluster";
  const args = [
    ...["init", directory, "--platform", "gcp", "--name", "google-prod"],
    ...["--project-id", "my-project", "--project-number", "123456789012"],
    ...["--public-key-file", `${samples}/serviceaccount-signer.public`],
    ...["--credentials-requests", `${samples}-gcp/credentials-requests`],
  ];
  const refused = run(args);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(
    'the issuer\'s URL contains the name of a bucket, although the package creates none, and that name "google-prod-oidc" must not start with "goog"; set "spec.platform.gcp.bucket" to another name ("ccf init" sets it with --bucket). [bucket-name-invalid]',
  );
  expect(run([...args, "--bucket", "prod-keys"]).status).toBe(0);
  expect(readFileSync(join(directory, "cluster-identity.yaml"), "utf8")).toContain("bucket: prod-keys");
});
