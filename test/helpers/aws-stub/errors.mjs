// The ways in which a call fails, and how the AWS CLI reports them.
import { AwsError, NotCovered } from "../amazon/errors.mjs";

/** The CLI refuses a call, and sends nothing. */
export class ClientError extends Error {
  /** @param {"usage" | "unknown" | "parameters" | "connection"} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// The two versions differ here. Version 1 exits with 2 only for errors of its argument parser.
const statuses = {
  1: { usage: 2, unknown: 255, parameters: 255, connection: 255, service: 255 },
  2: { usage: 252, unknown: 252, parameters: 252, connection: 255, service: 254 },
};

const usage = [
  "usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]",
  "To see help text, you can run:",
  "",
  "  aws help",
  "  aws <command> help",
  "  aws <command> <subcommand> help",
].join("\n");

/** HEAD has no body, so the CLI knows only the status. @type {Record<string, [string, string]>} */
const withoutBody = {
  AccessDenied: ["403", "Forbidden"],
  NoSuchBucket: ["404", "Not Found"],
  NoSuchKey: ["404", "Not Found"],
  ServiceUnavailable: ["503", "Service Unavailable"],
};

/**
 * What the CLI prints, and its exit code.
 *
 * @param {unknown} error @param {string} operation @param {1 | 2} cli
 * @returns {{ status: number, stderr: string }}
 */
export function told(error, operation, cli) {
  if (error instanceof AwsError) {
    const [code, message] = (operation.startsWith("Head") && withoutBody[error.code]) || [error.code, error.message];
    const retried = error.code === "ServiceUnavailable" ? " (reached max retries: 4)" : "";
    return {
      status: statuses[cli].service,
      stderr: `\nAn error occurred (${code}) when calling the ${operation} operation${retried}: ${message}\n`,
    };
  }
  if (error instanceof ClientError) {
    const { kind, message } = error;
    const said =
      kind === "usage"
        ? `${usage}\naws: error: ${message}`
        : kind === "unknown"
          ? `${usage}\n\nUnknown options: ${message}`
          : `\n${message}`;
    return { status: statuses[cli][kind], stderr: `${said}\n` };
  }
  // This must not look like a response of AWS.
  const message = error instanceof NotCovered ? error.message : error instanceof Error ? error.stack : String(error);
  return { status: 70, stderr: `aws stand-in: ${message}\n` };
}
