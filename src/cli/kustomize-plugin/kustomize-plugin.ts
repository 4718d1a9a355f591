import { hasError } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { ambiguousItems } from "../../krm/ambiguous-item.ts";
import { readItem } from "../../krm/item.ts";
import { writeContent } from "../../krm/stdio.ts";
import { isPatch } from "../../workloads/delivery.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { documents } from "../../yaml/source.ts";
import { readArgument, readStandardInput } from "../files/read-bytes.ts";
import { elementsOf, objectsOf, type PackageFile, sourceOf, unreadDocuments } from "../files/read-objects.ts";
import { manifestStream } from "../package/manifests.ts";
import { planRender } from "../package/render-plan.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings } from "../terminal/output.ts";

const standardInput = "standard input";

/**
 * Runs all functions as a kustomize transformer. The argument is the configuration file. The resources are a YAML
 * stream on standard input, and the result is a YAML stream on standard output. kustomize shows standard error if the
 * exit code is not 0.
 *
 * @param name under which kustomize runs the program
 */
export function kustomizePlugin(args: readonly string[], name: string): number {
  const [configPath, ...more] = args;
  if (configPath === undefined || more.length > 0) {
    throw new UsageError(
      `${name} is a kustomize plugin; kustomize runs it with its configuration file as the only argument`,
    );
  }
  // Resources from kustomize have no path.
  const resources = resourcesOf(readStandardInput());
  if (documents(resources.source).length === 0) {
    const message =
      'standard input contains no resources, and so no CredentialsRequests; in the kustomization, list the ClusterIdentity under "transformers" and the requests under "resources"';
    throw new UsageError(message);
  }
  const config = objectsOf(configPath, readArgument(configPath));
  const pkg = {
    directory: "",
    files: [config, resources],
    subpackages: [],
    findings: [...unreadDocuments(standardInput, resources.source), ...ambiguousItems(resources.items)],
  };
  const plan = planRender(pkg, { onlyOurs: true, answerPrunes: true, validators: [] });
  writeFindings(plan.findings);
  if (hasError(plan.findings)) return 1;
  // kustomize expects every resource back, and drops local-config resources itself.
  writeContent(manifestStream(pkg, plan.changes, (item) => item.path !== config.path && !isPatch(item)));
  return 0;
}

// A resource that cannot be read does not affect the others.
function resourcesOf(bytes: Uint8Array): PackageFile {
  const source = sourceOf(quote(standardInput), bytes, parseDocuments);
  const items = documents(source)
    .filter((node) => !source.unread.has(node))
    .flatMap((node) => elementsOf(source, node))
    .map((node) => readItem(source, node));
  return { path: standardInput, source, items };
}
