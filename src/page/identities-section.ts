import type { Trust } from "../permissions/identity.ts";
import type { Grouped, SharedIdentity } from "./groups.ts";
import { type Anchors, constant, type Markup, markup, shown, shownLines } from "./markup.ts";
import { nameIn } from "./own-names.ts";
import type { ClusterPart, IdentityPart, Page, ServiceActions, Statement } from "./page.ts";
import { hiddenTable, severityWord, whereIs } from "./sections.ts";
import {
  accountOf,
  amount,
  anySubject,
  isOfWorkload,
  isWide,
  marksOf,
  nameOf,
  namespaceOf,
  openReasons,
} from "./services.ts";

/** A section for each identity, and one for all that are the same in several clusters. */
export function identitiesSection({ clusters }: Page, grouped: Grouped, anchors: Anchors): Markup {
  const isFleet = clusters.length > 1;
  if (!isFleet) {
    return markup`${filters}${grouped.clouds.map(({ identities }) => divided(identities, 3, (one) => section(one, anchors, 3, undefined)))}`;
  }
  const parts = grouped.clouds.map(
    ({ cloud, identities, clusters: all }) =>
      markup`<div class="c"><h3 class="k" id="${anchors.cloud(cloud)}">${cloud}: ${amount(all.length, "cluster")}</h3>
${divided(identities, 4, (one) => section(one, anchors, 4, whereIs(one, grouped, anchors), kindsOf(one, grouped)))}</div>
`,
  );
  return markup`${filters}${parts}`;
}

// Those of workloads are last, and apart. The script finds an article by its position, and hides the heading with all of them.
function divided(
  identities: readonly SharedIdentity[],
  level: Level,
  sectionOf: (shared: SharedIdentity) => Markup,
): Markup {
  const workloads = identities.filter(isOfWorkload);
  const components = identities.filter((one) => !isOfWorkload(one));
  return markup`${components.map(sectionOf)}${
    workloads.length === 0
      ? undefined
      : markup`<div class="c">${heading(level, "Workloads", "k")}${workloads.map(sectionOf)}</div>
`
  }`;
}

// The script fills it and shows it: without script it would do nothing.
const filters = markup`<form aria-label="Filters" hidden>
<label>Show<select><option value="">all</option><option value="error">with errors</option><option value="warning">with warnings</option><option value="accepted">with accepted findings</option><option value="escalation">that can escalate</option><option value="wildcard">with wildcards</option><option value="reach">beyond the cluster</option><option value="changed">that change</option></select></label>
<label>Namespace<select><option value="">all</option></select></label>
<label>Service<select><option value="">all</option></select></label>
<label>Cluster<select><option value="">all</option></select></label>
<button type="button" name="open">Expand all</button>
<button type="button" name="close">Collapse all</button>
<output></output>
</form>
`;

type Level = 3 | 4 | 5;

function heading(level: Level, text: Markup | string, look = ""): Markup {
  const tag = constant(`h${level}`);
  return look === ""
    ? markup`<${tag}>${text}</${tag}>`
    : markup`<${tag} class="${look}">${text}</${tag}>
`;
}

function section(
  shared: SharedIdentity,
  anchors: Anchors,
  level: Level,
  where: Markup | undefined,
  groupNumbers: ReadonlySet<number> = new Set(),
): Markup {
  const groups = groupNumbers.size === 0 ? undefined : markup` data-c="${[...groupNumbers].join(" ")}"`;
  const { identity, findings, change, clusters } = shared;
  const [cluster] = clusters;
  const { key, documents } = identity;
  const isChanged = change !== undefined;
  const marks = marksOf(identity);
  const kinds = [
    ...findings.map(({ accepted, severity }) => (accepted === undefined ? severity : "accepted")),
    ...(["wildcard", "escalation"] as const).filter((mark) => marks[mark] !== ""),
    ...((identity.reach ?? []).length > 0 ? ["reach"] : []),
    ...(isChanged ? ["changed"] : []),
  ];
  const pills = [
    ...(kinds.includes("error") ? [markup`<span class="a error">✕ error</span>`] : []),
    ...(kinds.includes("warning") ? [markup`<span class="a">▲ warning</span>`] : []),
    ...Object.values(marks).flatMap((mark) => (mark === "" ? [] : [markup`<span class="a">${mark}</span>`])),
    ...(isChanged ? [markup`<span class="a">changes</span>`] : []),
    ...(where === undefined ? [] : [markup`<span class="a q">${inClusters(clusters)}</span>`]),
  ];
  const inner = (level + 1) as Level;
  return markup`<article id="${anchors.identity(cluster, key)}" data-n="${namespaceOf(key)}" data-k="${[...new Set(kinds)].join(" ")}"${groups}><details open><summary>${heading(level, markup`${shown(namespaceOf(key))} / ${shown(nameOf(key))}`)}${pills}</summary>
<div class="j">${where === undefined ? undefined : markup`<p>${where}</p>`}${origin(identity, cluster.noun)}
${heading(inner, "Who can use it", "s")}${trustTable(identity)}${heading(inner, "What it allows", "s")}${permissionTable(identity)}${heading(inner, "Limits", "s")}${limits(identity, cluster)}${heading(inner, "Ways of escalation", "s")}${escalations(identity)}${reach(identity, inner)}${
  isChanged
    ? markup`<p><a href="#${anchors.difference(cluster, key)}">What changes</a></p>
`
    : undefined
}${
  findings.length === 0
    ? undefined
    : markup`${heading(inner, "Findings", "s")}<ul>${findings.map(({ accepted, code, severity }) => markup`<li>${accepted === undefined ? severityWord({ severity }) : `✓ accepted ${severity}`}: <a href="#${anchors.findings(code)}">${code}</a></li>`)}</ul>
`
}</div>${ownIds(shared)}${documents.map(
    ({
      name,
      text,
    }) => markup`<details open><summary>Exact file: <code>${shown(name)}</code></summary><pre>${shownLines(text)}</pre></details>
`,
  )}</details></article>
`;
}

