import { describe, expect, it } from "vitest";
import { checkProxies, lostAnswer } from "../../../src/apply/lost-answers.ts";
import { CloudError } from "../../../src/apply/requests.ts";

describe("the error of a lost answer", () => {
  it("says that the effect of a change is not known", () => {
    expect(lostAnswer("PUT /x", { url: "" }, new Error("it is cut off")).message).toBe(
      "PUT /x failed: it is cut off. It is not known whether it had an effect. Run the same command again.",
    );
    expect(lostAnswer("GET /x", { isRead: true }, new Error("it is cut off")).message).toBe(
      "GET /x failed: it is cut off. Run the same command again.",
    );
  });

  it("of a cloud stays as it is", () => {
    const error = new CloudError("known", "code");
    expect(lostAnswer("GET /x", {}, error)).toBe(error);
  });
});

it("a proxy that is not a URL is an error of the cloud's client", () => {
  expect(() => checkProxies({ HTTPS_PROXY: "http://" })).toThrow(CloudError);
  expect(() => checkProxies({ HTTPS_PROXY: "http://" })).toThrow(/^HTTPS_PROXY is not a URL\. Set it to a URL/);
  checkProxies({ HTTPS_PROXY: "proxy.example:3128" });
});
