import { describe, expect, it } from "vitest";
import { html } from "../../../src/page/html.ts";
import type { IdentityPart } from "../../../src/page/page.ts";
import { mermaid, svg } from "../../../src/page/picture.ts";
import { marksOf, servicesOf, subjectsOf } from "../../../src/page/services.ts";
import { clusterPart, fleetPage, identityPart, pageOf } from "../../helpers/auditors-page.ts";

const [trust] = identityPart().trusts;
const trusting = (...subjects: readonly string[]) =>
  trust === undefined ? identityPart() : identityPart({ trusts: [{ ...trust, subjects }] });
const allowing = (...names: readonly string[]): IdentityPart["statements"] => [
  { effect: "Allow", actions: [{ service: "ec2", kind: "action", names }], resources: ["*"], conditions: [] },
];

describe("what the picture says of an identity", () => {
  it("its services, with the number of different actions; denials are not among them", () => {
    const statements = [
      ...allowing("RunInstances", "DescribeVpcs"),
      ...allowing("RunInstances", "Create*"),
      {
        effect: "Deny" as const,
        actions: [{ service: "iam", kind: "action", names: ["*"] }],
        resources: ["*"],
        conditions: [],
      },
      {
        effect: "Allow" as const,
        actions: [
          { service: "dns", kind: "role", names: ["roles/dns.admin"] },
          { service: "dns", kind: "permission", names: ["dns.a", "dns.b"] },
        ],
        resources: ["p"],
        conditions: [],
      },
    ];
    expect(servicesOf(identityPart({ statements, managedPolicies: ["arn:a", "arn:b"] }))).toEqual([
      { name: "dns", amount: "2 permissions, 1 role", isWide: false },
      { name: "ec2", amount: "3 actions", isWide: true },
      { name: "managed policies", amount: "2 policies", isWide: false },
    ]);
  });

  it("its service accounts, and other subjects as they are", () => {
    expect(subjectsOf(trusting("system:serviceaccount:b:x", "system:serviceaccount:a:y", "other"))).toEqual([
      "a/y",
      "b/x",
      "other",
    ]);
    expect(subjectsOf(trusting())).toEqual(["any subject not excluded"]);
  });

  it("marks: a wildcard in an action or a subject, a way of escalation, what it reaches", () => {
    const none = { wildcard: "", escalation: "", reach: "" };
    expect(marksOf(identityPart({ statements: allowing("RunInstances") }))).toEqual(none);
    expect(marksOf(identityPart({ statements: allowing("Run*") }))).toEqual({ ...none, wildcard: "wildcard" });
    expect(marksOf(trusting("system:serviceaccount:a:*"))).toEqual({ ...none, wildcard: "wildcard" });
    expect(marksOf(identityPart({ escalations: [{ code: "a", message: "b" }] })).escalation).toBe("can escalate");
    expect(marksOf(identityPart({ reach: [{ text: "a", isUndecided: false }] })).reach).toBe("beyond the cluster");
    expect(marksOf(identityPart({ reach: [] })).reach).toBe("");
  });

  it("marks as open what a document decides that is not in the files", () => {
    const escalations = [{ code: "a", message: "b", isUndecided: true as const }];
    const boundary = "arn:aws:iam::123456789012:policy/b";
    const limited = identityPart({ boundary, escalations, reach: [{ text: "a", isUndecided: true }] });
    const open = { wildcard: "", escalation: "can escalate, perhaps", reach: "beyond the cluster, perhaps" };
    expect(marksOf(limited)).toEqual(open);
    expect(marksOf(identityPart({ boundary }))).toEqual({ wildcard: "", escalation: "", reach: "" });
    const extended = marksOf(identityPart({ managedPolicies: ["arn:aws:iam::aws:policy/M"] }));
    expect(extended).toEqual({ wildcard: "wildcard, perhaps", escalation: "can escalate, perhaps", reach: "" });
    expect(svg(pageOf(clusterPart({ identities: [limited] })))).toContain(
      "Can escalate: 0 to 1. Beyond the cluster: 0 to 1.",
    );
    const page = pageOf(clusterPart({ identities: [limited] }));
    expect(html(page)).toContain("<b>0 to 1</b><span>beyond the cluster</span>");
    expect(mermaid(page).join("")).toContain("beyond the cluster, perhaps");
  });
});