function kindsOf({ clusters }: SharedIdentity, grouped: Grouped): ReadonlySet<number> {
  return new Set(clusters.flatMap((cluster) => grouped.kindOf(cluster)?.number ?? []));
}

function inClusters([first, ...more]: SharedIdentity["clusters"]): string {
  return more.length === 0 ? `only in ${first.name}` : `${more.length + 1} clusters`;
}

// The IDs in each cluster, unless what the names in braces stand for says them.
function ownIds({ identity, members, clusters }: SharedIdentity): Markup | undefined {
  const [{ noun }] = clusters;
  const isSaid = !identity.id.includes(`{${nameIn(noun)}}`);
  const { assigned } = identity;
  const hasAssigned = members.length > 1 && assigned?.id !== undefined;
  if (members.length === 1 || (isSaid && !hasAssigned)) return undefined;
  const lines = members.map((one, index) =>
    [clusters[index]?.name ?? "", ...(isSaid ? [] : [one.id]), ...(hasAssigned ? [one.assigned?.id ?? ""] : [])].join(
      "  ",
    ),
  );
  return markup`<details open><summary>IDs in ${members.length} clusters</summary><pre>${shownLines(lines.join("\n"))}</pre></details>
`;
}

function origin({ id, assigned, file, request, isOfWorkload }: IdentityPart, noun: string): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    [`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`, id],
    ...(assigned === undefined ? [] : [[assigned.noun, assigned.id ?? "not in the package yet"] as const]),
    [
      isOfWorkload === true ? "WorkloadIdentity" : "Request",
      request === undefined ? undefined : [request.name, request.path].filter(Boolean).join(", in "),
    ],
    ["File", file],
  ];
  return markup`<dl class="f">${facts.flatMap(([name, text]) => (text === undefined ? [] : [markup`<dt>${name}</dt><dd><code>${shown(text)}</code></dd>`]))}</dl>`;
}

function trustTable({ trusts }: IdentityPart): Markup {
  if (trusts.length === 0)
    return markup`<p>Nobody: its files name no trust.</p>
`;
  const rows = trusts.map(
    ({ effect, subjects, issuer, audiences, conditions, unread }: Trust) =>
      markup`<tr><td class="d" data-l="Effect">${effectWord(effect)}</td><td data-l="Service account">${subjects.length === 0 ? `${anySubject} here` : subjects.map(subjectCode)}</td><td data-l="Tokens of">${codes(issuer === undefined ? [] : [issuer])}</td><td data-l="Audience">${audiences?.length === 0 ? "none" : codes(audiences ?? [])}</td><td data-l="Only when">${codes(conditions)}${unreadText(unread)}</td></tr>`,
  );
  return hiddenTable("Trust", ["Effect", "Service account", "Tokens of", "Audience", "Only when"], rows);
}

function subjectCode(subject: string): Markup {
  return markup`<code>${shown(accountOf(subject))}${wildcardPill(isWide(subject))}</code>`;
}

function permissionTable({ statements, managedPolicies }: IdentityPart): Markup {
  if (statements.length === 0 && managedPolicies.length === 0)
    return markup`<p>Nothing: its files grant no permission.</p>
`;
  const rows = [
    ...statements.map(statementRow),
    ...managedPolicies.map(
      (policy) =>
        markup`<tr><td class="d" data-l="Effect">${effectWord("Allow")}</td><td data-l="Actions"><div data-s="managed policies">whatever <code>${shown(policy)}</code> allows</div></td><td></td><td></td></tr>`,
    ),
  ];
  return hiddenTable("Permissions", ["Effect", "Actions", "On", "Only when"], rows);
}

