import { validators } from "../../../functions/validators.ts";
import { CloudError } from "../../apply/requests.ts";
import type { Access, Target } from "../../apply/resource.ts";
import { type Engine, engines } from "../../clouds/engines.ts";
import { cloudOfPath } from "../../clouds/index.ts";
import { applierIn, clusterFile, factsIn, fileIn } from "../../clouds/rendered.ts";
import { finding, hasError } from "../../core/finding.ts";
import { shellWord } from "../../core/shell.ts";
import { quote } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { redacted } from "../../network/secrets.ts";
import { requireDirectory } from "../files/paths.ts";
import type { FileChange } from "../files/write-files.ts";
import type { Place } from "../fleet/select-packages.ts";
import { type Package, readPackage, requirePackage } from "../package/package-files.ts";
import { withoutIds } from "../package/plan-ids.ts";
import { isExport, readExport } from "../package/read-export.ts";
import { planRender } from "../package/render-plan.ts";
import { renderedFiles } from "../package/rendered-files.ts";
import { FindingsError, throwErrors, UsageError } from "../terminal/errors.ts";

/** A package and its cloud. */
export interface Opened {
  readonly directory: string;
  /** The name of the ClusterIdentity; of an export, its resource prefix. */
  readonly title: string;
  readonly isExport: boolean;
  /** The digest of the facts with which the package of a team was rendered; undefined for that of a cluster. */
  readonly facts: string | undefined;
  /** An interrupted run left something in the package that `ccf apply` finishes. */
  readonly isUnfinished: boolean;
  /** The packages inside it that are processed by themselves. */
  readonly inside: readonly string[];
  readonly target: Target;
}

/** Opens packages; those of one cloud share its engine. */
export class Opener {
  readonly #command: string;
  readonly #access: Access;
  readonly #engines = new Map<string, Promise<Engine>>();

  /** @param command its name, for messages. */
  constructor(command: string, access: Access) {
    this.#command = command;
    this.#access = access;
  }

  /**
   * Reads what was rendered, and makes sure that it is that. No request is made.
   *
   * @throws FindingsError if the package is not rendered, or the export was edited.
   */
  async open({ directory, inside }: Place): Promise<Opened> {
    requireDirectory(directory);
    const isExported = isExport(directory);
    const { files, name, isUnfinished }: Files = isExported
      ? { files: readExport(directory), name: undefined, isUnfinished: false }
      : this.#rendered(directory, inside);
    // A status only reads.
    if (this.#command !== "status" && applierIn(files) !== "Ccf") throw new OtherApplier(this.#command);
    const cluster = [...files.keys()].find((path) => path.endsWith(`/${clusterFile}`) && path.split("/").length === 2);
    const cloud = cluster === undefined ? undefined : cloudOfPath(cluster);
    if (cloud === undefined) throw new UsageError(`${quote(directory)} contains nothing that was rendered for a cloud`);
    if (engines[cloud.name] === undefined) throw new FindingsError([withoutEngine(cloud.title, this.#command)]);
    try {
      const target = (await this.#engine(cloud.name))(files);
      return {
        directory,
        title: name ?? target.prefix,
        isExport: isExported,
        facts: factsIn(fileIn(files, cluster ?? "")),
        isUnfinished,
        inside,
        target,
      };
    } catch (error) {
      throw asFinding(error);
    }
  }

  #engine(cloud: string): Promise<Engine> {
    const engine = this.#engines.get(cloud) ?? this.#load(cloud);
    this.#engines.set(cloud, engine);
    return engine;
  }

  async #load(cloud: string): Promise<Engine> {
    const open = await engines[cloud]?.();
    if (open === undefined) throw new Error(`no engine for ${cloud}`);
    return open(this.#access);
  }

  #rendered(directory: string, inside: readonly string[]): Files {
    const pkg = readPackage(directory, inside);
    requirePackage(pkg, (below) => `ccf ${this.#command} ${shellWord(below)}`);
    const cure = "run the same command again";
    const { files, findings, isUnfinished } = renderedFiles(pkg, false, {
      so: "nothing was read or changed in the cloud",
      cure,
      ...(this.#command === "apply" ? { accepts: (changes) => isIdsOnly(pkg, changes) } : {}),
    });
    throwErrors(findings);
    const identity = pkg.files.flatMap(({ items }) => items).find(isClusterIdentity);
    return { files: new Map(files.map(({ path, text }) => [path, text])), name: identity?.name, isUnfinished };
  }
}

/**
 * Whether a package lacks nothing but what follows from its stored IDs, as after an interrupted `ccf apply`: each file that
 * differs is what the package renders without them.
 */
function isIdsOnly(pkg: Package, changes: readonly FileChange[]): boolean {
  const former = withoutIds(pkg);
  if (former === undefined) return false;
  const { changes: others, findings } = planRender(former, {
    onlyOurs: false,
    validators,
    // In memory, the render takes back what follows from the IDs.
    allowed: new Set(["removal"]),
  });
  const differing = new Set(others.map(({ path }) => path));
  return !hasError(findings) && changes.every(({ path }) => !differing.has(path));
}

interface Files {
  readonly files: ReadonlyMap<string, string>;
  readonly name: string | undefined;
  readonly isUnfinished: boolean;
}

function withoutEngine(title: string, command: string) {
  const message = `ccf ${command} does not support ${title}. Run "ccf export", and use the tools of the cloud with the exported files.`;
  return finding("error", "cloud-without-engine", message);
}

/** Another program applies the package. Nothing was read or changed. */
export class OtherApplier extends FindingsError {
  constructor(command: string) {
    const message = `"spec.applier" is "Terraform", so ccf ${command} does not change the cloud. Apply the module that "ccf export --format terraform" writes.`;
    super([finding("error", "applier-other", message)]);
  }
}

/** An error of a cloud as a finding; any other error unchanged, except that its message contains no secret of the run. */
export function asFinding(error: unknown): unknown {
  if (!(error instanceof CloudError)) {
    if (error instanceof Error) error.message = redacted(error.message);
    return error;
  }
  const code =
    error.code === "account"
      ? "cloud-account-other"
      : error.code === "credentials"
        ? "cloud-credentials"
        : "cloud-request-failed";
  return new FindingsError([finding("error", code, error.message)]);
}
