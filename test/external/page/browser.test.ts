import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { awsOperations } from "../../../src/clouds/aws/permissions/operations.ts";
import { awsTerms } from "../../../src/clouds/aws/permissions/terms.ts";
import { printable } from "../../../src/core/text.ts";
import { html } from "../../../src/page/html.ts";
import type { IdentityPart, Page as Report } from "../../../src/page/page.ts";
import { clusterPart, findingPart, fleetPage, identityPart, pageOf, pageWith } from "../../helpers/auditors-page.ts";
import { launched, opened, printedTexts, violationsOf } from "../../helpers/chromium.ts";
import { describeWith } from "../../helpers/need.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

const findings = [
  findingPart({ severity: "error", code: "secret-edited" }),
  findingPart(),
  findingPart({ accepted: { reason: "a boundary limits it", until: "2027-06-30" } }),
];
const wide = identityPart({
  key: "openshift-machine-api/aws-cloud-credentials",
  request: { name: "openshift-machine-api-aws", path: "credentials-requests/40-machine.yaml" },
  trusts: [
    {
      effect: "Allow",
      issuer: "https://oidc.example.com",
      subjects: ["system:serviceaccount:openshift-machine-api:machine-api-controllers"],
      audiences: ["openshift"],
      conditions: [],
    },
  ],
  statements: [
    { effect: "Allow", actions: [{ service: "ec2", kind: "action", names: ["*"] }], resources: ["*"], conditions: [] },
  ],
  escalations: [{ code: "privilege-escalation", message: "can extend its own permissions" }],
  reach: [{ text: "every instance of the account", isUndecided: false }],
});
const differences = {
  against: "../main/clusters/demo",
  verdict: "broadened",
  counts: "1 broadened",
  notes: [],
  sections: [
    { keys: [wide.key], headline: "broadened: AWS", lines: ["+ ec2:RunInstances", "- ec2:Describe*", "~ token"] },
  ],
  steps: { before: ["grant ec2:RunInstances"], with: [], after: ["revoke ec2:Describe*"] },
} as const;
const allowing = (...actions: readonly string[]) =>
  [{ effect: "Allow", principals: [""], actions, resources: ["*"], condition: [] }] as const;
const searching = (identity: IdentityPart, ...actions: readonly string[]) => ({
  ...identity,
  searched: {
    ...identity.searched,
    permissions: allowing(...actions),
    serviceAccounts: identity.trusts.flatMap(({ subjects }) => subjects),
  },
});
const searched = [
  searching(identityPart(), "route53:ChangeResourceRecordSets", "route53:ListHostedZones"),
  searching(wide, "ec2:*", "route53:List*"),
];
const terms = {
  cloud: "AWS",
  actionsIgnoreCase: true,
  actionForm: awsTerms.actionForm.source,
  actionFlags: awsTerms.actionForm.flags,
  separator: awsTerms.separator,
  operations: awsOperations,
  operators: [],
  roles: {},
};
const sample = { ...pageOf(clusterPart({ findings, identities: searched, differences })), terms: [terms] };

