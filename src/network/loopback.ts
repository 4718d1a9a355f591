/** Whether a host, as a URL has it, is this machine: only such a host may be asked without TLS. */
export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
