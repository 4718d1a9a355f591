import { describe, expect, it } from "vitest";
import { groupsOf } from "../../../src/page/groups.ts";
import { html } from "../../../src/page/html.ts";
import type { ClusterPart, IdentityPart } from "../../../src/page/page.ts";
import { clusterPart, findingPart, identityPart, pageOf } from "../../helpers/auditors-page.ts";

/** A cluster with its own account, prefix, region, and issuer. */
function member(name: string, change: Partial<IdentityPart> = {}, more: Partial<ClusterPart> = {}): ClusterPart {
  const number = [...name].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 1e9;
  const account = String(100_000_000_000 + number);
  const issuer = `https://${name}-oidc.example.com`;
  const [trust] = identityPart().trusts;
  const identity = identityPart({
    id: `arn:aws:iam::${account}:role/${name}-ingress`,
    trusts: trust === undefined ? [] : [{ ...trust, issuer }],
    documents: [
      {
        name: "trust-policy.json",
        text: `{"Federated": "arn:aws:iam::${account}:oidc-provider/${name}-oidc.example.com"}`,
      },
    ],
    ...change,
  });
  const own = [{ name: "prefix", value: name }];
  return clusterPart({ path: `clusters/${name}`, name, account, issuer, own, identities: [identity], ...more });
}

const some = (count: number) =>
  Array.from({ length: count }, (_, index) => member(`c${String(index).padStart(4, "0")}`));

describe("identities of several clusters", () => {
  it("are one if only account, prefix, region, and issuer differ", () => {
    const { clouds, kinds } = groupsOf(
      pageOf(member("one"), member("two"), member("three", {}, { region: "eu-west-1" })),
    );
    const [shared, ...others] = clouds[0]?.identities ?? [];
    expect(others).toEqual([]);
    expect(shared?.identity.id).toBe("arn:aws:iam::{account}:role/{prefix}-ingress");
    expect(shared?.identity.trusts[0]?.issuer).toBe("https://{issuer}");
    expect(shared?.identity.documents[0]?.text).toBe('{"Federated": "arn:aws:iam::{account}:oidc-provider/{issuer}"}');
    expect(kinds.map(({ clusters }) => clusters.length)).toEqual([3]);
  });

  it("are told apart by anything else: an action, a resource, a condition, a subject, a session, a finding", () => {
    const [statement] = identityPart().statements;
    const [trust] = identityPart().trusts;
    if (statement === undefined || trust === undefined) throw new Error("the helper has a statement and a trust");
    const others: readonly Partial<IdentityPart>[] = [
      { statements: [{ ...statement, actions: [{ service: "route53", kind: "action", names: ["ListHostedZones"] }] }] },
      { statements: [{ ...statement, resources: ["arn:aws:route53:::hostedzone/Z1"] }] },
      { statements: [{ ...statement, conditions: ['Bool a "true"'] }] },
      { trusts: [{ ...trust, issuer: "https://two-oidc.example.com", subjects: ["system:serviceaccount:a:b"] }] },
      { maxSession: 7200 },
      { boundary: "arn:aws:iam::123456789012:policy/b" },
      { managedPolicies: ["arn:aws:iam::aws:policy/M"] },
    ];
    for (const other of others) expect(groupsOf(pageOf(member("one"), member("two", other))).kinds).toHaveLength(2);
    const found = member("two", {}, { findings: [findingPart()] });
    expect(groupsOf(pageOf(member("one"), found)).kinds).toHaveLength(2);
  });

  it("are told apart by a name that is only a part of a word, and by one in a sentence", () => {
    const text = (name: string) => ({ documents: [{ name: "a", text: `${name}ly` }] });
    expect(groupsOf(pageOf(member("one", text("one")), member("two", text("two")))).kinds).toHaveLength(2);
    const reached = (name: string) => ({ reach: [{ text: `the cluster ${name} and "${name}"`, isUndecided: false }] });
    expect(groupsOf(pageOf(member("one", reached("one")), member("two", reached("two")))).kinds).toHaveLength(2);
    // In quotes, it is the name.
    const shared = groupsOf(
      pageOf(
        member("cluster", reached("cluster")),
        member("two", { reach: [{ text: 'the cluster cluster and "two"', isUndecided: false }] }),
      ),
    );
    expect(shared.clouds[0]?.identities[0]?.identity.reach?.[0]?.text).toBe('the cluster cluster and "{prefix}"');
  });

  it("keep what only looks like a mark", () => {
    const text = (value: string) => ({ documents: [{ name: "a", text: value }] });
    const looking = (name: string) => member(name, text("\ue000prefix\ue001 \ue001 {prefix}"));
    const { clouds, kinds } = groupsOf(pageOf(looking("one"), looking("two")));
    expect(kinds).toHaveLength(1);
    expect(clouds[0]?.identities[0]?.identity.documents[0]?.text).toBe("\ue000prefix\ue001 \ue001 {prefix}");
    expect(groupsOf(pageOf(looking("one"), member("two", text("two")))).kinds).toHaveLength(2);
  });

  it("show what is the same everywhere as it is, and list IDs that do not follow from the names", () => {
    const named = (name: string, id: string) => member(name, { id, documents: [] }, { account: "123456789012" });
    const page = pageOf(named("one", "one-x7k@a.example"), named("two", "two-b4m@a.example"));
    const [shared] = groupsOf(page).clouds[0]?.identities ?? [];
    expect(shared?.identity.id).toBe("{role name}@a.example");
    expect(html(page)).toContain(
      "<summary>IDs in 2 clusters</summary><pre>one  one-x7k@a.example\ntwo  two-b4m@a.example</pre>",
    );
    expect(html(page)).toContain('<td data-l="Account">123456789012</td>');
  });

  it("say where they are, and a table says what is in each cluster", () => {
    const three = pageOf(member("one", {}, { owner: "ads" }), member("two"), member("odd", { maxSession: 7200 }));
    const text = html(three);
    expect(text).toContain('The same in 2 of 3 clusters in AWS: <a href="#group:1">Group 1</a> (2).');
    expect(text).toContain('Only in <a href="#cluster:odd">odd</a>.');
    expect(text).toContain('<td data-l="Owner">ads</td>');
    expect(text).toContain('<td data-l="Verdict">✓ no problem</td>');
    expect(text).toContain("<h3>Group 2: 1 cluster in AWS</h3>");
  });

  it("take the same space in 1,000 clusters, but for the tables", () => {
    const [few, many] = [html(pageOf(...some(100))), html(pageOf(...some(1000)))];
    const articles = (text: string) => text.split("<article").length - 1;
    expect([articles(few), articles(many)]).toEqual([1, 1]);
    expect(many.length).toBeLessThan(few.length * 10);
  });
});
