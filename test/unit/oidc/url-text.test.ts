import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { awsTokenLimits as limits } from "../../../src/clouds/aws/tokens/limits.ts";
import { urlProblem } from "../../../src/oidc/issuer-url.ts";
import { checkDocument, checkUrl, readKeysUrl } from "../../../src/oidc/published-issuer.ts";
import { runs } from "../../helpers/effort.ts";

const issuer = "https://oidc.example.com/demo";

describe("a URL that a parser would repair is refused", () => {
  it.each([
    ["https:///h", 'does not begin with "https://" and a host'],
    ["https://", 'does not begin with "https://" and a host'],
    ["https:/h", 'does not begin with "https://" and a host'],
    ["https:h", 'does not begin with "https://" and a host'],
    ["HTTPS://h", 'does not begin with "https://" and a host'],
    [" https://h", 'does not begin with "https://" and a host'],
    ["https:\\\\h\\x", 'does not begin with "https://" and a host'],
    ["https://h/x\n", "has white space or an invisible character"],
    ["https://h/\tx", "has white space or an invisible character"],
    ["https://h\r/x", "has white space or an invisible character"],
    ["https://h/x ", "has white space or an invisible character"],
    ["https://h/\u200bx", "has white space or an invisible character"],
    ["https://h/\u202ex", "has white space or an invisible character"],
    ["https://h\\x", "has a backslash"],
    ["https://h/x\\..\\y", "has a backslash"],
    ["https://exämple.com", "has a character that is not ASCII"],
    ["https://h/ä", "has a character that is not ASCII"],
    ["https://h。example", "has a character that is not ASCII"],
    ["https://u@h/x", "has a user name"],
    ["https://@h/x", "has a user name"],
    ["https://u:w@h/x", "has a user name"],
    ["https://Example.com/x", "has an uppercase letter in its host"],
    ["https://h./x", "a dot at its end"],
    ["https://h.", "a dot at its end"],
    ["https://h.:8443/x", "a dot at its end"],
    ["https://.h", "has an empty part in its host"],
    ["https://a..b", "has an empty part in its host"],
    ["https://h:443/x", "has the default port of https"],
    ["https://h:0443/x", "has the default port of https"],
    ["https://h:/x", "has the default port of https"],
    ["https://h:08443/x", 'is read as "https://h:8443/x"'],
    ["https://h/x#", "has a fragment"],
    ["https://h/../x", 'has "." or ".." in its path'],
    ["https://h/x/.", 'has "." or ".." in its path'],
    ["https://h/x/%2e%2E/y", 'has "." or ".." in its path'],
    ["https://h/x/.%2e?y", 'has "." or ".." in its path'],
    ["https://h/%", 'has a "%" that is not followed by two hexadecimal digits'],
    ["https://h/%4x", 'has a "%" that is not followed by two hexadecimal digits'],
    ["https://h/<x>", "has a character that must be percent-encoded"],
    ['https://h/"x"', "has a character that must be percent-encoded"],
    ["https://h/x|y", "has a character that must be percent-encoded"],
    ["https://h/x^y", "has a character that must be percent-encoded"],
    ["https://0x7f.1/x", 'is read as "https://127.0.0.1/x"'],
    ["https://127.1", 'is read as "https://127.0.0.1/"'],
    ["https://2130706433", 'is read as "https://127.0.0.1/"'],
    ["https://[0:0:0:0:0:0:0:1]/x", 'is read as "https://[::1]/x"'],
    ["https://%61.example/x", "has a percent-encoded character in its host"],
    ["https://%78n--a/x", "has a percent-encoded character in its host"],
    ["https://xn--/x", 'has a part in its host with nothing after "xn--"'],
    ["https://h.xn--/x", 'has a part in its host with nothing after "xn--"'],
    ["https://xn--.h", 'has a part in its host with nothing after "xn--"'],
    ["https://xn---/x", 'has a part in its host with nothing after "xn--"'],
    ["https://xn--a:08443/x", 'is read as "https://xn--a:8443/x"'],
    ["https://xxx.xn--a:08443/x", 'is read as "https://xxx.xn--a:8443/x"'],
    ["https://h:99999/x", "is not a URL"],
    ["https://a b/x", "has white space"],
  ])("%j", (text, problem) => {
    expect(urlProblem(text)).toContain(problem);
    expect(checkUrl(text, limits).status).toBe("failed");
    expect(readKeysUrl(text, issuer, limits)).toHaveProperty("problem");
    expect(checkDocument(JSON.stringify({ issuer, jwks_uri: text }), issuer, [], limits).keys).toBeUndefined();
  });

  it.each([
    "https://h",
    "https://h/",
    "https://a-b.example.com/x/y_z/~0/1.2/..x/...",
    "https://xn--exmple-cua.com/x",
    // Node 22 does not read this host, Node 24 does.
    "https://xn--a/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://h/a%20b",
    "https://h//x",
  ])("%j is accepted", (text) => {
    expect(urlProblem(text)).toBeUndefined();
    expect(checkUrl(text, limits).status).toBe("passed");
  });

  it("and a parser and a reader of plain text interpret accepted URLs the same", () => {
    const base = fc.constantFrom(
      "https://oidc.example.com/demo",
      "https://h",
      "https://127.0.0.1/x",
      "https://[::1]/a/b?c=d",
    );
    const piece = fc.oneof(
      fc.constantFrom(
        "/",
        "\\",
        ".",
        "..",
        "/../",
        "%2e",
        "%",
        ":443",
        ":8443",
        "@",
        "u@",
        "#",
        "?",
        " ",
        "\n",
        "\t",
        "ß",
        "A",
        "０",
        "[",
        "]",
        "",
      ),
      fc.string({ maxLength: 2 }),
    );
    let taken = 0;
    fc.assert(
      fc.property(base, fc.nat(40), fc.nat(3), piece, (text, at, drop, one) => {
        const changed = text.slice(0, at) + one + text.slice(at + drop);
        if (urlProblem(changed) !== undefined) return;
        taken++;
        const url = new URL(changed);
        const [, host = "", path = "", search = ""] = /^https:\/\/([^/?]+)([^?]*)(.*)$/s.exec(changed) ?? [];
        expect([url.protocol, url.host, url.pathname, url.username, url.hash]).toEqual([
          "https:",
          host,
          path || "/",
          "",
          "",
        ]);
        expect(url.search === "" ? "" : url.search).toBe(search === "?" ? "" : search);
        if (search !== "?") expect(url.href).toBe(path === "" ? `https://${host}/${search}` : changed);
      }),
      { numRuns: runs(3000) },
    );
    expect(taken).toBeGreaterThan(runs(3000) / 10);
  });
});