describe("the picture as a file", () => {
  it("is an SVG with a title, a description, and its own style", () => {
    const text = svg(pageOf(clusterPart()));
    expect(text).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="p" .* role="img" aria-labelledby="t d">/,
    );
    expect(text).toContain('<title id="t">Cluster demo: service accounts, roles, and services</title>');
    expect(text).toContain(
      "1 service account can use 1 role, which can use 1 service. With wildcards: 0. Can escalate: 0. Beyond the cluster: 0.",
    );
    expect(text).toContain("prefers-color-scheme:dark");
    for (const name of ["ingress-operator", "cloud-credentials", "route53", "2 actions"])
      expect(text).toContain(`>${name}</text>`);
  });

  it("cuts long names in the middle, and shows them whole on hover", () => {
    const name = `start-${"x".repeat(100)}-end`;
    const text = svg(pageOf(clusterPart({ identities: [identityPart({ key: `a/${name}` })] })));
    expect(text).toMatch(new RegExp(`>start-x+…x+-end<title>${name}</title></text>`));
    // Characters of East Asia take two columns each.
    const wide = svg(pageOf(clusterPart({ identities: [identityPart({ key: `a/${"名".repeat(30)}` })] })));
    expect(/>(名+…名+)</.exec(wide)?.[1]?.length).toBeLessThan(20);
  });

  it("shows at most 14 services of an identity, and says how many there are", () => {
    const actions = Array.from({ length: 20 }, (_, index) => ({
      service: `s${String(index).padStart(2, "0")}`,
      kind: "action",
      names: ["A"],
    }));
    const statements = [{ effect: "Allow" as const, actions, resources: ["*"], conditions: [] }];
    const text = svg(pageOf(clusterPart({ identities: [identityPart({ statements })] })));
    expect(text).toContain(">s12<");
    expect(text).not.toContain(">s13<");
    expect(text).toContain(">and 7 more<");
  });

  it("of a fleet has the name of each cluster", () => {
    const text = svg(fleetPage(120));
    for (const name of ["cluster-0", "cluster-1", "cluster-2"]) expect(text).toContain(`>${name}</text>`);
    expect(text).toContain('<title id="t">Identities of 3 clusters</title>');
  });
});

describe("the picture for Markdown", () => {
  it("is a flowchart whose names are quoted", () => {
    expect(mermaid(pageOf(clusterPart({ identities: [identityPart({ statements: allowing("Run*") })] })))).toEqual([
      "```mermaid",
      "flowchart LR",
      '  c0n0(["openshift-ingress-operator/ingress-operator"])',
      '  c0n1["openshift-ingress-operator/cloud-credentials (wildcard)"]',
      "  c0n0 --> c0n1",
      '  c0n2[["ec2"]]',
      '  c0n1 -->|"1 action, wildcard"| c0n2',
      "```",
    ]);
  });

  it("has a group for each cluster of a fleet", () => {
    const lines = mermaid(pageOf(clusterPart(), clusterPart({ name: "other", path: "other" })));
    expect(lines).toContain('  subgraph c1["other"]');
    expect(lines.filter((line) => line === "  end")).toHaveLength(2);
  });

  it("cannot be left by a name", () => {
    const key = 'a/"]\n```\n%%{init: {}}%% <b>#quot;;`|';
    const lines = mermaid(pageOf(clusterPart({ identities: [identityPart({ key })] })));
    expect(lines.filter((line) => line.includes("```"))).toEqual(["```mermaid", "```"]);
    expect(lines).toContain(
      '  c0n1["a/#34;#93;#92;u000a#96;#96;#96;#92;u000a#37;#37;#123;init: #123;#125;#125;#37;#37; #60;b#62;#35;quot#59;#59;#96;#124;"]',
    );
  });
});
