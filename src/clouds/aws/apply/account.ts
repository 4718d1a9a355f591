import { strangeAnswer } from "../../../apply/lost-answers.ts";
import { allPages, CloudError, pause } from "../../../apply/requests.ts";
import type { Once } from "../../../apply/state-reader.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { callName, describedRequest, isRead, refusedBy } from "./answers.ts";
import type { AwsConnection, Call } from "./client.ts";
import { forms } from "./forms.ts";

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
        return checked(call, input, await this.connection.send(call, input as Record<string, unknown>));
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
  async ask(call: Call, input: ValueMap, more: Expected): Promise<ValueMap | undefined> {
    const answer = await this.answerOrCode(call, input, more);
    return typeof answer === "string" ? undefined : answer;
  }

  /** The answer, or its code if that is expected. */
  async answerOrCode(call: Call, input: ValueMap, { expect = /^$/, ...more }: Expected): Promise<ValueMap | string> {
    try {
      return await this.send(call, input, more);
    } catch (error) {
      if (error instanceof CloudError && error.code !== "" && expect.test(error.code)) return error.code;
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
    return allPages<Value, ValueMap>(callName(call), async (from = {}) => {
      const answer = await this.send(call, { ...input, ...from });
      const parent = valueAt(answer, path.slice(0, -1)) ?? {};
      const entries = listAt(answer, path);
      if (valueAt(parent, ["IsTruncated"]) !== true) return { entries, next: undefined };
      return { entries, next: markerIn(parent, next, callName(call)) };
    });
  }
}

/**
 * Where the next page begins: the fields of the next request.
 *
 * @param next those of the answer that contain their values.
 * @throws CloudError if the answer does not say where.
 */
export function markerIn(answer: Value, next: Readonly<Record<string, string>>, what: string): ValueMap {
  const entries = Object.entries(next).map(([field, from]) => [field, textAt(answer, [from])] as const);
  const marker = Object.fromEntries(entries.filter(([, text]) => text !== ""));
  if (Object.keys(marker).length === 0) throw new CloudError(`AWS's answer to ${what} is cut off.`);
  return marker;
}

/** An answer as plain values. @throws CloudError if it is not one that AWS gives to the call. */
function checked(call: Call, input: ValueMap, answer: Record<string, unknown>): ValueMap {
  const { $metadata = {}, ...output } = JSON.parse(JSON.stringify(answer)) as ValueMap;
  if (forms[call]({ output, input, requestId: textAt($metadata, ["requestId"]) })) return output;
  throw strangeAnswer(describedRequest(call, input), "AWS", { isRead: isRead(call) });
}