function statementRow({ effect, actions, resources, conditions, unread }: Statement): Markup {
  const isEverything = resources.length === 1 && resources[0] === "*";
  const where = isEverything ? markup`<code>*</code><span>every resource</span>` : markup`${codes(resources)}`;
  return markup`<tr><td class="d" data-l="Effect">${effectWord(effect)}</td><td data-l="Actions">${actions.map((one) => serviceLine(one, effect))}</td><td data-l="On">${where}</td><td data-l="Only when">${codes(conditions)}${unreadText(unread)}</td></tr>`;
}

// A denied service is not among the services to filter by.
function serviceLine({ service, kind, names }: ServiceActions, effect: Statement["effect"]): Markup {
  const filter = effect === "Deny" ? undefined : markup` data-s="${service}"`;
  const said = kind === "action" ? undefined : `${kind} `;
  return markup`<div${filter}><b>${shown(service)}</b> ${said}${actionList(names)}</div>`;
}

// Names without wildcards share an element: a fleet has very many.
function actionList(names: readonly string[]): Markup[] {
  const runs: string[][] = [];
  for (const name of names) {
    const last = runs.at(-1);
    if (last === undefined || isWide(name) || last.some(isWide)) runs.push([name]);
    else last.push(name);
  }
  return runs.map(
    (run, index) =>
      markup`${index === 0 ? undefined : ", "}<code>${shown(run.join(", "))}</code>${wildcardPill(run.some(isWide))}`,
  );
}

function wildcardPill(isThere: boolean): Markup | undefined {
  return isThere ? markup`<span class="a">wildcard</span>` : undefined;
}

function effectWord(effect: Trust["effect"]): string {
  return effect === "Deny" ? "✕ denies" : "✓ allows";
}

function codes(texts: readonly string[]): Markup[] {
  return texts.map((text) => markup`<code>${shown(text)}</code>`);
}

function unreadText(unread: string | undefined): Markup | undefined {
  return unread === undefined ? undefined : markup`<span class="a">cannot be read</span><code>${shown(unread)}</code>`;
}

function limits({ boundary, maxSession }: IdentityPart, { boundaries }: ClusterPart): Markup {
  const facts = [
    ...(boundary === undefined || boundaries === undefined
      ? []
      : [
          markup`<dt>${boundaries.term}</dt><dd>${boundary === null ? "none" : markup`<code>${shown(boundary)}</code>`}</dd>`,
        ]),
    markup`<dt>Session</dt><dd>${maxSession === undefined ? "as the cloud decides" : `at most ${maxSession} seconds`}</dd>`,
  ];
  return markup`<dl class="f">${facts}</dl>
`;
}

function escalations(identity: IdentityPart): Markup {
  if (identity.escalations.length > 0)
    return markup`<ul>${identity.escalations.map(({ code, message }) => markup`<li><strong>${code}</strong>: ${shown(message)}</li>`)}</ul>
`;
  const reasons = openReasons(identity);
  if (reasons.length === 0)
    return markup`<p>None known.</p>
`;
  return markup`<p>Undecided: ${shown(reasons.join("; "))}.</p>
`;
}

function reach({ reach: reached }: IdentityPart, level: Level): Markup | undefined {
  if (reached === undefined) return undefined;
  const body =
    reached.length === 0
      ? markup`<p>Nothing known.</p>
`
      : markup`<ul>${reached.map(({ text }) => markup`<li>${shown(text)}</li>`)}</ul>
`;
  return markup`${heading(level, "Beyond the cluster", "s")}${body}`;
}

/**
 * What the script searches: the permissions and steps of each identity on the page, in the order of their sections, and how their
 * clouds write permissions. It is text in an element that is never shown. An identity of several clusters is searched as it is in the
 * first one, because names in braces could be a part of an action.
 */
export function searchData({ terms }: Page, { clouds }: Grouped): Markup {
  const identities = clouds.flatMap(({ cloud, identities: some }) =>
    some.map(({ identity: { key, trusts, request }, members: [first] }) => {
      const { permissions, managedPolicies, boundary, steps, serviceAccounts } = first?.searched ?? nothing;
      const isOther = (subject: string) => !serviceAccounts.includes(subject);
      return {
        cloud,
        key,
        names: [
          ...trusts.flatMap(({ subjects }) => subjects.filter(isOther)),
          ...(request === undefined ? [] : [request.name]),
        ],
        users: serviceAccounts,
        permissions: permissions.map(({ principals: _, ...grant }) => grant),
        managedPolicies,
        ...(boundary === undefined ? {} : { boundary }),
        ...(steps.length === 0 ? {} : { steps }),
      };
    }),
  );
  return markup`<template id="searched">${JSON.stringify({ terms, identities })}</template>
`;
}

const nothing: IdentityPart["searched"] = { permissions: [], managedPolicies: [], steps: [], serviceAccounts: [] };
