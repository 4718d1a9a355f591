import { firstByKey } from "../core/lookup.ts";
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from "../generated/auditors-page.ts";
import { differencesSection } from "./differences.ts";
import { type Grouped, groupsOf } from "./groups.ts";
import { identitiesSection, searchData } from "./identities-section.ts";
import { type Anchors, anchorsOf, constant, type Markup, markup, shown } from "./markup.ts";
import { type Page, pageWithoutSecrets } from "./page.ts";
import { type Drawn, pictures } from "./picture.ts";
import { clustersSection, findingsSection } from "./sections.ts";
import { amount } from "./services.ts";
import { factsOf, verdictSection } from "./verdict.ts";

/**
 * The page as HTML: one file, which loads nothing. Its policy (Content Security Policy Level 3) allows only its one style and its
 * one script, by their hashes; both are constant. Everything is shown without the script.
 */
export function html(given: Page): string {
  const page = pageWithoutSecrets(given);
  const [first] = page.clusters;
  const title = page.clusters.length === 1 && first !== undefined ? first.name : `${page.clusters.length} clusters`;
  const grouped = groupsOf(page);
  const sections = sectionsOf(page, grouped);
  const policy = `default-src 'none'; style-src '${pageStyleHash}'; script-src '${pageScriptHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}: who may become what, and what may they do</title>
<style>${constant(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<header>
<p class="e">Who may become what, and what may they do</p>
<h1>${shown(title)}</h1>
${page.clusters.length === 1 && first !== undefined ? factsOf(first, page.made.commit) : undefined}
</header>
<nav aria-label="On this page"><ul>${sections.map(({ id, name }) => markup`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main>
${sections.map(
  ({ id, name, body }) => markup`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${name}</h2>
${body}</section>
`,
)}</main>
<footer>
<h2 id="made">How this page was made</h2>
<dl class="f"><dt>Command</dt><dd><code>${shown(page.made.command)}</code></dd><dt>Version</dt><dd>ccf ${shown(page.made.version)}</dd></dl>
<p>The page shows what the files in Git or in the export say. It was made without access to the cloud or to the cluster.</p>
</footer>
${searchData(page, grouped)}<script>${constant(pageScript)}</script>
</body>
</html>
`.text;
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly body: Markup;
}

function sectionsOf(page: Page, grouped: Grouped): Section[] {
  const anchors = anchorsOf(page, grouped);
  const isFleet = page.clusters.length > 1;
  const differences = differencesSection(grouped, anchors, isFleet);
  const findings = findingsSection(page, grouped, anchors);
  return [
    { id: "verdict", name: "Verdict", body: verdictSection(page, grouped, anchors) },
    ...(isFleet ? [{ id: "clusters", name: "Clusters", body: clustersSection(page, grouped, anchors) }] : []),
    { id: "picture", name: "Picture", body: pictureSection(page, grouped, anchors) },
    { id: "identities", name: "Identities", body: identitiesSection(page, grouped, anchors) },
    ...(differences === undefined ? [] : [{ id: "differences", name: "Differences", body: differences }]),
    ...(findings === undefined ? [] : [{ id: "findings", name: "Findings", body: findings }]),
    { id: "terms", name: "Terms", body: terms(page) },
  ];
}

function pictureSection({ clusters }: Page, { clouds }: Grouped, anchors: Anchors): Markup {
  const isLarge = clouds.reduce((sum, { identities }) => sum + identities.length, 0) > maxNarrow;
  const isFleet = clusters.length > 1;
  const drawings = clouds.map(({ cloud, noun, clusters: some, identities }): Drawn => {
    const [only] = some;
    const rows = identities.map(({ identity, clusters: [first, ...more] }) => ({
      identity,
      anchor: anchors.identity(first, identity.key),
      ...(isFleet ? { clusters: more.length + 1 } : {}),
    }));
    if (!isFleet && only !== undefined) return { title: `Cluster ${only.name}`, noun, rows };
    return { title: `${amount(some.length, "cluster")} in ${cloud}`, noun, rows };
  });
  const intro = markup`<p class="e">Follow the lines: a service account (round) may become an identity (filled), which may use the services after it. A dashed frame and the word “wildcard” mark permissions with a wildcard.</p>
`;
  const draw = (drawn: Drawn, index: number) => pictures(drawn, `p${index}`, isLarge);
  if (!isFleet) return markup`${intro}${drawings.map(draw)}`;
  return markup`${intro}${drawings.map(
    (
      drawn,
      index,
    ) => markup`<details class="b" open><summary><h3>${drawn.title}</h3></summary>${draw(drawn, index)}</details>
`,
  )}`;
}

/** How many identities a page draws also for narrow screens. */
const maxNarrow = 200;

function terms({ clusters }: Page): Markup {
  const named = clusters.map(({ cloud, noun }) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} in ${cloud}`);
  const boundaries = clusters.flatMap((cluster) => cluster.boundaries ?? []);
  return markup`<dl class="g">
<dt>Component identity</dt><dd>What a component of the cluster uses in the cloud: ${[...new Set(named)].join(", ")}. Each CredentialsRequest has one.</dd>
<dt>Issuer</dt><dd>Who signs the tokens of the cluster’s service accounts. The cloud trusts the public keys that the issuer publishes. Who has a private key of the issuer can become every identity.</dd>
<dt>Audience</dt><dd>For whom a token is meant. The cloud refuses a token for another audience.</dd>
${[...firstByKey(boundaries, ({ term }) => term).values()].map(
  ({ term, text }) => markup`<dt>${term}</dt><dd>${text}</dd>
`,
)}<dt>Way of escalation</dt><dd>Permissions with which an identity can get more permissions than its own, for example by changing a policy, or by starting a workload as another identity.</dd>
</dl>
`;
}
