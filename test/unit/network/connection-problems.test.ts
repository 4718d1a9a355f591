import { describe, expect, it } from "vitest";
import {
  connectionProblem,
  invalidProxy,
  isConnectionError,
  proxyLogin,
  webPageCure,
} from "../../../src/network/connection-problems.ts";

const proxied = { HTTPS_PROXY: "http://kim:s3cret-password@proxy.example:3128" };
const url = "https://api.example/v1/x?token=1";

function failure(code: string, message = `it failed with ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

const extra =
  "Set NODE_EXTRA_CA_CERTS to a file with the CA certificate of the endpoint, or of the proxy that intercepts the connection.";
const direct = "Check the network. If it requires a proxy, set HTTPS_PROXY.";
const renewed = "Check the clock of this machine. If it is right, the certificate must be renewed.";

describe("a connection that failed", () => {
  it.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", extra, true],
    ["SELF_SIGNED_CERT_IN_CHAIN", extra, true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", extra, true],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", extra, true],
    ["CERT_HAS_EXPIRED", renewed, true],
    ["CERT_NOT_YET_VALID", renewed, true],
    ["ERR_TLS_CERT_ALTNAME_INVALID", direct, true],
    ["ENOTFOUND", direct, false],
    ["EAI_AGAIN", direct, false],
    ["ECONNREFUSED", direct, false],
    ["EPROTO", direct, false],
    ["ECONNRESET", `${direct} Run the same command again.`, false],
    ["ETIMEDOUT", `${direct} Run the same command again.`, false],
  ])("with %s says what to do", (code, cure, isLasting) => {
    expect(connectionProblem(failure(code), url, {})).toEqual({ said: `it failed with ${code}`, cure, isLasting });
    expect(isConnectionError(failure(code))).toBe(true);
  });

  it("says that the file of CA certificates lacks one", () => {
    const { cure } = connectionProblem(failure("SELF_SIGNED_CERT_IN_CHAIN"), url, { NODE_EXTRA_CA_CERTS: "/ca.pem" });
    expect(cure).toMatch(
      /^NODE_EXTRA_CA_CERTS must name a readable file that contains the CA certificate of the endpoint/,
    );
  });

  it("names the proxy without its user and password, and the host", () => {
    const { cure } = connectionProblem(failure("ECONNREFUSED"), url, proxied);
    expect(cure).toBe(
      "Check the proxy in HTTPS_PROXY (proxy.example:3128). If api.example needs no proxy, add it to NO_PROXY.",
    );
    const lower = connectionProblem(failure("ECONNREFUSED"), "", { https_proxy: "proxy.example:1" });
    expect(lower.cure).toBe(
      "Check the proxy in https_proxy (proxy.example:1). If the host needs no proxy, add it to NO_PROXY.",
    );
  });

  it.each([
    [{ SOME_ENDPOINT_URL_X: "https://api.example" }, "Check the endpoint in SOME_ENDPOINT_URL_X, and the network."],
    [{ SOME_ENDPOINT: "https://api.example/path" }, "Check the endpoint in SOME_ENDPOINT, and the network."],
    [{ SOME_AUTHORITY_HOST: "https://api.example/" }, "Check the endpoint in SOME_AUTHORITY_HOST, and the network."],
    [{ SOME_ENDPOINT: "https://other.example" }, "Check the network."],
    [{ SOME_URL: "https://api.example", IDENTITY_ENDPOINT: "https://api.example" }, "Check the network."],
  ])("names the variable of the endpoint: %j", (environment, start) => {
    const { cure } = connectionProblem(failure("ENOTFOUND"), url, environment);
    expect(cure).toBe(`${start} If it requires a proxy, set HTTPS_PROXY.`);
  });

  it("is found in an error that wraps it", () => {
    const inner = failure("ECONNREFUSED", "connect ECONNREFUSED ::1:1");
    const several = Object.assign(new AggregateError([inner], ""), { code: "ECONNREFUSED" });
    const wrapped = new Error("request to https://x/?secret=1 failed, reason: self-signed certificate");
    wrapped.cause = failure("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(connectionProblem(several, "", {})).toMatchObject({ said: "connect ECONNREFUSED ::1:1", cure: direct });
    expect(connectionProblem(wrapped, "", {})).toMatchObject({ said: "self-signed certificate", cure: extra });
  });

  it("by a proxy that hung up names the proxy", () => {
    const error = new Error("Proxy connection ended before receiving CONNECT response");
    expect(isConnectionError(error)).toBe(true);
    expect(connectionProblem(error, url, proxied).cure).toMatch(
      /^Check the proxy in HTTPS_PROXY .* Run the same command again\.$/,
    );
  });

  it.each(["No answer arrived in time.", "Error reading response as text: aborted"])("ends with: %s", (message) => {
    expect(connectionProblem(new Error(message), url, {}).cure).toBe(`${direct} Run the same command again.`);
  });

  it("is not an answer, and not an error of the program", () => {
    for (const error of [failure("403"), new TypeError("x is undefined"), failure("ERR_INVALID_ARG_TYPE"), undefined])
      expect(isConnectionError(error)).toBe(false);
  });
});

describe("a proxy that requires a login", () => {
  it.each([
    [{}, /^A proxy demands a user name and a password\. Set HTTPS_PROXY to http:\/\/USER:PASSWORD@HOST:PORT\.$/],
    [{ HTTPS_PROXY: "http://proxy.example:1" }, /^The proxy in HTTPS_PROXY \(proxy\.example:1\) demands a user name/],
    [proxied, /^The proxy in HTTPS_PROXY \(proxy\.example:3128\) does not accept the user name and the password/],
  ])("%#", (environment, text) => {
    expect(proxyLogin(environment)).toMatch(text);
    expect(proxyLogin(environment)).not.toMatch(/kim|s3cret/);
    expect(webPageCure(url, environment)).not.toMatch(/kim|s3cret/);
  });
});

it("a proxy must be a URL, which is not repeated", () => {
  for (const HTTPS_PROXY of ["http://kim:s3cret pass@proxy:x1", "http://", "kim:a/b@proxy"])
    expect(invalidProxy({ HTTPS_PROXY })).toMatch(
      /^HTTPS_PROXY is not a URL\. Set it to a URL such as http:\/\/proxy\.example\.com:3128; in a user name/,
    );
  for (const HTTPS_PROXY of ["", "proxy.example:3128", proxied.HTTPS_PROXY])
    expect(invalidProxy({ HTTPS_PROXY })).toBeUndefined();
});
