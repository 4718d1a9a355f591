import { compareText } from "../core/text.ts";
import { type Anchors, type Content, type Markup, markup, shown } from "./markup.ts";
import type { ClusterPart, FindingPart, Page } from "./page.ts";
import { amount, countOf, marksOf } from "./services.ts";

/** The facts about a cluster: where it is, and whose tokens the cloud trusts. */
export function factsOf(cluster: ClusterPart, commit?: string): Markup {
  const { path, cloud, account, region, issuer, previousIssuers, keyIds, release } = cluster;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["Cloud", [cloud]],
    ["Account", list(account)],
    ["Region", list(region)],
    ["Issuer", list(issuer)],
    ["Previous issuers, still trusted", previousIssuers],
    ["Keys", keyIds],
    ["Release", list(release)],
    ["Directory", [path]],
    ["Commit", list(commit)],
  ];
  const rows = facts
    .filter(([, texts]) => texts.length > 0)
    .map(
      ([name, texts]) => markup`<dt>${name}</dt><dd>${texts.map((text) => markup`<code>${shown(text)}</code>`)}</dd>`,
    );
  return markup`<dl class="f">${rows}</dl>`;
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** The verdict: how many problems there are, what was accepted and why, and what each cluster of a fleet adds to it. */
export function verdictSection(page: Page, anchors: Anchors): Markup {
  const { clusters, made } = page;
  const findings = clusters.flatMap((cluster) => cluster.findings ?? []);
  const identities = clusters.flatMap((cluster) => cluster.identities);
  const marks = identities.map(marksOf);
  const [errors, warnings, accepted] = countsOf(findings);
  const isChecked = clusters.some((cluster) => cluster.findings !== undefined);
  const tiles = [
    ...(isChecked
      ? [
          tile(errors, errors === 1 ? "error" : "errors", errors > 0 ? "error" : "good"),
          tile(warnings, warnings === 1 ? "warning" : "warnings", warnings > 0 ? "warning" : "good"),
          tile(accepted, "accepted", ""),
        ]
      : []),
    tile(identities.length, identities.length === 1 ? "identity" : "identities", ""),
    tile(countOf(marks, "wildcard"), "with wildcards", ""),
    tile(countOf(marks, "escalation"), "can escalate", ""),
    ...(identities.some(({ reach }) => reach !== undefined)
      ? [tile(countOf(marks, "reach"), "beyond the cluster", "")]
      : []),
  ];
  return markup`<p>${sentence(page, errors, warnings, accepted)}</p>
<ul class="t">${tiles}</ul>
${byRule(findings, anchors)}${acceptedTable(page, anchors)}${accepted > 0 ? expiry(made.today) : undefined}${clusters.length > 1 ? overview(page, anchors) : undefined}`;
}

function tile(count: number | string, word: string, look: string): Markup {
  return markup`<li class="${look}"><b>${count}</b><span>${word}</span></li>`;
}

function countsOf(findings: readonly FindingPart[]): readonly [errors: number, warnings: number, accepted: number] {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const errors = open.filter(({ severity }) => severity === "error").length;
  return [errors, open.length - errors, findings.length - open.length];
}

function sentence({ clusters }: Page, errors: number, warnings: number, accepted: number): string {
  const unchecked = clusters.filter(({ findings }) => findings === undefined).length;
  const one = unchecked === 1 ? "One directory is an export" : `${unchecked} directories are exports`;
  const rest =
    unchecked === 0 ? "" : ` ${one}, which contains no requests and no configuration, so it was not validated.`;
  if (unchecked === clusters.length)
    return `Not validated: ${rest.trim()} Make the page from the package to see its findings.`;
  const open = errors + warnings;
  const found = open === 0 ? "No problem was found in the files." : `${amount(open, "problem")} in the files.`;
  const said = accepted === 0 ? "" : ` ${amount(accepted, "finding")} accepted with a reason.`;
  return `${found}${said}${rest}`;
}

