import type { Plan } from "../../apply/plan.ts";
import { inParallel } from "../../apply/requests.ts";
import type { Access, State } from "../../apply/resource.ts";
import { compareClusters } from "../fleet/compare-clusters.ts";
import { Progress } from "../fleet/each-package.ts";
import type { Place, Selection } from "../fleet/select-packages.ts";
import { type Failure, FindingsError, failureOf, UsageError } from "../terminal/errors.ts";
import { writeFindings } from "../terminal/output.ts";
import type { accessFlags } from "./flags.ts";
import { asFinding, type Opened, Opener, OtherApplier } from "./open-package.ts";

/** A package with what is planned for it. */
export interface PlannedRead {
  readonly directory: string;
  readonly opened: Opened;
  readonly value: Plan;
}

/** The same, or why a package could not be read. */
export type Read = PlannedRead | { readonly directory: string; readonly failure: Failure; readonly opened?: Opened };

/** What was read of packages. */
export interface Reads {
  /** In the order of the selection. */
  readonly reads: readonly Read[];
  /** The directories of the packages that the command leaves to another program. */
  readonly skipped: readonly string[];
}

/** How to read packages. */
export interface ReadHow {
  readonly command: string;
  readonly jobs: string;
  readonly quiet: boolean;
  readonly fetch: boolean;
  readonly access: Access;
  /** Whether a package that another program applies is skipped. Otherwise, it is a failure. */
  readonly skips: boolean;
}

/** What a command does for each package, besides reading it. */
export interface Besides {
  /** Before the cloud of an opened package is read. What it throws is the failure of the package, and the cloud is not read. */
  readonly before: (opened: Opened) => void;
  /** As soon as the package was read or has failed. */
  readonly after: (read: Read) => void;
}

/**
 * Opens and reads packages, some at a time, in the order of the selection. What several packages of one account read is read
 * once. A failure concerns only its own package. Of two packages of one cluster, neither is opened: one would replace what the
 * other uses.
 */
export async function readTargets(
  selection: Selection,
  { command, jobs, quiet, fetch, access, skips }: ReadHow,
  plan: (opened: Opened, state: State) => Plan | Promise<Plan>,
  besides?: Besides,
): Promise<Reads> {
  const { places } = selection;
  const opener = new Opener(command, access);
  const comparison = compareClusters(selection);
  writeFindings(comparison.unreadFindings);
  const progress = new Progress(places.length, quiet);
  let done = 0;
  const readOne = async (place: Place): Promise<Read | undefined> => {
    const { directory } = place;
    let opened: Opened | undefined;
    try {
      const conflicts = comparison.of(place).filter(({ severity }) => severity === "error");
      if (conflicts.length > 0) throw new FindingsError(conflicts);
      opened = await opener.open(place);
      besides?.before(opened);
      const { target } = opened;
      progress.show(done, directory);
      await target.check();
      const state = await target.read({
        fetch,
        progress: (count, total) => progress.show(done, `${directory}: reading ${count} of ${total}`),
      });
      return { directory, opened, value: await plan(opened, state) };
    } catch (error) {
      if (skips && error instanceof OtherApplier) return undefined;
      return { directory, failure: failureOf(asFinding(error)), ...(opened === undefined ? {} : { opened }) };
    } finally {
      done++;
    }
  };
  const reads = await inParallel(places, readJobs(jobs), async (place) => {
    const read = await readOne(place);
    if (read !== undefined) besides?.after(read);
    return read;
  });
  progress.clear();
  const skipped = places.filter((_, index) => reads[index] === undefined).map(({ directory }) => directory);
  return { reads: reads.filter((read) => read !== undefined), skipped };
}

/** What the flags of a command say of its requests. */
export function accessOf(
  values: { readonly [Name in keyof typeof accessFlags]: string | undefined } & {
    readonly "remove-tag"?: readonly string[];
    readonly "delete-roles"?: boolean;
  },
): Access {
  const { "assume-role": assumeRole, "external-id": externalId, "impersonate-service-account": impersonate } = values;
  if (externalId !== undefined && assumeRole === undefined)
    throw new UsageError("--external-id requires --assume-role");
  const { "remove-tag": removeTags = [], "delete-roles": deleteRoles = false } = values;
  return { environment: process.env, assumeRole, externalId, impersonate, removeTags, deleteRoles };
}

/** The value of `--jobs`. */
export function readJobs(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError("--jobs must be a number from 1 to 99");
  return Number(text);
}
