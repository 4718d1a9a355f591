import { basename, resolve } from "node:path";
import { withPackage } from "../../clouds/facts.ts";
import { hasError } from "../../core/finding.ts";
import { isLabel, isMap, textAt, valueAt } from "../../core/resource.ts";
import { printable, quote } from "../../core/text.ts";
import { workloadsFunction } from "../../workloads/pipeline.ts";
import { parseDocuments } from "../../yaml/documents.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { documents, isProblem } from "../../yaml/source.ts";
import { construct } from "../../yaml/values.ts";
import type { FlagsOf } from "../definition.ts";
import { readInputFile } from "../files/input-file.ts";
import { checkConfig } from "../new-package/answers.ts";
import { createPackage, defaultImagePrefix, newPackage, refuseTaken } from "../new-package/new-package.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import type { initCommand as definition } from "./definition.ts";

/** `ccf init DIR --facts FILE`: creates the package of a team, which renders the identities of its workloads. */
export function initFacts(values: FlagsOf<typeof definition>, directory: string, file: string): number {
  refuseTaken(directory);
  const name = values.name ?? basename(resolve(directory));
  if (!isLabel(name))
    throw new UsageError(
      `the name of the package, ${quote(name)}, must be a DNS label, because it is part of the mark in the cloud; set --name`,
    );
  const source = parseDocuments(readInputFile("--facts", file));
  const [node] = isProblem(source) ? [] : documents(source);
  const built = isProblem(source) || node === undefined ? undefined : construct(source, node);
  const facts = built !== undefined && "value" in built ? built.value : null;
  const digest = textAt(facts, ["spec", "facts", "digest"]);
  if (!isMap(facts) || !isMap(valueAt(facts, ["spec"])) || digest === "")
    throw new UsageError(`${quote(file)} contains no facts; use the file that "ccf export --format facts" writes`);
  const config = emitYaml(withPackage(facts, name));
  const findings = checkConfig(config);
  writeFindings(findings.filter(({ severity }) => severity !== "info"));
  if (hasError(findings)) return 1;
  const files = newPackage({
    name,
    platform: {},
    identities: "identities of workloads",
    publicKeys: [],
    images: values.container ? (values["image-prefix"] ?? defaultImagePrefix) : undefined,
    functions: [workloadsFunction],
  });
  createPackage(directory, new Map([...files, ["cluster-identity.yaml", config]]));
  writeNotes(1, [
    `Created ${printable(directory)}: the facts of the cluster (cluster-identity.yaml) and the pipeline (Kptfile). Digest of the facts: ${digest}.`,
    "Next: write a WorkloadIdentity to workloads/<namespace>/, and run ccf render.",
  ]);
  return 0;
}
