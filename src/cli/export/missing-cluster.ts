import { clusterBundlePath } from "../../clouds/aws/cluster/cluster-bundle.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";
import { ownerPath } from "./export-owner.ts";

/** An error where roles are to be exported and nothing says whose account and resources the scripts would act on. */
export function missingCluster(files: readonly ExportedFile[]): Finding[] {
  const needsFacts = files.some(({ path }) => path.startsWith("aws/"));
  if (!needsFacts || files.some(({ path }) => path === ownerPath)) return [];
  const message = `is missing; it tells the scripts which account and which resources are the cluster's, and "generate-oidc-issuer" makes it. Add that function to the pipeline of the Kptfile, render, and export again.`;
  return [fileFinding("error", "cluster-bundle-missing", clusterBundlePath, message)];
}
