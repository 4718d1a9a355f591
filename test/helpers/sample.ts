import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { run } from "./ccf.ts";

/** The made-up release and key that `npm start` renders. */
export const sample = fileURLToPath(new URL("../../testdata/sample-cluster", import.meta.url));

/** The flags of `ccf init` for the sample, each replaced or omitted (undefined) as a test requires. */
export function initFlags(changes: Readonly<Record<string, string | undefined>> = {}): string[] {
  const flags: Record<string, string | undefined> = {
    platform: "aws",
    name: "demo",
    "account-id": "123456789012",
    region: "us-east-2",
    "public-key-file": `${sample}/serviceaccount-signer.public`,
    "credentials-requests": `${sample}/credentials-requests`,
    ...changes,
  };
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]));
}

/** The fictional release for GCP. */
export const gcpSample = fileURLToPath(new URL("../../testdata/sample-cluster-gcp", import.meta.url));

/** The flags of `ccf init` for the sample for GCP, each replaced or omitted (undefined) as a test requires. */
export function gcpFlags(changes: Readonly<Record<string, string | undefined>> = {}): string[] {
  return initFlags({
    platform: "gcp",
    "account-id": undefined,
    region: undefined,
    "project-id": "my-project",
    "project-number": "123456789012",
    "credentials-requests": `${gcpSample}/credentials-requests`,
    ...changes,
  });
}

/** The fictional release for Azure. */
export const azureSample = fileURLToPath(new URL("../../testdata/sample-cluster-azure", import.meta.url));

/** The flags of `ccf init` for the sample for Azure, each replaced or omitted (undefined) as a test requires. */
export function azureFlags(changes: Readonly<Record<string, string | undefined>> = {}): string[] {
  return initFlags({
    platform: "azure",
    "account-id": undefined,
    region: "eastus",
    "subscription-id": "00000000-1111-2222-3333-444444444444",
    "tenant-id": "55555555-6666-7777-8888-999999999999",
    "credentials-requests": `${azureSample}/credentials-requests`,
    ...changes,
  });
}

/** Makes the sample's package. */
export function initSample(directory: string, changes: Readonly<Record<string, string | undefined>> = {}): void {
  const { status, stderr } = run(["init", directory, ...initFlags(changes)]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}
