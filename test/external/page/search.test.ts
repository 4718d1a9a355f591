import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readClusterPart } from "../../../src/cli/explain/cluster-part.ts";
import { searchTerms } from "../../../src/cli/explain/page-parts.ts";
import { readRenderedDirectory } from "../../../src/cli/package/rendered-directory.ts";
import { predefinedRoles } from "../../../src/clouds/gcp/permissions/terms.ts";
import { askWhoMay } from "../../../src/clouds/permissions.ts";
import { groupsOf } from "../../../src/page/groups.ts";
import { html } from "../../../src/page/html.ts";
import type { ClusterPart } from "../../../src/page/page.ts";
import { run } from "../../helpers/ccf.ts";
import { launched, opened } from "../../helpers/chromium.ts";
import { signerKeyFile, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

const platforms = {
  aws: ["--account-id", "123456789012", "--region", "us-east-2"],
  gcp: ["--project-id", "demo-project", "--project-number", "123456789012", "--region", "us-central1"],
  azure: [
    ...["--subscription-id", "00000000-1111-2222-3333-444444444444", "--region", "eastus"],
    ...["--tenant-id", "55555555-6666-7777-8888-999999999999"],
  ],
} as const;

describeWithCorpus(["chromium"], "the search of the page, on real requests", () => {
  const { directory } = keptTemporary();
  const packages: string[] = [];
  let browser: Browser;
  beforeAll(async () => {
    browser = await launched();
    for (const release of readdirSync(join(corpus, "releases"))) {
      for (const [platform, flags] of Object.entries(platforms)) {
        // Requests of 4.13 for Azure name no service accounts.
        if (platform === "azure" && release === "4.13") continue;
        const name = `on-${platform}-${release.replace(".", "-")}`;
        const requests = ["--credentials-requests", join(corpus, "releases", release, platform)];
        const key = ["--public-key-file", signerKeyFile];
        succeed(
          run(["init", name, "--platform", platform, "--name", name, ...flags, ...key, ...requests], {
            cwd: directory,
          }),
        );
        succeed(run(["render", "--quiet", name], { cwd: directory }));
        packages.push(join(directory, name));
      }
    }
  }, 120_000);
  afterAll(() => browser?.close());

  it("agrees with ccf report --who-may in 200 random questions", async () => {
    const parts = packages.map((path) =>
      readClusterPart(path, { against: undefined, today: undefined, documents: new Map() }),
    );
    const asked = packages.map((path) => readRenderedDirectory(path));
    const report = { clusters: parts, terms: searchTerms(parts), made: { version: "1", command: "ccf explain" } };
    const { page, problems, close } = await opened(browser, directory, html(report));
    // Actions that the packages name or that their roles contain, others, and wildcards in any place of both.
    const named = asked.flatMap(({ cluster }) =>
      cluster.identities.flatMap(({ permissions }) => permissions.flatMap(({ actions }) => actions)),
    );
    const inRoles = ["roles/compute.admin", "roles/storage.admin", "roles/dns.admin"].flatMap(
      (role) => predefinedRoles().get(role)?.permissions ?? [],
    );
    const actions = [
      ...named
        .map((action) => action.replace(/^(?:role|permission) /, ""))
        .filter((action) => !action.startsWith("roles/")),
      ...inRoles.filter((_, index) => index % 20 === 0),
      ...["s3:DeleteObject", "s3:Delete*", "s3:*", "*", "*:*", "iam:PassRole", "ec2:?unInstances", "kms:Nothing"],
    ];
    const question = fc
      .tuple(fc.constantFrom(...new Set(actions)), fc.nat(), fc.nat(), fc.constantFrom("", "*", "?"))
      .map(([action, from, length, wildcard]) => {
        const start = action.search(/[:.]/) + 1 + (from % action.length);
        return wildcard === "" ? action : `${action.slice(0, start)}${wildcard}${action.slice(start + (length % 5))}`;
      });
    const questions = fc.sample(question, { numRuns: 200, seed: 7 });
    const found: readonly (readonly string[])[] = await page.evaluate(`${JSON.stringify(questions)}.map((question) => {
      const input = document.querySelector("input");
      input.value = question;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      return [...document.querySelectorAll("article")].filter((one) => !one.hidden).map(({ id }) => id);
    })`);
    // An identity that several packages have is in the section of the first.
    const { firstWithIdentity } = groupsOf(report);
    const sectionOf = (part: ClusterPart, secret: string) => `${firstWithIdentity(part, secret).name}/${secret}`;
    let answers = 0;
    for (const [place, action] of questions.entries()) {
      const ask = askWhoMay({ action });
      const expected = new Set(
        parts.flatMap((part, index) => {
          const one = asked[index];
          return one === undefined ? [] : ask(one).map(({ secret }) => sectionOf(part, secret));
        }),
      );
      answers += expected.size;
      expect({ action, found: [...(found[place] ?? [])].sort() }).toEqual({ action, found: [...expected].sort() });
    }
    expect(answers).toBeGreaterThan(500);
    expect(problems).toEqual([]);
    await close();
  });
});
