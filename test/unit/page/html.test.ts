import { createHash } from "node:crypto";
import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse, parseFragment } from "parse5";
import { describe, expect, it } from "vitest";
import { printable } from "../../../src/core/text.ts";
import { html } from "../../../src/page/html.ts";
import { shown, shownLines } from "../../../src/page/markup.ts";
import type { FindingPart, Page } from "../../../src/page/page.ts";
import { svg } from "../../../src/page/picture.ts";
import { clusterPart, findingPart, fleetPage, identityPart, pageOf, pageWith } from "../../helpers/auditors-page.ts";
import { runs } from "../../helpers/effort.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function elementsOf(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes : [];
  return [...("tagName" in node ? [node] : []), ...children.flatMap(elementsOf)];
}

function textOf(node: Node): string {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

/** The shape of a page: elements and the names of their attributes, without texts and values. */
function shapeOf(text: string): string {
  // A mark for a character that a reader cannot see, and the whole of a name that is cut in the picture.
  const isExtra = ({ tagName, attrs }: Element) => attrs.some(({ value }) => value === "u") || tagName === "title";
  const lines = elementsOf(parse(text)).filter((one) => !isExtra(one));
  return lines.map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(" ")}`).join("\n");
}

const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Texts that mean something to a browser, a terminal or a reader, and any others. */
const meant = [
  `</script><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  "</style><style>*{display:none}",
  "</title><base href=//evil.example>",
  "--><svg onload=alert(1)>",
  "]]><x>",
  "&lt;b&gt;&amp;quot;&#60;",
  "javascript:alert(1)",
  "a\u202Egnp.exe\u2066b\u200bc\u0000d\u001b[31me\u007f\ufeff\ud800",
  "${1}`{{7*7}}",
  "\u2028\u2029\u0085",
];
const hostile = fc.string({ unit: "binary", maxLength: 40 });
const examples = meant.map((text): [string] => [text]);

describe("a page with hostile names", () => {
  it("has the same elements and attributes as a page with harmless ones", () => {
    const shape = shapeOf(html(pageWith("a-b")));
    fc.assert(
      fc.property(hostile, (text) => {
        // A wildcard is marked, and the subject of a service account is shortened.
        const harmless = text.replace(/[*?:]/g, "x").trim() || "x";
        expect(shapeOf(html(pageWith(`n${harmless}`)))).toBe(shape);
      }),
      { numRuns: runs(100), examples },
    );
  });

  it("shows them: the text of an element is the text of the input", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(textOf(parseFragment(shown(text).text))).toBe(printable(text));
        const pre = parseFragment(`<pre>x${shownLines(text).text}</pre>`);
        const said = text.split(/([\n\t])/).map((part) => (/^[\n\t]$/.test(part) ? part : printable(part)));
        expect(textOf(pre)).toBe(`x${said.join("")}`);
      }),
      { numRuns: runs(300), examples },
    );
  });

  it("marks what a reader cannot see", () => {
    expect(shown("a\u202eb").text).toBe('a<span class="u">\\u202e</span>b');
    expect(shown("a\\u202eb").text).toBe("a\\u202eb");
    const text = html(pageWith("a\u202eb"));
    expect(text).not.toMatch(/[\u202e\u2066]/);
    expect(text).toContain('<tr id="cluster:a-b-');
  });

  it("hides private keys and tokens", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----";
    const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJlLXNpZ25hdHVyZQ";
    for (const write of [html, svg]) {
      const text = write(pageWith(key)) + write(pageWith(token));
      expect(/.{0,60}(?:MIIB|c2lnbmF0dXJl).{0,20}/.exec(text)?.[0]).toBeUndefined();
      expect(text).toContain("(a value that is not shown)");
    }
  });

  it("are escaped in the picture as a file, which is XML", () => {
    const text = svg(pageWith(`<a href="x">&'\u0001`));
    expect(text).not.toContain("<a ");
    expect(text).toContain("&lt;a href=&quot;x&quot;&gt;&amp;'\\u0001");
  });
});

