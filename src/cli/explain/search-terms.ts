import { inspectors } from "../../clouds/inspectors.ts";
import { compareText } from "../../core/text.ts";
import type { ClusterPart, SearchedRole, SearchTerms } from "../../page/page.ts";
import { namedAction } from "../../permissions/permissions.ts";
import type { RoleDefinition } from "../../permissions/terms.ts";

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
