import { cloudOfPath } from "../../clouds/index.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { isConfigObject } from "../../openshift/config-objects.ts";
import type { Package } from "../files/package-files.ts";
import { fileFinding } from "../files/paths.ts";
import { isForCluster } from "../render/manifests.ts";
import { ownerPaths } from "./export-directory.ts";
import type { ExportedFile } from "./export-files.ts";

const maxNamed = 8;

/**
 * A note that names the objects for the cluster that are in the package but not in its export. The installer applies
 * the manifests of an export. A CloudCredential without the mode of a new cluster would change the mode of that
 * cluster.
 */
export function notExported({ files }: Package, exported: readonly ExportedFile[]): Finding[] {
  if (exported.length === 0) return [];
  const all = files
    .flatMap((file) => file.items)
    .filter(isForCluster)
    .filter((item) => !item.annotations.has(generatedBy) && !isConfigObject(item, "Authentication"))
    .map(({ kind, name, path = "" }) => `${kind} ${quoteWhole(name)} (${quoteWhole(path)})`);
  if (all.length === 0) return [];
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : "";
  const named = `${all.slice(0, maxNamed).join(", ")}${more}`;
  const message = `Not exported: ${named}. An export contains only generated objects, because the installer also uses it. Apply these objects to the running cluster yourself, for example with "oc apply -f FILE".`;
  return [finding("info", "not-exported", message)];
}

/**
 * An error if identities would be exported without the file that names the account or project, and the resources.
 */
export function missingCluster(files: readonly ExportedFile[]): Finding[] {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  if (cloud === undefined || files.some(({ path }) => ownerPaths.includes(path))) return [];
  const message = `is missing; it tells which ${cloud.accountNoun} and which resources belong to the cluster. Add "generate-oidc-issuer", which generates it, to the pipeline of the Kptfile. Then render and export again.`;
  return [fileFinding("error", "cluster-bundle-missing", `${cloud.name}/cluster.yaml`, message)];
}

/** Warns if the policy for the administrator who applies an export allows anything in the account. */
export function adminPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  return inspectors.flatMap(({ exports: { adminPolicy } }) => {
    const file = files.find(({ path }) => path === adminPolicy.path);
    if (file === undefined || !adminPolicy.isUnbounded(JSON.parse(file.text))) return [];
    const { code, message, bundlePath, field } = adminPolicy.unbounded;
    return [{ ...fileFinding("warning", code, bundlePath, message), ...(field === undefined ? {} : { field }) }];
  });
}
