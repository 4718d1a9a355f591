import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** What runs the validator in a pipeline. */
const validator = "  - exec: ccf validate-credentials\n    configPath: cluster-identity.yaml\n";
/** A Secret of the sample cluster. */
export const secret = "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";

/** Adds the validator to a package's pipeline, among the validators or, with `before`, in front of the mutators. */
export function validated(directory: string, place: "validators" | "first" = "validators"): string {
  const path = join(directory, "Kptfile");
  if (place === "validators") appendFileSync(path, `  validators:\n${validator}`);
  else writeFileSync(path, readFileSync(path, "utf8").replace("  mutators:\n", `  mutators:\n${validator}`));
  return directory;
}

/** Replaces a text in a file that must have it. */
export function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** A Secret of another user, with an access key. */
export function withKey(directory: string): string {
  writeFileSync(
    join(directory, "backup.yaml"),
    "apiVersion: v1\nkind: Secret\nmetadata: {name: backup, namespace: openshift-adp}\nstringData: {aws_access_key_id: x}\n",
  );
  return directory;
}
