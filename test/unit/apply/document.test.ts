import { afterEach, expect, it, vi } from "vitest";
import {
  changedMeanwhile,
  documentReading,
  hiddenDocument,
  hidingRule,
  type PublicAnswer,
  strangeIssuers,
  strangeKeys,
  waitUntilServed,
} from "../../../src/apply/document.ts";
import { CloudError, pace } from "../../../src/apply/requests.ts";
import { toy } from "../../helpers/toy-cloud.ts";

it("keys that all are unknown may be another cluster's", () => {
  expect(strangeKeys(["x", "y"], ["z"])).toEqual({
    reason:
      "none of the keys that it publishes is in the package (x, y), so it may be another cluster's; if the package replaces all keys, use --allow replace-key",
    allow: "replace-key",
  });
  expect([strangeKeys(["x", "y"], ["y"]), strangeKeys([], ["z"])]).toEqual([undefined, undefined]);
});

it("an identity that trusts only unknown issuers may be another cluster's", () => {
  expect(strangeIssuers(["x", "y"], ["z", undefined])).toEqual({
    reason:
      "it trusts only x, which is not an issuer of this package, so it may be another cluster's; if the package replaces its issuer, use --allow replace-issuer",
    allow: "replace-issuer",
  });
  expect([strangeIssuers(["x", "y"], ["y"]), strangeIssuers([], ["z"])]).toEqual([undefined, undefined]);
});

it("a document is read with what makes a change conditional, and why it is refused", () => {
  const live = { id: "a", value: {}, owner: "own" } as const;
  expect(documentReading(live, "", undefined)).toEqual({ state: "present", live });
  expect(documentReading(live, "e", { reason: "why" })).toEqual({
    state: "present",
    live: { ...live, etag: "e", refusal: { reason: "why" } },
  });
});

it.each<[what: string, answer: PublicAnswer | CloudError, kept: string | undefined]>([
  ["as it was written", { status: 200, text: "right" }, undefined],
  [
    "as something else",
    { status: 200, text: "wrong" },
    "everyone who reads it at X without credentials gets something else",
  ],
  ["not at all", { status: 403, text: "right" }, "everyone who reads it at X without credentials gets status 403"],
  [
    "without an answer",
    new CloudError("GET x: 503. Run the same command again."),
    "it could not be read at X without credentials (GET x: 503); to omit this check, use --no-fetch",
  ],
])("a document that everyone reads %s", async (_, answer, kept) => {
  const read = async () => {
    if (answer instanceof CloudError) throw answer;
    return answer;
  };
  const found = await hiddenDocument(toy("a"), " at X", read, (text) => text === "right");
  expect(found).toEqual(
    kept && expect.objectContaining({ kind: "toy", id: "a#public", name: "name-a", kept, breaksIssuer: true }),
  );
  expect(found?.unread).toBe(answer instanceof CloudError ? true : undefined);
});

it("a rule that deletes a document breaks the issuer", () => {
  expect(hidingRule(toy("a"), "7", "deletes keys.json")).toMatchObject({
    id: "a#lifecycle 7",
    kept: expect.stringMatching(/^its lifecycle rule 7 deletes keys\.json, /),
    breaksIssuer: true,
  });
});

it("a document that changed while it was written needs a new plan", () => {
  expect(changedMeanwhile("keys.json")).toEqual(
    new CloudError("keys.json changed while it was written. Run the same command again to see a new plan."),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

it.each<[what: string, answers: readonly (readonly [number, string])[], problem: string | undefined]>([
  [
    "after a while",
    [
      [200, "old"],
      [404, "new"],
      [200, "new"],
    ],
    undefined,
  ],
  [
    "too late",
    [
      [200, "old"],
      [200, "old"],
      [404, "new"],
      [200, "new"],
    ],
    "A was written, but everyone who reads it gets something else. Wait.",
  ],
])("a document that everyone reads %s", async (_, answers, problem) => {
  vi.useFakeTimers();
  const left = [...answers];
  const read = async () => {
    const [status = 200, text = ""] = left.shift() ?? [];
    return { status, text };
  };
  const served = waitUntilServed("A", read, (text) => text === "new", 2, "Wait.").then(
    () => undefined,
    ({ message }) => message,
  );
  await vi.advanceTimersByTimeAsync(3 * pace.second);
  expect(await served).toBe(problem);
});

it("a document whose answer is not known is not waited for", async () => {
  const read = async () => {
    throw new CloudError("GET A: 503.");
  };
  await expect(waitUntilServed("A", read, () => false, 0, "Wait.")).resolves.toBeUndefined();
});
