import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import type { Finding } from "../../core/finding.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Value } from "../../core/resource.ts";
import { compareText, printable, quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, secretKeyOf } from "../../requests/credentials-request.ts";
import { readRequestDirectory } from "../files/request-files.ts";

/** The requests of releases: where each is from, by its value. */
export type Releases = ReadonlyMap<string, string>;

/**
 * Reads the requests of releases, each from a directory and those below it.
 * @throws UsageError
 */
export function readReleases(directories: readonly string[]): Releases {
  const releases = new Map<string, string>();
  for (const directory of directories) {
    const { items } = readRequestDirectory(`--credentials-requests ${quote(directory)}`, directory);
    for (const item of items.filter(isCredentialsRequest)) releases.set(canonicalJson(item.value()), directory);
  }
  return releases;
}

/** A warning of a rule about a request that is exactly as in a release. Who maintains a package cannot fix it there. */
export interface ReleaseFinding {
  readonly finding: Finding;
  /** The directory of the release, as the command line names it. */
  readonly release: string;
  /** The name of the request's Secret, by which an acceptance names it. */
  readonly object: string;
}

const ruleCodes: ReadonlySet<string> = new Set(rulesFor(...inspectors).map(({ code }) => code));

/**
 * Finds the warnings that a release brings: not those of a request that was changed, and not those of the functions, which depend
 * on the rest of the package.
 */
export function releaseFindings(
  findings: readonly Finding[],
  items: readonly Item[],
  releases: Releases,
): ReleaseFinding[] {
  if (releases.size === 0) return [];
  const requests = new Map(items.filter(isCredentialsRequest).map((item) => [`${item.path} ${item.index}`, item]));
  const releaseOf = new Map<Item, string | undefined>();
  return findings.flatMap((finding) => {
    const { severity, code, file, resource } = finding;
    if (severity !== "warning" || !ruleCodes.has(code) || resource?.kind !== "CredentialsRequest") return [];
    const item = requests.get(`${file?.path} ${file?.index}`);
    if (item === undefined) return [];
    if (!releaseOf.has(item)) releaseOf.set(item, releases.get(canonicalJson(item.value())));
    const [release, object] = [releaseOf.get(item), secretKeyOf(item.value())];
    return release === undefined || object === undefined ? [] : [{ finding, release, object }];
  });
}

/** Collects the findings of releases in many packages. */
export class ReleaseSummary {
  readonly #found = new Map<string, { objects: Set<string>; packages: Set<string> }>();

  add(directory: string, findings: readonly ReleaseFinding[]): void {
    for (const { finding, release, object } of findings) {
      const key = JSON.stringify([release, finding.code]);
      const one = this.#found.get(key) ?? { objects: new Set(), packages: new Set() };
      one.objects.add(object);
      one.packages.add(directory);
      this.#found.set(key, one);
    }
  }

  /** One line for each release and rule. */
  lines(): string[] {
    return [...this.#found]
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, { objects, packages }]) => {
        const [release = "", code = ""] = JSON.parse(key) as string[];
        const where = packages.size === 1 ? "" : `, in ${packages.size} packages`;
        const names = listed([...objects].sort(compareText), maxObjects);
        return printable(`warning: ${release}: unchanged requests of the release: ${names}${where} [${code}]`);
      });
  }
}

const maxObjects = 8;

/** The entries of `spec.accept` for findings of releases, each once. */
export function acceptances(findings: readonly ReleaseFinding[], reason: string): Value[] {
  const keys = new Set(findings.map(({ finding: { code }, object }) => JSON.stringify([code, object])));
  return [...keys].sort(compareText).map((key) => {
    const [rule = "", object = ""] = JSON.parse(key) as string[];
    return { rule, object, reason };
  });
}