function byRule(findings: readonly FindingPart[], anchors: Anchors): Markup | undefined {
  const groups = grouped(findings.filter(({ accepted }) => accepted === undefined));
  if (groups.length === 0) return undefined;
  const rows = groups.map(
    ([code, [first, ...more]]) =>
      markup`<tr><td class="${first.severity}" data-l="Severity">${severityWord(first)}</td><th scope="row"><a href="#${anchors.findings(code)}">${code}</a></th><td class="d" data-l="Findings">${more.length + 1}</td></tr>`,
  );
  return table("Problems by rule", ["Severity", "Rule", "Findings"], rows);
}

/** Findings by their codes: errors first, then by code. */
export function grouped(findings: readonly FindingPart[]): [code: string, findings: [FindingPart, ...FindingPart[]]][] {
  const groups = new Map<string, [FindingPart, ...FindingPart[]]>();
  for (const finding of findings) {
    const known = groups.get(finding.code);
    if (known === undefined) groups.set(finding.code, [finding]);
    else known.push(finding);
  }
  return [...groups].sort(([a, [x]], [b, [y]]) => compareText(x.severity, y.severity) || compareText(a, b));
}

/** The severity of a finding, with a sign: never by color alone. */
export function severityWord({ severity }: Pick<FindingPart, "severity">): string {
  return severity === "error" ? "✕ error" : "▲ warning";
}

function acceptedTable({ clusters }: Page, anchors: Anchors): Markup | undefined {
  const rows = clusters.flatMap((cluster) => {
    const keys = new Set(cluster.identities.map(({ key }) => key));
    return (cluster.findings ?? []).flatMap(({ accepted, code, identity, object }) => {
      if (accepted === undefined) return [];
      const where: Content =
        identity !== undefined && keys.has(identity)
          ? markup`<a href="#${anchors.identity(cluster, identity)}">${shown(identity)}</a>`
          : shown(object ?? cluster.name);
      return [
        markup`<tr><th scope="row"><a href="#${anchors.findings(code)}">${code}</a></th><td data-l="Of">${where}</td><td data-l="Reason">${shown(accepted.reason)}</td><td class="d" data-l="Valid">${accepted.until === undefined ? "without end" : markup`until ${accepted.until}`}</td></tr>`,
      ];
    });
  });
  return rows.length === 0 ? undefined : table("Accepted findings", ["Rule", "Of", "Reason", "Valid"], rows);
}

function expiry(today: string | undefined): Markup {
  return today === undefined
    ? markup`<p class="e">Whether an acceptance has expired was not checked: this page knows no date.</p>
`
    : markup`<p class="e">Acceptances were judged as of ${today}.</p>
`;
}

function overview({ clusters }: Page, anchors: Anchors): Markup {
  const rows = clusters.map((cluster) => {
    const { name, path, cloud, account, region, identities, findings } = cluster;
    const counts = findings === undefined ? undefined : countsOf(findings);
    const count = (index: number) => (counts === undefined ? "not validated" : String(counts[index]));
    return markup`<tr><th scope="row"><a href="#${anchors.cluster(cluster)}">${shown(name)}</a></th><td data-l="Directory"><code>${shown(path)}</code></td><td data-l="Cloud">${cloud}</td><td data-l="Account"><code>${shown(account ?? "")}</code></td><td data-l="Region">${shown(region ?? "")}</td><td data-l="Identities">${identities.length}</td><td data-l="Errors">${count(0)}</td><td data-l="Warnings">${count(1)}</td><td data-l="Accepted">${count(2)}</td></tr>`;
  });
  const heads = ["Cluster", "Directory", "Cloud", "Account", "Region", "Identities", "Errors", "Warnings", "Accepted"];
  return table("Clusters", heads, rows);
}

/** A table whose rows become blocks on a narrow screen; their cells name their columns. */
export function table(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return tableWith(markup`<caption>${caption}</caption>`, heads, rows);
}

/** A table below a heading that says the same as its caption, which is only for screen readers. */
export function hiddenTable(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return tableWith(markup`<caption class="h">${caption}</caption>`, heads, rows);
}

function tableWith(caption: Markup, heads: readonly string[], rows: readonly Markup[]): Markup {
  return markup`<table class="r">${caption}<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => markup`${row}
`,
)}</tbody></table>
`;
}
