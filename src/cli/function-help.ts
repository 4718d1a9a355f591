import type { KrmFunction } from "../krm/function.ts";

/** What `ccf FUNCTION --help` prints. */
export function functionHelp({ name, summary }: KrmFunction): string {
  return `${name}: ${summary}

A KRM function: it reads a ResourceList on standard input and writes one to standard output. It needs no network, no
file and no environment. Its configuration is a ClusterIdentity, as functionConfig or among the items.

Usage:
  ccf ${name} < LIST

Examples:
  kpt fn source DIR | ccf ${name} | kpt fn sink OUT
  kpt fn eval DIR --exec "ccf ${name}"
  ccf render DIR`;
}
