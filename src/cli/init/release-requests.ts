import type { PlatformQuestions } from "../../clouds/questions.ts";
import type { Finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { filterFor, minorOf, type ReleaseFilter } from "../../requests/release-filter.ts";
import { selectRequests } from "../../requests/select.ts";
import { undecidedFinding } from "../../requests/undecided.ts";
import type { FlagsOf } from "../definition.ts";
import { type Requests, readRequests, requestFilesIn, requestsFor } from "../files/request-files.ts";
import { online } from "../online.ts";
import { refuseImageFlags } from "../release/flags.ts";
import {
  factsOfExtract,
  filesAbout,
  type ReleaseFacts,
  readReleaseFacts,
  refuseTakenNames,
} from "../release/release-directory.ts";
import type { Extract } from "../release/release-payload.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeNotes } from "../terminal/output.ts";
import type { initCommand as definition } from "./definition.ts";

/** The requests of a new package, and what is known about their release. */
export interface ReleaseRequests extends Pick<Requests, "items" | "count" | "others"> {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Major and minor version. */
  readonly version: string | undefined;
  /** Warnings about requests of which it is unknown whether the release has them. */
  readonly findings: readonly Finding[];
}

/** The requests of a package without requests. */
export const noRequests: ReleaseRequests = {
  files: new Map(),
  items: [],
  count: 0,
  others: 0,
  version: undefined,
  findings: [],
};

/** The release of `--release`, read before any question is asked: an answer is worth nothing without it. */
export interface ReleaseOfImage {
  /** The option with its value, for messages. */
  readonly named: string;
  readonly extract: Extract;
}

/**
 * Reads the release of `--release`; undefined without the flag.
 *
 * @throws UsageError if other flags contradict it.
 */
export async function releaseImage(values: FlagsOf<typeof definition>): Promise<ReleaseOfImage | undefined> {
  const { release, only, "credentials-requests": directory } = values;
  if (release === undefined) {
    refuseImageFlags(values);
    return undefined;
  }
  if (directory !== undefined)
    throw new UsageError("--release and --credentials-requests both name requests; omit one of them");
  if (only === "issuer") throw new UsageError("--release has no effect with --only issuer; omit it");
  const { readExtract, verifiedLine } = await online.releaseReader();
  const { image, extract } = await readExtract({ from: { release }, arch: "amd64", providerKind: undefined }, values);
  writeNotes(2, [verifiedLine(image)]);
  return { named: `--release ${quote(release)}`, extract };
}

/** Reads the requests of a release for a new package, with the feature gates of the release. */
export function requestsOf(
  from: string,
  directory: string,
  cloud: PlatformQuestions,
  filter: ReleaseFilter,
): ReleaseRequests {
  const read = readRequests(from, directory, cloud);
  const named = `--credentials-requests ${quote(from)}`;
  return withGates(named, read, readReleaseFacts(named, from), cloud, filter);
}

/** The same for a release that was read from its image. */
export function requestsOfImage(
  { named, extract }: ReleaseOfImage,
  cloud: PlatformQuestions,
  filter: ReleaseFilter,
): ReleaseRequests {
  const read = requestsFor(named, requestFilesIn(named, extract.files), cloud);
  return withGates(named, read, factsOfExtract(extract), cloud, filter);
}

function withGates(
  named: string,
  read: Requests,
  facts: ReleaseFacts,
  cloud: PlatformQuestions,
  filter: ReleaseFilter,
): ReleaseRequests {
  refuseTakenNames(named, read.files.keys());
  const own = filterFor(filter, facts);
  const { undecided, release } = selectRequests(read.all, own, cloud.providerKind);
  return {
    ...read,
    files: new Map<string, string | Uint8Array>([...read.files, ...filesAbout(read.all, own, facts)]),
    version: facts.version === undefined ? undefined : minorOf(facts.version),
    findings: undecided.map((one) => undecidedFinding(one, release)),
  };
}
