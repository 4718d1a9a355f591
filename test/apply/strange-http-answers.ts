import type { CapturedAnswer, Instead } from "../helpers/captured.ts";
import type { Trial } from "./strange-answers.ts";

/** A request that a stand-in received over HTTP. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly changes: boolean;
}

/** A cloud over HTTP, in this process. */
interface HttpCloud {
  readonly received: Asked[];
  /** What is answered instead of what the cloud answers, if anything. */
  instead(asked: Asked): Instead | undefined;
}

/** An answer of the cloud. */
interface Recorded {
  readonly call: string;
  readonly url: string;
  readonly answer: CapturedAnswer;
}

/** What a cloud must know to give strange answers. */
export interface Strange {
  readonly cloud: HttpCloud;
  /** The call of a request: the same for all resources of a kind. */
  callOf(asked: Asked): string;
  /** A page of a list that is followed by itself; undefined for an answer that is not a list. */
  endless(url: string, body: string): string | undefined;
}

/** Strange answers over HTTP. Requests that change something have their effect, or not. */
export function strangeHttp(strange: Strange): Pick<Trial, "received" | "record" | "answers"> {
  const { cloud, callOf } = strange;
  const recorded: Recorded[] = [];
  return {
    received: () => cloud.received.map((asked) => ({ call: callOf(asked), changes: asked.changes })),
    record() {
      recorded.length = 0;
      cloud.instead = (asked) => ({
        type: "",
        body: (answer) => {
          recorded.push({ call: callOf(asked), url: asked.url, answer });
          return answer.body;
        },
        isCarriedOut: true,
        keepsHeaders: true,
      });
    },
    answers(call) {
      const all = [...answersTo(strange, call, recorded)].flatMap(([name, one]): [string, Instead][] =>
        one.isCarriedOut
          ? [[name, one]]
          : [
              [name, one],
              [`${name}, carried out`, { ...one, isCarriedOut: true }],
            ],
      );
      const changes = cloud.received.some((asked) => callOf(asked) === call && asked.changes);
      const tried = changes ? all : all.filter(([name]) => !name.endsWith(", carried out"));
      const begin = (instead: Instead) => () => {
        cloud.instead = (asked) => (callOf(asked) === call ? instead : undefined);
      };
      return new Map(tried.map(([name, one]) => [name, begin(one)]));
    },
  };
}

const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>";
const json = "application/json; charset=utf-8";

/** Answers that say nothing, by what they are. Those of the cloud itself are taken from a run without them. */
function answersTo({ endless }: Strange, call: string, recorded: readonly Recorded[]): Map<string, Instead> {
  const own = recorded.filter((one) => one.call === call);
  const isLike = (one: Recorded) => one.answer.body.length > 40 && own.every((each) => isJson(each) === isJson(one));
  const other = recorded.find((one) => one.call !== call && isLike(one));
  const [first] = own;
  const another = own.find(({ url }) => url.replace(/\?.*/, "") !== first?.url.replace(/\?.*/, ""));
  const pages = first && endless(first.url, first.answer.body.toString("utf8"));
  const like = (answer: CapturedAnswer, body: string | Buffer): Instead => {
    return { status: answer.status, type: answer.headers["content-type"] ?? "", body: () => body };
  };
  const half = ({ body }: CapturedAnswer) => body.subarray(0, Math.floor(body.length / 2));
  return new Map<string, Instead>([
    ["empty", { status: 200, type: "", body: () => "" }],
    ["{}", { status: 200, type: json, body: () => "{}" }],
    ["[]", { status: 200, type: json, body: () => "[]" }],
    ["an error", { status: 200, type: json, body: () => '{"error":{"code":404,"message":"not found"}}' }],
    ["a page", { status: 200, type: "text/html", body: () => page }],
    ["a page, not found", { status: 404, type: "text/html", body: () => page }],
    ["nothing, not found", { status: 404, type: "", body: () => "" }],
    ["half", { type: json, body: half, isCarriedOut: true, keepsHeaders: true }],
    ...(other === undefined ? [] : [["of another call", like(other.answer, other.answer.body)] as const]),
    ...(another === undefined ? [] : [["of another resource", like(another.answer, another.answer.body)] as const]),
    ...(first === undefined || pages === undefined ? [] : [["endless", like(first.answer, pages)] as const]),
  ]);
}

function isJson({ answer }: Recorded): boolean {
  return answer.headers["content-type"]?.includes("json") === true;
}