describe("the file", () => {
  const text = html(pageOf(clusterPart()));
  const elements = elementsOf(parse(text));
  const all = (name: string) => elements.filter(({ tagName }) => tagName === name);

  it("allows only its one style and its one script, which data does not change", () => {
    const [style, script] = [all("style"), all("script")];
    expect([style.length, script.length]).toEqual([1, 1]);
    const policy = attribute(
      all("meta").find((one) => attribute(one, "http-equiv") !== undefined) as Element,
      "content",
    );
    const [styleHash, scriptHash] = [style, script].map(([one]) => digest(textOf(one as Element)));
    expect(policy).toBe(
      `default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(text).toContain(`content="${policy}"`);
    const other = elementsOf(parse(html(fleetPage(60))));
    expect(other.filter(({ tagName }) => tagName === "script").map(textOf)).toEqual(script.map(textOf));
  });

  it("loads nothing, and has no handlers and no styles of elements", () => {
    for (const { attrs } of elements) {
      for (const { name, value } of attrs) {
        expect(name).not.toMatch(/^on|^style$|^src$|^srcset$|^action$/);
        if (name === "href") expect(value).toMatch(/^#/);
      }
    }
    expect(text.replaceAll(/http:\/\/www\.w3\.org\/2000\/svg/g, "")).not.toMatch(
      /\b(?:url\(|@import|https?:\/\/(?!oidc\.example))/,
    );
  });

  it("has a target for each of its links, and no ID twice", () => {
    for (const page of [pageOf(clusterPart({ findings: [findingPart()] })), fleetPage(120), pageWith("a b")]) {
      const parts = elementsOf(parse(html(page)));
      const ids = parts.flatMap((one) => attribute(one, "id") ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const links = parts.flatMap((one) => attribute(one, "href") ?? []);
      for (const link of links) expect(ids).toContain(link.slice(1));
      const rows = parts.flatMap((one) => attribute(one, "data-i") ?? []);
      for (const id of rows) expect(ids).toContain(id);
    }
  });

  it("has headings in order, and everything is open without the script", () => {
    const [one] = pageWith("a").clusters;
    for (const page of [pageOf(clusterPart()), fleetPage(60), pageWith("a"), pageOf(one ?? clusterPart())]) {
      const parts = elementsOf(parse(html(page)));
      const levels = parts.flatMap(({ tagName }) => Number(/^h([1-6])$/.exec(tagName)?.[1] ?? 0) || []);
      expect(levels[0]).toBe(1);
      for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
      for (const one of parts.filter(({ tagName }) => tagName === "details")) expect(attribute(one, "open")).toBe("");
    }
  });

  it("has at most 40 KB besides data, and 6 KB for an identity with one file", () => {
    expect(Buffer.byteLength(html(pageOf(clusterPart({ identities: [] }))))).toBeLessThan(40 * 1024);
    expect(Buffer.byteLength(html(pageOf(clusterPart())))).toBeLessThan(46 * 1024);
  });

  it("stays small for a fleet: 9 KB and 150 elements for each identity with 5 services", () => {
    const fleet = html(fleetPage(100));
    expect(Buffer.byteLength(fleet)).toBeLessThan(20_000 + 100 * 9000);
    expect(elementsOf(parse(fleet)).length).toBeLessThan(200 + 100 * 150);
  });

  it("draws for narrow screens, too, unless it is large: then the picture scrolls", () => {
    const count = (identities: number) => {
      const parts = elementsOf(parse(html(fleetPage(identities))));
      const looks = parts.filter(({ tagName }) => tagName === "svg").map((one) => attribute(one, "class"));
      return { looks: [...new Set(looks)], regions: parts.filter((one) => attribute(one, "role") === "region").length };
    };
    expect(count(50)).toEqual({ looks: ["p o", "p x"], regions: 0 });
    expect(count(201)).toEqual({ looks: ["p"], regions: 1 });
  });

  it("is the same each time", () => {
    const page = pageWith("a");
    expect(html(page)).toBe(html(structuredClone(page) as Page));
    expect(svg(page)).toBe(svg(structuredClone(page) as Page));
  });
});

describe("what the page says", () => {
  const saying = (page: Page) =>
    textOf(parse(html(page)).childNodes.find(({ nodeName }) => nodeName === "html") as Node);

  it("the verdict: problems by rule, and what is accepted, why and how long", () => {
    const findings = [
      findingPart({ severity: "error", code: "secret-edited" }),
      findingPart(),
      findingPart({ code: "iam-wildcard", accepted: { reason: "a boundary limits it", until: "2027-06-30" } }),
    ];
    const text = html(pageOf(clusterPart({ findings })));
    expect(text).toContain("<p>1 error and 1 warning in the files. 1 finding accepted with a reason.</p>");
    expect(text).toContain('<li class="error"><b>1</b><span>error</span></li>');
    expect(text).toContain('<a href="#finding:secret-edited">secret-edited</a>');
    expect(text).toContain(
      '<td data-l="Reason">a boundary limits it</td><td class="d" data-l="Valid">until 2027-06-30</td>',
    );
    expect(text).toContain("Whether an acceptance has expired was not checked");
    expect(text.indexOf("✕ error")).toBeLessThan(text.indexOf("▲ warning"));
    const { made, ...page } = pageOf(clusterPart({ findings }));
    expect(html({ ...page, made: { ...made, today: "2027-01-01" } })).toContain(
      "Acceptances were judged as of 2027-01-01.",
    );
  });

  it("that an export was not validated", () => {
    expect(saying(pageOf(clusterPart({ findings: undefined })))).toContain(
      "Not validated: One directory is an export, which contains no requests and no configuration",
    );
    const text = saying(pageOf(clusterPart(), clusterPart({ name: "other", findings: undefined })));
    expect(text).toContain("No problem was found in the files. One directory is an export");
    expect(text).toContain("not validated");
  });

  it("of each identity who can use it, what it allows, its limits, ways of escalation, and what it reaches", () => {
    const identity = identityPart({
      statements: [
        {
          effect: "Allow",
          actions: [{ service: "s3", kind: "action", names: ["Get*", "PutObject"] }],
          resources: ["arn:aws:s3:::a"],
          conditions: ['Bool a "true"'],
        },
        {
          effect: "Deny",
          actions: [{ service: "iam", kind: "action", names: ["*"] }],
          resources: ["*"],
          conditions: [],
        },
      ],
      escalations: [{ code: "iam-wildcard", message: "perhaps can do everything", isUndecided: true }],
      reach: [{ text: "the bucket of another account", isUndecided: false }],
      boundary: "arn:aws:iam::123456789012:policy/b",
    });
    const text = html(pageOf(clusterPart({ identities: [identity] })));
    expect(text).toContain("<code>openshift-ingress-operator/ingress-operator</code>");
    expect(text).toContain('<code>Get*</code><span class="a">wildcard</span>, <code>PutObject</code>');
    expect(text).toContain("✕ denies");
    expect(text).toContain("<dt>Permissions boundary</dt><dd><code>arn:aws:iam::123456789012:policy/b</code></dd>");
    expect(text).toContain("<li><strong>iam-wildcard</strong>: perhaps can do everything</li>");
    expect(text).toContain("<li>the bucket of another account</li>");
    expect(text).toContain('data-k="wildcard escalation reach"');
    expect(text).toContain("! wildcard · can escalate, perhaps · beyond the cluster");
    expect(html(pageOf(clusterPart()))).not.toContain(">Beyond the cluster</h4>");
  });

  it("the warnings about requests of the release apart from the others", () => {
    const released = findingPart({ code: "assume-role-any", isOfRelease: true });
    const verdictOf = (...findings: readonly FindingPart[]) => {
      const text = html(pageOf(clusterPart({ findings })));
      return text.slice(text.indexOf('<section id="verdict"'), text.indexOf('<section id="cluster"'));
    };
    const [one, all, both] = [
      verdictOf(released),
      verdictOf(released, released, released),
      verdictOf(released, findingPart(), findingPart({ severity: "error", code: "secret-edited" })),
    ];
    expect(one).toContain("<p>1 warning, from OpenShift’s own requests.</p>");
    expect(all).toContain("<p>3 warnings, all from OpenShift’s own requests.</p>");
    expect(all).toContain('<li class="good"><b>0</b><span>warnings</span></li>');
    expect(all).toContain('<li class=""><b>3</b><span>in OpenShift’s own requests</span></li>');
    expect(all).not.toContain("Problems by rule");
    expect(all).toContain("<li>Whether OpenShift’s own requests are unchanged");
    expect(both).toContain("<p>1 error and 1 warning, and 1 warning from OpenShift’s own requests.</p>");
    const [others = "", own = ""] = both.split("<caption>In OpenShift’s own requests</caption>");
    expect(others).toContain('href="#finding:pass-role-any"');
    expect(others).not.toContain("assume-role-any");
    expect(own).toContain('href="#finding:assume-role-any"');
    expect(verdictOf()).not.toContain("OpenShift’s");
  });

  it("once what reaches beyond the cluster, after the problems, and marks only what the release does not ask for", () => {
    const reach = [{ text: "any bucket", isUndecided: false }];
    const released = identityPart({ reach, isOfRelease: true });
    const other = identityPart({ key: "shop/orders", reach, isOfWorkload: true });
    const all = html(pageOf(clusterPart({ identities: [released], findings: [findingPart()] })));
    expect(all).toContain("<p>1 of 1 identity can use resources that are not limited to this cluster.");
    expect(all).toContain("OpenShift’s own requests ask for this, which is not marked");
    expect(all.indexOf("can use resources that")).toBeGreaterThan(all.indexOf("Problems by rule"));
    expect(all).not.toMatch(/<span[^>]*>beyond the cluster</);
    // The section and the filter still say it.
    expect(all).toContain("Beyond the cluster</h4>\n<ul><li>any bucket</li>");
    expect(all).toContain('data-k="warning reach"');
    const both = html(pageOf(clusterPart({ identities: [released, other] })));
    expect(both).toContain("ask for this in 1 of them, which is not marked");
    expect(both).toContain("<b>1</b><span>beyond the cluster</span>");
    expect(both.match(/<span class="a">beyond the cluster</g)).toHaveLength(1);
  });

  it("the riskiest identity first, and workloads apart, on a summary of one printed page", () => {
    const reach = [{ text: "any bucket", isUndecided: false }];
    const wide = { service: "s3", kind: "action", names: ["Get*"] };
    const escalation = { code: "privilege-escalation", message: "can extend its own permissions" };
    const identities = [
      identityPart({ key: "a/nothing" }),
      identityPart({
        key: "b/wildcard",
        statements: [{ effect: "Allow", actions: [wide], resources: ["*"], conditions: [] }],
      }),
      identityPart({ key: "c/reach", reach }),
      identityPart({ key: "d/perhaps", escalations: [{ ...escalation, isUndecided: true }] }),
      identityPart({ key: "e/escalates", escalations: [escalation] }),
      identityPart({ key: "f/error" }),
      identityPart({ key: "g/own", reach, isOfRelease: true }),
      identityPart({ key: "h/warning" }),
      identityPart({ key: "i/workload", isOfWorkload: true, escalations: [escalation] }),
    ];
    const findings = [
      findingPart({ severity: "error", identity: "f/error" }),
      findingPart({ identity: "h/warning" }),
      findingPart({ severity: "error", identity: "a/nothing", accepted: { reason: "x" } }),
    ];
    const text = html(pageOf(clusterPart({ identities, findings })));
    const rows = [...text.matchAll(/<tr data-i="demo\/([^"]*)"/g)].map(([, key]) => key);
    const cards = [...text.matchAll(/<article id="demo\/([^"]*)"/g)].map(([, key]) => key);
    const byRisk = ["f/error", "e/escalates", "d/perhaps", "c/reach", "b/wildcard", "h/warning", "a/nothing", "g/own"];
    expect(rows).toEqual([...byRisk, "i/workload"]);
    expect(cards).toEqual(rows);
    expect(text).toMatch(/<caption>Components<\/caption>[\s\S]*f\/error[\s\S]*<caption>Workloads<\/caption>/);
    expect(text).toContain('<td data-l="Look at">can escalate, perhaps</td>');
    const fleet = html(fleetPage(60));
    expect([...fleet.matchAll(/<tr data-i=/g)]).toHaveLength(20);
    expect(fleet).toContain("<p>And 40 more, in the section");
    expect(fleet).toContain('<td data-l="Clusters">cluster-0 in AWS</td>');
    // By risk in all clouds, not cloud by cloud.
    const gcp = {
      path: "b",
      name: "b",
      cloud: "GCP",
      identities: [identityPart({ key: "z/escalates", escalations: [escalation] })],
    };
    expect(html(pageOf(clusterPart(), clusterPart(gcp)))).toMatch(
      /<tr data-i="b\/z\/escalates"[\s\S]*<tr data-i="demo/,
    );
  });

  it("what it does not cover, and what is not known of the keys", () => {
    const text = saying(pageOf(clusterPart()));
    expect(text).toContain("Not compared with the cloud");
    expect(text).toContain("What the cloud has: “ccf status” compares it with the files.");
    expect(text).toContain("the files say neither how old the keys are nor where their private parts are kept");
    expect(saying(fleetPage(60))).toContain("the files say neither how old the keys are");
    expect(saying(pageOf(clusterPart({ keyIds: [] })))).not.toContain("how old the keys are");
  });

  it("of a change what is more and what is less, and what to do when", () => {
    const text = html(pageWith("x"));
    expect(text).toMatch(/<td class="z">\+<\/td><td class="d">more<\/td><td><code>x<\/code>/);
    expect(text).toMatch(/<td class="z">−<\/td><td class="d">less<\/td><td><code>x<\/code>/);
    expect(text).toContain("<strong>Something becomes broader, or may, and something narrower.</strong> 1 both.");
    expect(text).toMatch(/Before the upgrade<\/h4>\n<ol><li>x<\/li>/);
    expect(html(pageOf(clusterPart()))).not.toContain("Differences");
  });

  it("names clusters with the same name by their directories", () => {
    const other = [identityPart({ maxSession: 7200 })];
    const text = html(pageOf(clusterPart({ path: "a" }), clusterPart({ path: "b", identities: other })));
    expect(text).toContain('<article id="a/openshift-ingress-operator/cloud-credentials"');
    expect(text).toContain('<article id="b/openshift-ingress-operator/cloud-credentials"');
    expect(html(pageOf(clusterPart()))).toContain('<article id="demo/openshift-ingress-operator/cloud-credentials"');
  });

  it("explains the words of the clouds on the page, and of no other", () => {
    const { boundaries: _, ...plain } = clusterPart({ path: "b", cloud: "Tiny Cloud", noun: "account" });
    const both = html(pageOf(clusterPart(), plain));
    expect(both).toContain("uses in the cloud: a role in AWS, an account in Tiny Cloud.");
    expect(both).toContain("<dt>Permissions boundary</dt><dd>A policy that limits a role.</dd>");
    const other = html(pageOf(plain));
    expect(other).not.toMatch(/AWS|Permissions boundary/);
  });
});
