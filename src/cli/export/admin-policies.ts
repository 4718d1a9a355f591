import { join } from "node:path";
import { cloudOfPath } from "../../clouds/index.ts";
import { inspectors, readRendered } from "../../clouds/inspectors.ts";
import { bundlesOfFiles } from "../../clouds/rendered.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import { jsonFile } from "../../core/json.ts";
import type { Value } from "../../core/resource.ts";
import { quoteWhole } from "../../core/text.ts";
import { counted } from "../../core/words.ts";
import { sortFindings } from "../../krm/results.ts";
import { countFiles } from "../files/write-files.ts";
import type { Selection } from "../fleet/select-packages.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeChanges, writeFindings, writeNotes } from "../terminal/output.ts";
import { exportDirectory } from "./export-directory.ts";
import { writeExport } from "./write-export.ts";

/** Where the policies of several packages are, in the output directory. */
export const policiesDirectory = "admin-policies";

interface Part {
  readonly cloud: string;
  readonly account: string;
  readonly package: string;
  readonly policy: Value;
}

/** Collects the administrators' policies of the packages that a run exports, and writes one administrator's policies for each account. */
export class AdminPolicies {
  /** Its part of the exit code, once they are written. */
  code: 0 | 1 | 2 = 0;
  readonly #parts: Part[] = [];
  readonly #exported = new Set<string>();
  readonly #output: string;
  readonly #selection: Selection;
  readonly #how: { readonly check: boolean; readonly output: string };

  /**
   * @param output the output directory of the run.
   * @throws UsageError if a limit excludes packages: a policy for some of the packages of an account must not replace one for all.
   */
  constructor(output: string, selection: Selection, how: { readonly check: boolean; readonly output: string }) {
    const [limit] = selection.limits;
    if (limit !== undefined)
      throw new UsageError(
        `--admin-policies merges the policies of all packages; do not combine it with --${limit.split(" ")[0]}`,
      );
    this.#output = output;
    this.#selection = selection;
    this.#how = how;
  }

  /** Adds an exported package. */
  add(directory: string, files: readonly ExportedFile[]): void {
    this.#exported.add(directory);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    for (const { name, exports } of inspectors) {
      const text = texts.get(exports.adminPolicy.path);
      if (text === undefined || exports.adminPolicy.merge === undefined) continue;
      const account = readRendered(bundlesOfFiles(texts))?.cluster.account ?? "unknown";
      this.#parts.push({ cloud: name, account, package: directory, policy: JSON.parse(text) });
    }
  }

  /** Merges and writes the policies, and says so. Nothing is written if a package failed: its policy would be missing. */
  write(): void {
    const missing = this.#selection.places.length - this.#exported.size;
    const why =
      missing > 0
        ? `${counted(missing, "package")} ${missing === 1 ? "was" : "were"} not exported`
        : this.#parts.length === 0
          ? "no package has a policy to merge: --admin-policies requires a package for AWS"
          : undefined;
    if (why !== undefined) {
      write(2, [`error: no policy was merged, because ${why}.`]);
      this.code = 1;
      return;
    }
    const { files, lines, findings } = this.#merged();
    const directory = join(this.#output, policiesDirectory);
    const written = hasError(findings) ? { findings, count: 0 } : this.#carryOut(directory, files, findings);
    writeFindings(sortFindings(written.findings));
    this.code = hasError(written.findings) ? 1 : this.#how.check && written.count > 0 ? 2 : 0;
    if (this.code === 1) return;
    const { check, output } = this.#how;
    const said = `${quoteWhole(directory)}: ${countFiles(written.count)} ${check ? "would change" : "written"}`;
    const all = [...lines, ...(written.count === 0 ? [] : [said])];
    if (check && output === "text") writeChanges(all);
    else writeNotes(output === "text" ? 1 : 2, all);
  }

  #merged() {
    const files: ExportedFile[] = [];
    const lines: string[] = [];
    const findings: Finding[] = [];
    for (const { name, exports } of inspectors) {
      const noun = cloudOfPath(exports.adminPolicy.path)?.accountNoun;
      const own = this.#parts.filter(({ cloud }) => cloud === name);
      for (const account of new Set(own.map((part) => part.account))) {
        const parts = own.filter((part) => part.account === account);
        const merged = exports.adminPolicy.merge?.(account, parts);
        if (merged === undefined) continue;
        findings.push(...merged.findings);
        merged.documents.forEach((document, index) => {
          files.push({ path: `${name}/${account}/admin-policy-${index + 1}.json`, text: jsonFile(document) });
        });
        const count = counted(merged.documents.length, "policy");
        lines.push(`${noun} ${account}: ${count} for ${counted(parts.length, "package")}`);
      }
    }
    return { files, lines, findings };
  }

  #carryOut(path: string, files: readonly ExportedFile[], findings: readonly Finding[]) {
    const { check } = this.#how;
    const directories = this.#selection.places.map((place) => exportDirectory(path, place.directory));
    const how = { check, command: "ccf export with the same options" };
    const { changes, earlier, findings: ofDirectory } = writeExport(directories[0] ?? path, files, how);
    return { findings: [...earlier, ...findings, ...ofDirectory], count: changes.length };
  }
}
