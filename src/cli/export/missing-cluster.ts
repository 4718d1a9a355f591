import { cloudOfPath } from "../../clouds/index.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";
import { ownerPaths } from "./export-owner.ts";

/** An error where identities are to be exported and nothing says whose account and resources the scripts would act on. */
export function missingCluster(files: readonly ExportedFile[]): Finding[] {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  if (cloud === undefined || files.some(({ path }) => ownerPaths.includes(path))) return [];
  const message = `is missing; it tells the scripts which account and which resources are the cluster's, and "generate-oidc-issuer" makes it. Add that function to the pipeline of the Kptfile, render, and export again.`;
  return [fileFinding("error", "cluster-bundle-missing", `${cloud.name}/cluster.yaml`, message)];
}