describeWith(["chromium"], "the page for auditors in Chromium", () => {
  const { directory } = keptTemporary();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => browser?.close());

  const open = (report: Report, options: BrowserContextOptions = {}, hash = "") =>
    opened(browser, directory, html(report), options, hash);

  const shown = (page: Page) => page.locator("article:visible").evaluateAll((all) => all.map(({ id }) => id));

  it.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["forced", { forcedColors: "active" }],
    ["narrow", { viewport: { width: 320, height: 800 } }],
  ] as const)("violates no rule of axe: %s", async (_, options) => {
    const { page, problems, close } = await open(sample, options);
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
    // Nothing is wider than the window.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await close();
  });

  it("is used with the keyboard: the skip link, the search, the folds", async () => {
    const { page, close } = await open(sample);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    expect(await page.locator(".skip").evaluate((one) => one.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#verdict$/);
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.type")).toBe("search");
    await page.keyboard.type("machine a/pi");
    expect(await page.locator("input").inputValue()).toBe("machine a/pi");
    await page.keyboard.press("Escape");
    expect(await page.locator("input").inputValue()).toBe("");
    const visited = new Set<string>();
    for (let index = 0; index < 80; index++) {
      await page.keyboard.press("Tab");
      const [name, outline] = await page.evaluate<[string, string]>(
        "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]",
      );
      if (name === "BODY") break;
      visited.add(name);
      expect({ name, outline }).not.toEqual({ name, outline: "none" });
    }
    expect([...visited].sort()).toEqual(["A", "BUTTON", "SELECT", "SUMMARY"]);
    const summary = page.locator("article summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("article > details").first().getAttribute("open")).toBeNull();
    await close();
  });

  it("finds and filters", async () => {
    const { page, close } = await open(sample);
    const [ingress, machine] = ["demo/openshift-ingress-operator/cloud-credentials", `demo/${wide.key}`];
    await page.fill("input", "INGRESS cloud-");
    expect(await shown(page)).toEqual([ingress]);
    expect(await page.locator("output").allTextContents()).toEqual(["1 of 2 identities", "1 of 2 identities"]);
    // What does not match disappears whole, and what matches is unfolded.
    const rows = page.locator("svg:visible g[data-i]:visible");
    expect(await rows.evaluateAll((all) => all.map((one) => one.getAttribute("data-i")))).toEqual([ingress]);
    expect(await page.locator("svg:visible").getAttribute("viewBox")).toBe("0 0 1000 120");
    for (const [action, found] of [
      ["route53:ListHostedZones", [ingress, machine]],
      ["route53:List*", [ingress, machine]],
      ["ROUTE53:?istHostedZones", [ingress, machine]],
      ["ec2:RunInstances", [machine]],
      ["s3:GetObject", []],
      // Not in the permissions: in a trust policy, a file, a URL, a resource.
      ["sts.amazonaws.com", []],
      ["2012-10-17", []],
      ["oidc.example.com", []],
      ["123456789012", []],
    ] as const) {
      await page.fill("input", action);
      expect({ action, found: await shown(page) }).toEqual({ action, found });
    }
    await page.fill("input", "ec2:RunInstances");
    expect(await page.locator("output").first().textContent()).toBe(
      "1 identity in 1 cluster can do ec2:RunInstances, used by 1 service account.",
    );
    expect(await page.locator("article:visible summary [data-p]").allTextContents()).toEqual(["can"]);
    expect(await page.locator("[role=search] li").allTextContents()).toEqual([
      "openshift-machine-api / aws-cloud-credentials: can ec2:*, used by openshift-machine-api/machine-api-controllers",
    ]);
    // The action is marked in the section, too, and only while it is the answer.
    expect(await page.locator("article:visible mark").allTextContents()).toEqual(["*"]);
    for (const sentence of ["Who can do ec2:RunInstances?", "who may ec2:RunInstances"]) {
      await page.fill("input", sentence);
      expect({ sentence, found: await shown(page) }).toEqual({ sentence, found: [machine] });
    }
    await page.fill("input", "delete objects in S3");
    expect(await page.locator("output").first().textContent()).toBe(
      "0 of 2 identities. Ask for one thing at a time, such as route53:ChangeResourceRecordSets.",
    );
    expect(await page.locator("mark").count()).toBe(0);
    await page.fill("input", "HeadObject");
    expect(await page.locator("output").first().textContent()).toBe(
      "No identity in 1 package (2 identities, 4 actions) can do HeadObject (authorized as s3:GetObject, s3:GetObjectVersion), and none can reach it in one step.",
    );
    expect(await page.locator("article summary [data-p]").count()).toBe(0);
    await page.fill("input", "nothing like this");
    expect(await shown(page)).toEqual([]);
    await page.fill("input", "");
    expect(await shown(page)).toEqual([ingress, machine]);
    const [kind, namespace, service] = [0, 1, 2].map((index) => page.locator("select").nth(index));
    await kind?.selectOption("error");
    expect(await shown(page)).toEqual([ingress]);
    await kind?.selectOption("reach");
    expect(await shown(page)).toEqual([machine]);
    await kind?.selectOption("");
    await namespace?.selectOption("openshift-machine-api");
    expect(await shown(page)).toEqual([machine]);
    await namespace?.selectOption("");
    await service?.selectOption("route53");
    expect(await shown(page)).toEqual([ingress]);
    // A link to an identity that the filter hides shows it again.
    await page.locator("#findings a").first().click();
    await page.evaluate(`location.hash = ${JSON.stringify(encodeURIComponent(machine))}`);
    await expect.poll(() => shown(page)).toEqual([ingress, machine]);
    expect(decodeURIComponent(page.url())).toContain(`#${machine}`);
    expect(await shown(page)).toEqual([ingress, machine]);
    await close();
  });

  it("answers where the question is: within the first window", async () => {
    const s3 = searching(
      identityPart({
        key: "openshift-image-registry/installer-cloud-credentials",
        statements: [
          {
            effect: "Allow",
            actions: [{ service: "s3", kind: "action", names: ["DeleteObject", "GetObject"] }],
            resources: ["*"],
            conditions: [],
          },
        ],
      }),
      "s3:DeleteObject",
      "s3:GetObject",
    );
    // The riskier identity can only reach it, so it is not the first answer.
    const passing = searching({
      ...wide,
      searched: { ...wide.searched, steps: [{ by: "passing a role", gives: ["*"] }] },
    });
    const report = { ...pageOf(clusterPart({ findings, identities: [passing, s3] })), terms: [terms] };
    const { page, problems, close } = await open(report, { viewport: { width: 1280, height: 800 } });
    await page.fill("input", "s3:DeleteObject");
    const answer = page.locator("[role=search] output, [role=search] li");
    expect(await answer.allTextContents()).toEqual([
      "1 identity in 1 cluster can do s3:DeleteObject, used by 1 service account; 1 more by passing a role.",
      "openshift-image-registry / installer-cloud-credentials: can s3:DeleteObject, used by openshift-ingress-operator/ingress-operator",
      "openshift-machine-api / aws-cloud-credentials: by passing a role, used by openshift-machine-api/machine-api-controllers",
    ]);
    expect(await page.evaluate("scrollY")).toBe(0);
    for (const box of await Promise.all((await answer.all()).map((one) => one.boundingBox())))
      expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThan(800);
    expect(await page.locator("article mark").allTextContents()).toEqual(["DeleteObject"]);
    expect(await violationsOf(page)).toEqual([]);
    // The verdict is next.
    expect(await page.locator("main > section").first().getAttribute("id")).toBe("verdict");
    await page.locator("[role=search] li a").first().click();
    expect(decodeURIComponent(page.url())).toMatch(/#demo\/openshift-image-registry\/installer-cloud-credentials$/);
    expect(problems).toEqual([]);
    await close();
  });

  it("opens what a link names", async () => {
    const { page, close } = await open(fleetPage(60), {}, "#cluster-1/openshift-07/cloud-credentials");
    const open_ = await page
      .locator("article > details[open]")
      .evaluateAll((all) => all.map((one) => one.parentElement?.id));
    expect(open_).toEqual(["cluster-1/openshift-07/cloud-credentials"]);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(500);
    await page.click('button[name="open"]');
    expect(await page.locator("article > details:not([open])").count()).toBe(0);
    await page.click('button[name="close"]');
    expect(await page.locator("article > details[open]").count()).toBe(0);
    await close();
  });

  it("shows everything without JavaScript", async () => {
    const { page, close } = await open(fleetPage(60), { javaScriptEnabled: false });
    expect(await page.locator("details:not([open])").count()).toBe(0);
    expect(await page.locator("article").count()).toBe(60);
    expect(await page.locator("form:visible").count()).toBe(0);
    expect(await page.locator("pre").first().isVisible()).toBe(true);
    await close();
  });

  it("is printed on A4 with the identities that it folds, and with the exact files that the reader has opened", async () => {
    const { page, close } = await open(sample);
    await page.click('button[name="close"]');
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("form:visible").count()).toBe(0);
    expect(await page.locator("svg.o").first().isVisible()).toBe(true);
    const printed = async () => {
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString("latin1")).toMatch(/\/MediaBox \[0 0 59[45]\.\d+ 84[12]\.\d+\]/);
      return printedTexts(pdf).flat().length;
    };
    const folded = await printed();
    // The script opened the identities for printing, and folded them again.
    await expect.poll(() => page.locator("article > details[open]").count()).toBe(0);
    await page.evaluate("for (const one of document.querySelectorAll('details details')) one.open = true");
    expect(await printed()).toBeGreaterThan(folded);
    await close();
  });

  it("runs nothing that a name contains", async () => {
    const names = [
      `</script><script>alert(1)</script>`,
      `"><img src=https://evil.example/x onerror=alert(1)>`,
      `</style><svg onload=alert(1)>`,
      "a\u202Egnp.exe\u0000\u200b",
    ];
    for (const name of names) {
      const { page, problems, close } = await open(pageWith(name));
      expect(problems).toEqual([]);
      expect(await page.locator("img, script[src], iframe, object, base").count()).toBe(0);
      expect(await page.locator("#clusters tbody th").first().textContent()).toBe(printable(name));
      await page.fill("input", name.slice(0, 5));
      await close();
    }
  });

  it("is allowed nothing by its policy: no other script, no style, no request", async () => {
    const { page, close } = await open(sample);
    await page.evaluate(`(() => {
      self.blocked = [];
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => blocked.push(effectiveDirective));
      document.body.insertAdjacentHTML("beforeend", '<p id="t" style="color: red" onclick="self.ran = 1">x</p><img src="https://evil.example/x">');
      document.getElementById("t").click();
    })()`);
    await expect.poll(() => page.evaluate("blocked.sort()")).toEqual(["img-src", "script-src-attr", "style-src-attr"]);
    expect(await page.evaluate("self.ran")).toBeUndefined();
    await close();
  });

  it("opens and searches 1,000 identities", async () => {
    const { page, problems, close } = await open(fleetPage(1000));
    expect(await page.locator("article").count()).toBe(1000);
    expect(await page.locator("*").count()).toBeLessThan(116_000);
    await page.fill("input", "openshift-07");
    expect(await page.locator("output").first().textContent()).toBe("20 of 1000 identities");
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
    await close();
  });
});