describe("where the keys are", () => {
  it.each<[uri: unknown, isElsewhere: boolean, doubt: string | undefined]>([
    ["https://oidc.example.com/demo/keys.json", false, undefined],
    ["https://oidc.example.com/", false, undefined],
    ["https://keys.example.com/demo/keys.json", true, undefined],
    ["https://xoidc.example.com/demo", true, undefined],
    ["https://oidc.example.com.example.org/demo", true, undefined],
    ["https://oidc.example.com:8443/keys.json", false, "has the port 8443; how AWS handles that is not documented"],
    ["https://oidc.example.com/keys.json?v=1", false, "has a query; how AWS handles that is not documented"],
    ["https://oidc.example.com/keys.json?", false, "has a query; how AWS handles that is not documented"],
    ["https://b.example:444/?v=1", true, "has the port 444 and a query; how AWS handles that is not documented"],
  ])("%j", (uri, isElsewhere, doubt) => {
    expect(readKeysUrl(uri as string, issuer, limits)).toMatchObject({ url: uri, isElsewhere, doubt });
  });

  it.each([
    [undefined, "is missing"],
    [null, "is null"],
    [5, "is 5"],
    [["https://h"], "is a list of 1"],
    ["", 'is ""'],
    ["http://h", 'is "http://h"'],
  ])("is not named by %j", (uri, problem) => {
    expect(readKeysUrl(uri, issuer, limits)).toEqual({ problem: `"jwks_uri" ${problem}, but must be an https URL` });
  });

  it("is another host for every issuer that is not a URL", () => {
    expect(readKeysUrl("https://h/keys.json", "kubernetes/serviceaccount", limits)).toMatchObject({
      isElsewhere: true,
    });
  });
});
