import type { AwsConnection } from "../../src/clouds/aws/apply/client.ts";
import { changes, send, serviceException } from "../helpers/amazon/api.mjs";
import { publicRead } from "../helpers/amazon/public.mjs";
import { stateOf, usualSettings } from "../helpers/amazon/state.mjs";
import type { Seed, Settings, State, World } from "../helpers/amazon/types.ts";

/**
 * How a request fails, as the SDK shows it when it gives up. Before its effect: `throttled`, `unavailable`, `reset-before`.
 * After it: `reset-after`, `cut` (a part of the answer arrives), `timed-out`, `failed-after`. `repeated`: the first answer
 * is lost, and the SDK sends the request again.
 */
export type AwsFault =
  | "throttled"
  | "unavailable"
  | "reset-before"
  | "reset-after"
  | "cut"
  | "timed-out"
  | "failed-after"
  | "repeated";

/** What the SDK returns. */
export type SdkOutput = Record<string, unknown>;

/** A request that the stand-in received. */
export interface AwsRequest {
  /** `iam:GetRole`. */
  readonly call: string;
  readonly input: Record<string, unknown>;
  readonly changes: boolean;
}

/** AWS, in this process: it keeps the state of an account, and can fail at any request. */
export class AwsCloud {
  readonly world: World = {
    state: stateOf({}),
    settings: usualSettings(),
    region: "us-east-2",
    policy: undefined,
    used: new Set(),
  };
  readonly received: AwsRequest[] = [];
  /** What everyone read without credentials. */
  readonly fetched: string[] = [];
  /** What is published elsewhere, by URL. */
  readonly elsewhere = new Map<string, string>();
  /** What happens to the request with this number, from 0; it happens once, unless the fault is lasting. */
  fault: { readonly at: number; readonly how: AwsFault; readonly lasting?: boolean } | undefined;
  /** Runs before each request is answered; what it throws is the answer. */
  before: (request: AwsRequest) => void = () => undefined;
  /** What the SDK returns instead of what the stand-in answers, if anything. @param answer lets the stand-in answer. */
  instead: (request: AwsRequest, answer: () => SdkOutput) => SdkOutput | undefined = () => undefined;

  get state(): State {
    return this.world.state;
  }

  /** Starts again from a state. */
  reset(seed: Seed = {}, settings: Partial<Settings> = {}): void {
    this.world.state = stateOf(seed);
    this.world.settings = { ...usualSettings(), ...settings };
    this.world.region = "us-east-2";
    this.world.policy = undefined;
    this.world.used.clear();
    this.received.length = 0;
    this.fetched.length = 0;
    this.elsewhere.clear();
    this.fault = undefined;
    this.before = () => undefined;
    this.instead = () => undefined;
  }

  /** For an engine in this process. */
  connection(): AwsConnection {
    return {
      send: async (call, input) => {
        const number = this.received.length;
        const request = { call, input, changes: changes(call) };
        this.received.push(request);
        this.before(request);
        const instead = this.instead(request, () => this.#answer(request));
        if (instead !== undefined) return instead;
        const { fault } = this;
        const isFaulty = fault !== undefined && (fault.lasting ? number >= fault.at : number === fault.at);
        return isFaulty ? this.#fail(request, fault.how) : this.#answer(request);
      },
      fetch: async (url) => {
        this.fetched.push(url);
        const text = this.elsewhere.get(url);
        return text === undefined ? publicRead(this.world, url) : { status: 200, text };
      },
    };
  }

  /** The requests that change something, as `iam:CreateRole`. */
  changing(): string[] {
    return this.received.filter((one) => one.changes).map(({ call }) => call);
  }

  #answer({ call, input }: AwsRequest): SdkOutput {
    const answer = send(this.world, call, input);
    return { ...answer, $metadata: { httpStatusCode: 200, requestId: `request-${this.received.length}` } };
  }

  #fail(request: AwsRequest, how: AwsFault): SdkOutput {
    if (how === "throttled") throw serviceException("Throttling", "Rate exceeded", 400);
    if (how === "unavailable") throw serviceException("ServiceUnavailable", "Please reduce your request rate.", 503);
    if (how === "reset-before") throw lost("Error", "read ECONNRESET");
    const first = this.#answered(request);
    if (how === "repeated") return this.#answer(request);
    if (how === "failed-after") throw serviceException("InternalError", "We encountered an internal error.", 500);
    if (how === "timed-out") throw lost("TimeoutError", "socket hang up");
    if (how === "cut" && first === undefined) return this.#answer(request);
    if (how === "cut") {
      const $metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };
      throw Object.assign(new Error('@aws-sdk XML parse error: expected ">" not found.\n  Deserialization error'), {
        $metadata,
      });
    }
    throw lost("Error", "read ECONNRESET");
  }

  /** The answer to a request that was carried out; undefined if it was refused. */
  #answered(request: AwsRequest): SdkOutput | undefined {
    try {
      return this.#answer(request);
    } catch (error) {
      if (error instanceof Error && "$metadata" in error) return undefined;
      throw error;
    }
  }
}

/** An error without an answer. */
function lost(name: string, message: string): Error {
  return Object.assign(new Error(message), { name, $metadata: { attempts: 3, totalRetryDelay: 0 } });
}
