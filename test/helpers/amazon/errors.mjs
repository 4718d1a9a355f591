// The ways in which a request fails.

/** AWS refuses a request. */
export class AwsError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The stand-in does not know what AWS would do: a test must not pass on a guess. */
export class NotCovered extends Error {}
