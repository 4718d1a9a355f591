import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ClusterPackage, clusterPackageOf } from "../../clouds/cluster-package.ts";
import { factsOf, withPackage } from "../../clouds/facts.ts";
import { cloudOf, isIdentity, readIdentity } from "../../clouds/index.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { textOfFile } from "../../core/generated-object.ts";
import { localConfig, textAt, type ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quoteWhole } from "../../core/text.ts";
import { readItem } from "../../krm/item.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import type { FlagsOf } from "../definition.ts";
import { readText } from "../files/read-bytes.ts";
import { writeFiles } from "../files/write-files.ts";
import { isFleet } from "../fleet/flags.ts";
import { readPackage, requirePackage } from "../package/package-files.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import type { exportCommand as definition } from "./definition.ts";

type Values = FlagsOf<typeof definition>;

const factsFile = "facts.yaml";

/**
 * `ccf export DIR --format facts --output-dir OUT`: writes what a team needs to render the identities of its workloads in a
 * repository of its own, and the permissions for who applies that package. Exit code 0 for success, 1 for failure.
 */
export function exportFacts(values: Values, directories: readonly string[]): number {
  const output = values["output-dir"] ?? "";
  if (output === "") throw new UsageError("--output-dir is required; it names the directory to write");
  if (isFleet(directories, values)) throw new UsageError("--format facts is for one package; name only one directory");
  const directory = directories[0] ?? ".";
  const pkg = readPackage(directory);
  requirePackage(pkg, (below) => `ccf export --format facts ${shellWord(below)}`);
  const read = clusterPackageOf({ items: pkg.files.flatMap(({ items }) => items), functionConfig: undefined });
  const made = read instanceof ClusterPackage ? factsFor(read) : read;
  if (!("files" in made)) {
    writeFindings(made);
    return 1;
  }
  const { files, digest } = made;
  const changes = [...files].map(([path, after]) => ({ path, before: existing(join(output, path)), after }));
  mkdirSync(output, { recursive: true });
  writeFiles({ directory: output, command: "export" }, [
    { changes: changes.filter((one) => one.before !== one.after) },
  ]);
  writeNotes(1, [
    `Wrote ${[...files.keys()].map((name) => quoteWhole(`${output}/${name}`)).join(" and ")}. Digest ${digest}.`,
    `A team runs "ccf init DIR --facts ${factsFile}"; a pipeline that you own applies its package with "ccf apply --expect-facts ${digest}".`,
  ]);
  return 0;
}

function existing(path: string): string | undefined {
  return existsSync(path) ? readText(path) : undefined;
}

/** What is exported: the files, by name, and the digest of the facts. */
interface Made {
  readonly files: ReadonlyMap<string, string>;
  readonly digest: string;
}

/** The facts of a package, or the errors why there are none. */
function factsFor(pkg: ClusterPackage): Made | readonly Finding[] {
  const { identity, cluster } = pkg;
  const { resource } = identity;
  if (cluster.value === undefined) return cluster.findings;
  if (identity.facts !== undefined)
    return [
      finding("error", "facts-unavailable", "is that of a team. Export the facts from the package of the cluster.", {
        resource,
      }),
    ];
  if (identity.workloads === undefined) {
    const message = 'has no guard rails, so no team could use its facts. Add "spec.workloads" first.';
    return [finding("error", "facts-unavailable", message, { resource, field: "spec.workloads" })];
  }
  if (cluster.value.issuerUrl === undefined) {
    const message = "does not know its issuer yet, so no identity could trust it. Apply the package first.";
    return [finding("error", "facts-unavailable", message, { resource })];
  }
  const facts: ValueMap = {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: identity.name, annotations: { [localConfig]: "true" } },
    spec: factsOf(pkg, cluster.value),
  };
  const policy = policyOf(facts);
  if (!(policy instanceof Map)) return policy;
  const digest = textAt(facts, ["spec", "facts", "digest"]);
  return { files: new Map([[factsFile, emitYaml(facts)], ...policy]), digest };
}

// The permissions for who applies the package of a team: those in its bundle of facts.
function policyOf(facts: ValueMap): Map<string, string> | readonly Finding[] {
  const identity = readIdentity([itemOf(withPackage(facts, "team"))], undefined);
  if (!isIdentity(identity)) return identity;
  const { value, findings } = cloudOf(identity).renderer.readCluster(identity, []);
  if (value === undefined || hasError(findings)) return findings;
  const files = Object.entries(value.facts().files ?? {});
  return new Map(files.flatMap(([name, file]) => (name.startsWith("admin-") ? [[name, textOfFile(file)]] : [])));
}

function itemOf(value: ValueMap) {
  const source = parseDocuments(emitYaml(value));
  const [node] = isProblem(source) ? [] : documents(source);
  if (isProblem(source) || node === undefined) throw new Error(`facts cannot be read back: ${textAt(value, ["kind"])}`);
  return readItem(source, node, { path: factsFile, index: 0 });
}
