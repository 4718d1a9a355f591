import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors, roleDefinitionsOf, rulesFor } from "../../clouds/inspectors.ts";
import { hasError } from "../../core/finding.ts";
import { compareText } from "../../core/text.ts";
import { sortFindings, withSubject } from "../../krm/results.ts";
import type { ClusterPart, Differences, Escalation, SearchedRole, SearchTerms } from "../../page/page.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import { namedAction } from "../../permissions/permissions.ts";
import type { OwnCluster, RoleDefinition } from "../../permissions/terms.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import { readFacts } from "../../rules/rule.ts";
import { describedDiff } from "../../upgrade/described-diff.ts";
import { counts, headline } from "../../upgrade/diff-text.ts";
import { changeLines, definitionLines, firstOf, stepLines } from "../../upgrade/lines.ts";
import { diffAlone, diffSides } from "../diff-permissions/compare-sides.ts";
import { readSide } from "../diff-permissions/comparison-side.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { OldSide } from "./old-sides.ts";

/**
 * What changed since another side, as `ccf diff-permissions` compares.
 *
 * @param apart packages inside the directory that are compared by themselves.
 * @throws FindingsError if the two cannot be compared.
 */
export function readDifferences(
  { old, inside, isNew }: OldSide,
  directory: string,
  apart: readonly string[],
): Differences {
  const now = readSide(directory, [], apart);
  const definitionsOf = roleDefinitionsOf();
  const { diff, findings } = isNew
    ? diffAlone(now, "new", definitionsOf)
    : diffSides(readSide(old, [], inside), now, undefined, definitionsOf);
  if (hasError(findings)) throw new FindingsError(findings);
  const { identities, verdict, certain = verdict, roleDefinitions } = describedDiff(diff);
  return {
    against: old,
    verdict,
    isUndecided: certain !== verdict,
    counts: counts(identities),
    notes: [
      ...(isNew ? ["The package is new: the other side does not have it, so each of its identities is new."] : []),
      ...sortFindings(findings).map(withSubject),
      ...definitionLines(roleDefinitions),
    ],
    identities: identities
      .filter(({ change }) => change !== "none")
      .map((one) => ({ key: one.identity, headline: headline(one), lines: firstOf(changeLines(one)) })),
    steps: {
      before: stepLines(identities, "before"),
      with: stepLines(identities, "with"),
      after: stepLines(identities, "after"),
    },
  };
}

/**
 * The ways in which a rendered identity can get more permissions than its own, as the rules of its cloud know them. They are judged
 * by its files alone, so that an accepted way, and a way that its request asks for, is found, too.
 *
 * @param own what distinguishes its cluster from others.
 */
export function escalationsOf(identity: RenderedIdentity, cloud: Inspector, own: OwnCluster): Escalation[] {
  const facts = readFacts({
    items: [],
    live: [],
    installConfig: undefined,
    identity: undefined,
    release: defaultRelease,
    cloud,
    clouds: inspectors,
    rendered: [identity],
    documentIssuer: undefined,
    requests: [],
    own,
    rendering: [],
    today: undefined,
  });
  return rulesFor(cloud).flatMap(({ code, escalates, check }) =>
    escalates === true
      ? check(facts).map(({ message, isUndecided }) => ({
          ...{ code, message: withoutField(message) },
          ...(isUndecided === true ? { isUndecided } : {}),
        }))
      : [],
  );
}

// A message begins with the field that contains the permissions. Here they are right above.
function withoutField(message: string): string {
  return message.replace(/^"data\.[^"]*" /, "");
}

/** What the search of a page must know of the clouds of its clusters, so that it answers as `ccf report --who-may` does. */
export function searchTerms(clusters: readonly ClusterPart[]): SearchTerms[] {
  const titles = new Set(clusters.map(({ cloud }) => cloud));
  return inspectors
    .filter(({ title }) => titles.has(title))
    .map(({ title, terms, features }): SearchTerms => {
      const grants = clusters
        .filter(({ cloud }) => cloud === title)
        .flatMap(({ identities }) => identities.flatMap(({ permissions }) => permissions));
      const operators = new Set(grants.flatMap(({ condition }) => condition.map(({ operator }) => operator)));
      const known = features.roles?.known();
      const roles = new Set(
        grants
          .flatMap(({ actions }) => actions.map(namedAction))
          .flatMap((one) => (one?.kind === "role" ? one.name : [])),
      );
      const definitions = [...roles].sort(compareText).flatMap((name) => {
        const definition = known?.get(name) ?? known?.get(name.toLowerCase());
        return definition === undefined ? [] : [[name, searchedRole(definition)] as const];
      });
      return {
        cloud: title,
        actionsIgnoreCase: terms.actionsIgnoreCase,
        actionForm: terms.actionForm.source,
        actionFlags: terms.actionForm.flags,
        operators: [...operators].filter((one) => terms.isKnownOperator(one)).sort(compareText),
        roles: Object.fromEntries(definitions),
      };
    });
}

function searchedRole({ permissions, grants }: RoleDefinition): SearchedRole {
  return grants === undefined ? permissions : { grants };
}
