import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

it("ccf role-spec says which release creates the Secrets", () => {
  const directory = temporary();
  writeTree(directory, {
    "request.yaml": `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata: {name: shelf, namespace: openshift-cloud-credential-operator}
spec:
  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token
  secretRef: {namespace: shelf, name: credentials}
  serviceAccountNames: [shelf]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {effect: Allow, action: ["s3:GetObject"], resource: "*"}
`,
  });
  const { status, stdout } = run(["role-spec", join(directory, "request.yaml"), "-o", "markdown"]);
  expect(status).toBe(0);
  expect(stdout).toContain("Before\nOpenShift 4.14, the cloud-credential-operator does not create them");
  expect(stdout).toContain("create the Secrets by hand before you install the operator");
});
