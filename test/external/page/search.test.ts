import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readClusterPart } from "../../../src/cli/explain/cluster-part.ts";
import { searchTerms } from "../../../src/cli/explain/page-parts.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../../../src/cli/package/rendered-directory.ts";
import { AskedAbout } from "../../../src/cli/report/asked.ts";
import { predefinedRoles } from "../../../src/clouds/gcp/permissions/terms.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { askWhoMay, type IdentityAnswer } from "../../../src/clouds/permissions.ts";
import { groupsOf } from "../../../src/page/groups.ts";
import { html } from "../../../src/page/html.ts";
import type { ClusterPart } from "../../../src/page/page.ts";
import { questionOf } from "../../../src/permissions/question.ts";
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
    // Managed policies with and without a known document.
    const onAws = packages.filter((path) => path.includes("on-aws-"));
    for (const [index, name] of ["AdministratorAccess", "IAMFullAccess", "Mine"].entries())
      attach(onAws[index] ?? "", name);
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
        .map((action) => action.replace(/^(?:role|(?:data )?permission) /, ""))
        .filter((action) => !action.startsWith("roles/")),
      ...inRoles.filter((_, index) => index % 20 === 0),
      ...["s3:DeleteObject", "s3:Delete*", "s3:*", "*", "*:*", "iam:PassRole", "ec2:?unInstances", "kms:Nothing"],
    ];
    const operations = inspectors.flatMap(({ questions }) => Object.keys(questions.operations));
    const words = [
      ...operations.filter((operation) => !operation.includes(" ")),
      ...[
        "s3",
        "iam",
        "compute",
        "Microsoft.Compute",
        "PassRole",
        "DeleteObject",
        "delete",
        "head-object",
        "DeleteTable",
      ],
    ];
    const wildcard = fc
      .tuple(fc.constantFrom(...new Set(actions)), fc.nat(), fc.nat(), fc.constantFrom("", "*", "?"))
      .map(([action, from, length, sign]) => {
        const start = action.search(/[:.]/) + 1 + (from % action.length);
        return sign === "" ? action : `${action.slice(0, start)}${sign}${action.slice(start + (length % 5))}`;
      });
    const question = fc.oneof({ weight: 3, arbitrary: wildcard }, fc.constantFrom(...words));
    const questions = fc.sample(question, { numRuns: 200, seed: 7 });
    const found: readonly { readonly said: string; readonly cards: Record<string, string> }[] = await page.evaluate(
      `${JSON.stringify(questions)}.map((question) => {
        const input = document.querySelector("input");
        input.value = question;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        const cards = [...document.querySelectorAll("article")].flatMap((card) => {
          const pill = card.querySelector("[data-p]");
          return card.hidden || !pill ? [] : [[card.id, pill.textContent]];
        });
        return { said: document.querySelector("output").textContent, cards: Object.fromEntries(cards) };
      })`,
    );
    // An identity that several packages have is in the section of the first.
    const { firstWithIdentity } = groupsOf(report);
    const sectionOf = (part: ClusterPart, secret: string) => `${firstWithIdentity(part, secret).name}/${secret}`;
    const counts = { allowed: 0, step: 0, undecided: 0 };
    for (const [place, word] of questions.entries()) {
      const { answers, sentence } = answerTo(word, asked);
      const cards = Object.fromEntries(
        answers.map(({ index, ...answer }) => {
          counts[answer.answer] += 1;
          return [sectionOf(parts[index] as ClusterPart, answer.secret), pillOf(answer)];
        }),
      );
      const { said = "", cards: shown } = found[place] ?? {};
      // A word that is also in names says so after the answer.
      expect({ word, said: said.replace(/ The word is in .*$/, ""), cards: shown }).toEqual({
        word,
        said: sentence,
        cards,
      });
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
    expect(problems).toEqual([]);
    await close();
  });
});

/** Attaches a managed policy to the first role of a package, as an override does. */
function attach(path: string, name: string): void {
  const [file = ""] = readdirSync(join(path, "aws/roles"));
  const role = join(path, "aws/roles", file);
  const text = JSON.stringify({ PolicyArn: `arn:aws:iam::aws:policy/${name}` });
  writeFileSync(role, `${readFileSync(role, "utf8").trimEnd()}\n  attach-role-policy-1.json: |\n    ${text}\n`);
}

/** What the command line answers, in process. */
function answerTo(word: string, asked: readonly RenderedDirectory[]) {
  const about = new AskedAbout();
  for (const [index, read] of asked.entries()) about.add(`${index}`, read);
  const { actions, said } = questionOf(word, about.clouds);
  const ask = askWhoMay({ actions });
  const answers = asked.flatMap((one, index) => ask(one).map((answer) => ({ ...answer, index })));
  const weighed = answers.map((answer) => ({ ...answer, clusters: [{ id: `${answer.index}`, count: 1 }] }));
  return { answers, sentence: about.sentence(said, weighed).replace(/ Digest of .*$/, "") };
}

function pillOf({ answer, steps }: Pick<IdentityAnswer, "answer" | "steps">): string {
  if (answer === "step") return `by ${[...new Set(steps.map(({ by }) => by))].join(", ")}`;
  return answer === "allowed" ? "can" : "undecided";
}
