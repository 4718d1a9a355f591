import { CloudError, pause } from "../../../apply/requests.ts";
import type { Once } from "../../../apply/state-reader.ts";
import { textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { nameOf, refusedBy } from "./answers.ts";
import type { AwsConnection, Call } from "./client.ts";

/** What a caller expects of a request. */
export interface Expected {
  /** The codes that are answers: the result is undefined. */
  readonly expect?: RegExp;
  /** Codes and messages that something new causes for a while: repeated for some minutes. */
  readonly repeat?: RegExp;
}

/** How long an error is repeated that something new causes, in seconds: IAM documents no limit, minutes are seen. */
const settling = 240;
/** What another change of the same resource causes. */
const busy = /^(ConcurrentModification|OperationAborted|ConditionalRequestConflict)\b/;

/** Sends requests to AWS. */
export class AwsClient {
  readonly connection: AwsConnection;
  /** What was read once of the account, so that several packages read it once, in whatever region. */
  readonly once: Once;

  constructor(connection: AwsConnection, once: Once) {
    this.connection = connection;
    this.once = once;
  }

  /**
   * Resolves to plain values: dates are texts.
   *
   * @throws CloudError that names the request, and the code, the message and the ID of AWS's answer.
   */
  async send(call: Call, input: ValueMap, { repeat }: Pick<Expected, "repeat"> = {}): Promise<ValueMap> {
    for (let tries = 0, waited = 0; ; tries++) {
      try {
        return JSON.parse(
          JSON.stringify(await this.connection.send(call, input as Record<string, unknown>)),
        ) as ValueMap;
      } catch (error) {
        const refused = refusedBy(call, input, error);
        const said = `${refused.code}: ${refused.message}`;
        if (!(busy.test(said) || repeat?.test(said)) || waited >= settling) throw refused;
        const seconds = Math.min(2 ** tries, 15);
        waited += seconds;
        await pause(seconds);
      }
    }
  }

  /** Undefined if the code of the answer is expected: something does not exist, or exists already. */
  async ask(call: Call, input: ValueMap, { expect = /^$/, ...more }: Expected): Promise<ValueMap | undefined> {
    try {
      return await this.send(call, input, more);
    } catch (error) {
      if (error instanceof CloudError && error.code !== "" && expect.test(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * Reads all pages of a list. A page that cannot be read makes the whole list unknown.
   *
   * @param path of the list in an answer; its parent says whether there is more.
   * @param next the fields of the next request, and those of the answer that contain their values.
   */
  async list(
    call: Call,
    input: ValueMap,
    path: readonly string[],
    next: Readonly<Record<string, string>> = { Marker: "Marker" },
  ): Promise<Value[]> {
    const items: Value[] = [];
    let token: ValueMap | undefined = {};
    for (let page = 0; token !== undefined; page++) {
      const answer = await this.send(call, { ...input, ...token });
      const parent = valueAt(answer, path.slice(0, -1)) ?? {};
      const [isMore, list = []] = [valueAt(parent, ["IsTruncated"]), valueAt(answer, path)];
      // An answer of another form must not look like a list without items: that would mean that nothing exists.
      if (!Array.isArray(list) || page > 1000 || (isMore ?? valueAt(answer, path)) === undefined)
        throw new CloudError(`AWS's answer to ${nameOf(call)} is not a list.`);
      items.push(...list);
      token = undefined;
      if (isMore !== true) break;
      const entries = Object.entries(next).map(([field, from]) => [field, textAt(parent, [from])] as const);
      token = Object.fromEntries(entries.filter(([, text]) => text !== ""));
      if (Object.keys(token).length === 0) throw new CloudError(`AWS's answer to ${nameOf(call)} is cut off.`);
    }
    return items;
  }
}
