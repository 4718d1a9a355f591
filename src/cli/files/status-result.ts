import { readJson } from "../../core/json.ts";
import { isMap, textAt, type ValueMap } from "../../core/resource.ts";

/** What a status says of a package: whether the cloud matches it. */
export type Verdict = "in sync" | "drift" | "unknown";

/** What `ccf status` writes with `--result` or `--results`, for one package. */
export interface AppliedStatus {
  /** Digest of the wanted resources, whatever program rendered them. */
  readonly digest: string;
  readonly time: Date;
  readonly verdict: Verdict;
}

/** A result with all that its file says. */
export interface StatusResult {
  readonly status: AppliedStatus;
  readonly value: ValueMap;
}

/**
 * The result in the text of a file; undefined if it is not one. What writes results, and what relies on them, must agree: a file that
 * one of them does not recognize would keep an old result.
 */
export function statusResultIn(text: string): StatusResult | undefined {
  const json = readJson(text);
  if (!("value" in json) || !isMap(json.value)) return undefined;
  const { value } = json;
  const { digest, verdict } = value;
  const time = textAt(value, ["time"]);
  if (verdict !== "in sync" && verdict !== "drift" && verdict !== "unknown") return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) && !Number.isNaN(Date.parse(time));
  if (typeof digest !== "string" || !isTime) return undefined;
  return { status: { digest, time: new Date(time), verdict }, value };
}
