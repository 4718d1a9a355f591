import type { KrmFunction } from "../krm/function.ts";

/** A command or a function in a list. */
interface Named {
  readonly name: string;
  readonly summary: string;
}

/** What `ccf --help` prints. */
export function mainHelp(commands: readonly Named[], functions: readonly Named[]): string {
  const width = Math.max(...[...commands, ...functions].map(({ name }) => name.length));
  const list = (all: readonly Named[]) =>
    all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
  return `Usage: ccf COMMAND [arguments] [options]
       ccf FUNCTION < LIST
       ccf help COMMAND

Render short-term cloud credentials for OpenShift and OKD into Git.

Commands:
${list(commands)}

KRM functions, which kpt and kustomize run on a ResourceList:
${list(functions)}

Examples:
  ccf init clusters/demo --platform aws --name demo --account-id 123456789012 --region us-east-2 \\
    --public-key-file serviceaccount-signer.public --credentials-requests credrequests/
  ccf render clusters/demo
  ccf export clusters/demo --output-dir out
  kpt fn source clusters/demo | ccf generate-cloud-credentials

Exit codes:
  0  success
  1  failure
  2  a negative answer: for example, --check found changes, or validate found problems
Functions exit with 0 or 1 only.

"ccf explain-finding CODE" explains a finding; docs/reference/findings.md explains all.`;
}

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
