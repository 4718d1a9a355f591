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

const topic = "packages";

/** The flags that select packages. */
export const fleetFlags = {
  recursive: {
    value: "ROOT",
    path: "directory",
    text: "select every package in a directory, at any depth",
    topic,
  },
  touched: {
    value: "FILE",
    path: "file",
    text: 'select only packages that contain a path of FILE, or "-" for standard input: one path on each line, as "git diff --name-only --no-renames" prints them',
    topic,
  },
  shared: {
    value: "PATH",
    path: "file",
    many: true,
    text: "with --touched: select all packages if a path of FILE is PATH or is inside it; may be repeated",
    topic,
  },
  selector: {
    short: "l",
    value: "SELECTOR",
    text: 'select only packages whose labels match, such as "wave=1,owner!=ads"; as with kubectl',
    topic,
  },
  shard: {
    value: "I/N",
    text: "select part I of N, from 1 to N; each package is in exactly one part",
    topic,
  },
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
