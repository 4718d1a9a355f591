import { byRisk, type Grouped, type SharedIdentity } from "./groups.ts";
import { type Anchors, type Markup, markup, shown } from "./markup.ts";
import { severityWord, table } from "./sections.ts";
import { amount, isOfWorkload, marksOf, servicesOf, subjectsOf } from "./services.ts";

/** The summary of all identities: what fits on one printed page, the riskiest first. */
export function summarySection({ clouds }: Grouped, anchors: Anchors): Markup {
  const all = clouds.flatMap(({ identities }) => identities).sort(byRisk);
  const isFleet = clouds.flatMap(({ clusters }) => clusters).length > 1;
  if (all.length === 0)
    return markup`<p>No identity.</p>
`;
  const components = all.filter((one) => !isOfWorkload(one));
  const workloads = all.filter(isOfWorkload);
  const least = Math.min(workloads.length, maxRows / 2);
  const shownComponents = components.slice(0, maxRows - least);
  const shownWorkloads = workloads.slice(0, maxRows - shownComponents.length);
  const rest = all.length - shownComponents.length - shownWorkloads.length;
  return markup`<p class="e">Sorted by risk: errors first, then ways of escalation, what reaches beyond the cluster, wildcards, and warnings.</p>
${part("Components", shownComponents, anchors, isFleet)}${part("Workloads", shownWorkloads, anchors, isFleet)}${
  rest === 0
    ? undefined
    : markup`<p>And ${rest} more, in the section <a href="#identities">Identities</a>.</p>
`
}`;
}

/** How many rows fit on a printed page, if each has a few lines. */
const maxRows = 20;

function part(
  name: string,
  identities: readonly SharedIdentity[],
  anchors: Anchors,
  isFleet: boolean,
): Markup | undefined {
  if (identities.length === 0) return undefined;
  return table(
    name,
    ["Identity", ...(isFleet ? ["Clusters"] : []), "Used by", "Services", "Look at"],
    identities.map((one) => row(one, anchors, isFleet)),
  );
}

function row({ identity, findings, clusters }: SharedIdentity, anchors: Anchors, isFleet: boolean): Markup {
  const [cluster] = clusters;
  const { name, cloud } = cluster;
  const which = clusters.length === 1 ? name : amount(clusters.length, "cluster");
  const where = isFleet ? markup`<td data-l="Clusters">${shown(`${which} in ${cloud}`)}</td>` : undefined;
  const { key } = identity;
  const anchor = anchors.identity(cluster, key);
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const severities = [...new Set(open.map(severityWord))];
  const marks = Object.values(marksOf(identity)).filter((mark) => mark !== "");
  const services = servicesOf(identity).map((one) => `${one.name} (${one.amount})`);
  return markup`<tr data-i="${anchor}"><th scope="row"><a href="#${anchor}">${shown(key)}</a></th>${where}<td data-l="Used by">${shown(few(subjectsOf(identity)))}</td><td data-l="Services">${shown(few(services))}</td><td data-l="Look at">${[...severities, ...marks].join(", ")}</td></tr>`;
}

function few(texts: readonly string[]): string {
  if (texts.length <= maxTexts) return texts.join(", ");
  return `${texts.slice(0, maxTexts - 1).join(", ")}, and ${texts.length - maxTexts + 1} more`;
}

const maxTexts = 5;
