import { afterEach, describe, expect, it, vi } from "vitest";
import {
  allPages,
  CloudError,
  endpointIn,
  Prefixes,
  pace,
  refusedRequest,
  Turns,
} from "../../../src/apply/requests.ts";

describe("an endpoint in the environment", () => {
  it.each<[value: string | undefined, endpoint: string | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["https://cloud.example/api/", "https://cloud.example/api"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["https://NAME.cloud.example", "https://NAME.cloud.example"],
  ])("%j is %j", (value, endpoint) => {
    expect(endpointIn("E", value === undefined ? {} : { E: value }, "NAME")).toBe(endpoint);
  });

  it.each(["http://cloud.example", "ftp://127.0.0.1", "cloud.example", "https://cloud.example?x=y", "https://["])(
    "%j is refused: access tokens would go there unprotected",
    (value) => {
      expect(() => endpointIn("E", { E: value })).toThrow(
        new CloudError("E must be an https URL; only on this machine it may be http."),
      );
    },
  );
});

describe("a list in pages", () => {
  const read = (pages: Readonly<Record<string, readonly [entries: readonly number[], next?: string]>>) =>
    allPages("GET x", async (from?: string) => {
      const [entries = [], next] = pages[from ?? ""] ?? [];
      return { entries, next };
    });
  const many = Array.from({ length: 100_000 }, (_, index) => index);

  it("is read to its last page, but not for ever", async () => {
    expect(await read({ "": [[1, 2], "a"], a: [[], "b"], b: [[3]] })).toEqual([1, 2, 3]);
    await expect(read({ "": [[1], "a"], a: [[2], "a"] })).rejects.toThrow(/^GET x: the list does not end, /);
  });

  it("is not longer than what fits into the memory", async () => {
    expect(await read({ "": [many, "a"], a: [many] })).toHaveLength(200_000);
    const longer = read({ "": [many, "a"], a: [many, "b"], b: [[1]] });
    await expect(longer).rejects.toThrow("the list is longer than 200000 entries or 1000 pages");
    const pages = (count: number) => {
      let left = count;
      return allPages("GET x", async () => ({ entries: [left--], next: left > 0 ? left : undefined }));
    };
    expect(await pages(1000)).toHaveLength(1000);
    await expect(pages(1002)).rejects.toThrow("1000 pages");
  });
});

it.each([
  [{}, undefined, "GET x: 400."],
  [{ code: "Bad" }, undefined, "GET x: 400 Bad."],
  [{ code: "Bad", message: "Bad\nmore" }, "Fix it.", "GET x: 400 Bad. Fix it."],
  [{ message: "No.", requestId: "7" }, undefined, "GET x: 400 No. Request ID 7."],
])("an error names what the cloud said: %j", (said, fix, message) => {
  const whole = { status: 400, code: "", message: "", requestId: "", ...said };
  expect(refusedRequest("GET x", whole, fix).message).toBe(message);
});

describe("packages of one run", () => {
  const demo = { prefix: "demo", mark: "owned" };
  const team = { prefix: "demo", mark: "workloads/shop" };
  const role = (name: string, a = 1) => ({ kind: "role", id: name, name, body: { a } });

  it("with one resource prefix are refused in one account, unless they want the same", () => {
    const prefixes = new Prefixes();
    prefixes.add("account 1", demo, [role("x")]);
    prefixes.add("account 1", demo, [role("x")]);
    prefixes.add("account 2", demo, [role("x", 2)]);
    prefixes.add("account 1", { prefix: "other", mark: "owned" }, [role("y")]);
    expect(() => prefixes.add("account 1", demo, [role("x", 2)])).toThrow(
      /^Another of these packages has the resource prefix demo in the account 1, too\./,
    );
  });

  it("may be that of a cluster and those of teams, if they make different resources", () => {
    const prefixes = new Prefixes();
    prefixes.add("account 1", team, [{ ...role("provider"), shared: true }, role("cart")]);
    prefixes.add("account 1", demo, [role("provider"), role("x")]);
    expect(() => prefixes.add("account 1", { prefix: "demo", mark: "workloads/pay" }, [role("cart")])).toThrow(
      /^Another of these packages makes the role cart in the account 1, too\./,
    );
  });
});

describe("requests that a cloud limits", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("wait for their turn, each kind for its own", async () => {
    vi.useFakeTimers();
    const turns = new Turns(2);
    const sent: string[] = [];
    for (const what of ["a", "a", "b"]) void turns.wait(what).then(() => sent.push(what));
    await vi.advanceTimersByTimeAsync(pace.second / 2 - 1);
    expect(sent).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(["a", "b", "a"]);
  });
});
