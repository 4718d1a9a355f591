import type { FlagsOf } from "../definition.ts";

/*
 * The argument and the flags of every command that accepts several packages.
 */

/** The packages that a command reads or changes. */
export const packagesArgument = {
  name: "DIR",
  text: "the package directories (default: the current directory)",
  optional: true,
  many: true,
  path: "directory",
} as const;

const group = "Several packages:";

/** The flags that select packages. */
export const fleetFlags = {
  recursive: {
    value: "ROOT",
    path: "directory",
    text: "select every package in a directory, at any depth",
    group,
  },
  touched: {
    value: "FILE",
    path: "file",
    text: 'select only packages that contain a path of FILE, or "-" for standard input: one path on each line, as "git diff --name-only --no-renames" prints them',
    group,
  },
  shared: {
    value: "PATH",
    path: "file",
    many: true,
    text: "with --touched: select all packages if a path of FILE is PATH or is inside it; may be repeated",
    group,
  },
  selector: {
    short: "l",
    value: "SELECTOR",
    text: 'select only packages whose labels match, such as "wave=1,owner!=ads"; as with kubectl',
    group,
  },
  shard: {
    value: "I/N",
    text: "select part I of N, from 1 to N; each package is in exactly one part",
    group,
  },
} as const;

const eachByItself = [
  "each package is processed by itself, and a failure does not stop the others;",
  "the exit code is 1 if a package failed, otherwise 2 if it is the exit code of a package;",
] as const;
const labels = "the labels are metadata.labels of the ClusterIdentity, and platform, account, and region;";
const lines = "-o json prints one JSON object for each package, on one line";

/** The help section of commands with {@link fleetFlags}. */
export const fleetSection = { "With several packages": [...eachByItself, labels, lines] } as const;

/** The same, of commands that compare the packages. */
export const comparedSection = {
  "With several packages": [
    ...eachByItself,
    "two packages of one cluster are an error, even if an option excludes one of them;",
    labels,
    lines,
  ],
} as const;

/** The values of {@link fleetFlags}. */
export type FleetFlags = FlagsOf<{ flags: typeof fleetFlags }>;

/** The values of a command line that selects one package. */
export const onePackage: FleetFlags = {
  recursive: undefined,
  touched: undefined,
  shared: [],
  selector: undefined,
  shard: undefined,
};

/** Whether a command line selects packages, however many it finds, instead of naming one. */
export function isFleet(
  directories: readonly string[],
  { recursive, touched, selector, shard, shared }: FleetFlags,
): boolean {
  return (
    directories.length > 1 ||
    recursive !== undefined ||
    touched !== undefined ||
    selector !== undefined ||
    shard !== undefined ||
    shared.length > 0
  );
}
