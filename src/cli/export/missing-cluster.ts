import { cloudOfPath } from "../../clouds/index.ts";
import type { Finding } from "../../core/finding.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";
import { ownerPaths } from "./export-owner.ts";

/**
 * An error if identities would be exported without the file that names the account or project, and the resources, for the scripts.
 */
export function missingCluster(files: readonly ExportedFile[]): Finding[] {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  if (cloud === undefined || files.some(({ path }) => ownerPaths.includes(path))) return [];
  const message = `is missing; it tells the scripts which ${cloud.accountNoun} and which resources belong to the cluster. Add "generate-oidc-issuer", which generates it, to the pipeline of the Kptfile. Then render and export again.`;
  return [fileFinding("error", "cluster-bundle-missing", `${cloud.name}/cluster.yaml`, message)];
}
