import type { KrmFunction } from "../krm/function.ts";

/** What `ccf FUNCTION --help` prints. */
export function functionHelp({ name, summary }: KrmFunction): string {
  return `${name}: ${summary}

This KRM function reads a ResourceList from standard input and writes a ResourceList to standard
output. It does not use the network, files or environment variables. Its configuration is a
ClusterIdentity: the functionConfig, or one of the items.

Usage:
  ccf ${name} < LIST

Examples:
  kpt fn source DIR | ccf ${name} | kpt fn sink OUT
  kpt fn eval DIR --exec "ccf ${name}"
  ccf render DIR`;
}
