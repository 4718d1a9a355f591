import { dirname, join, relative, sep } from "node:path";
import { inspectors, roleDefinitionsOf } from "../../clouds/inspectors.ts";
import { hasError } from "../../core/finding.ts";
import { compareText, quote } from "../../core/text.ts";
import { describedDiff } from "../../diff/described-diff.ts";
import { counts, sectionsOf } from "../../diff/diff-text.ts";
import { definitionLines, stepLines } from "../../diff/lines.ts";
import { sortFindings, withSubject } from "../../krm/results.ts";
import type { ClusterPart, Differences, SearchedRole, SearchTerms } from "../../page/page.ts";
import { namedAction } from "../../permissions/permissions.ts";
import type { RoleDefinition } from "../../permissions/terms.ts";
import { realPathOf, statOf } from "../files/paths.ts";
import { findPackages } from "../fleet/find-packages.ts";
import { insideOf, type Place, type Selection } from "../fleet/select-packages.ts";
import { diffAlone, diffSides } from "../permissions/compare-sides.ts";
import { readSide } from "../permissions/comparison-side.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** What a package is compared with. */
export interface OldSide {
  /** A package, an export, or CredentialsRequests; for a new package, the directory that does not have it. */
  readonly old: string;
  readonly isNew: boolean;
  /** The packages inside it that are compared by themselves. */
  readonly inside?: readonly string[];
}

/** The old sides of the packages of a command line. */
export interface OldSides {
  of(place: Place): OldSide;
  /** The packages that only the old side has; empty unless a directory was searched. */
  readonly gone: readonly string[];
}

/**
 * Pairs packages with those of `--against OLD` by their paths. If OLD contains no packages, each is compared with OLD itself. Paths
 * are relative to the root that was searched. Those of a list of directories are relative to the current directory or, if OLD has
 * none of these, to the nearest directory that contains all of them.
 *
 * @throws UsageError if OLD is one package.
 */
export function pairSides(against: string, { all }: Selection, root: string | undefined): OldSides {
  const old = new Set(statOf(against)?.isDirectory() === true ? findPackages(against) : []);
  if (old.size === 0) return { of: () => ({ old: against, isNew: false }), gone: [] };
  const parent = commonParent(all.map(({ directory }) => realPathOf(directory)));
  const belowParent = ({ directory }: Place) => slashes(relative(parent, realPathOf(directory)));
  const pathOf = root !== undefined || all.some(({ path }) => old.has(path)) ? ({ path }: Place) => path : belowParent;
  const now = new Set(all.map(pathOf));
  if (old.has(".") && !now.has("."))
    throw new UsageError(
      `--against ${quote(against)} is one package; name a directory with the same packages, or show one package`,
    );
  return {
    of: (place) => {
      const path = pathOf(place);
      if (!old.has(path)) return { old: against, isNew: true };
      return { old: join(against, path), isNew: false, inside: insideOf(path, [...old]) };
    },
    gone: root === undefined ? [] : [...old].filter((path) => !now.has(path)).map((path) => join(against, path)),
  };
}

function commonParent(paths: readonly string[]): string {
  const [first = "/", ...others] = paths.map(dirname);
  return others.reduce((parent, path) => {
    let at = parent;
    while (path !== at && !path.startsWith(at === "/" ? "/" : `${at}${sep}`)) at = dirname(at);
    return at;
  }, first);
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}

/**
 * What changed since another side, as `ccf diff` compares.
 *
 * @param apart packages inside the directory that are compared by themselves.
 * @throws FindingsError if the two cannot be compared.
 */
export function readDifferences(
  { old, inside, isNew }: OldSide,
  directory: string,
  apart: readonly string[],
): Differences {
  const now = readSide(directory, apart);
  const definitionsOf = roleDefinitionsOf();
  const { diff, findings, stateFindings } = isNew
    ? diffAlone(now, "new", definitionsOf)
    : diffSides(readSide(old, inside), now, undefined, definitionsOf);
  if (hasError(findings)) throw new FindingsError(findings);
  const described = describedDiff(diff);
  const { identities, verdict, certain = verdict, only, roleDefinitions } = described;
  return {
    against: old,
    verdict,
    isUndecided: certain !== verdict,
    ...(only === undefined ? {} : { only }),
    counts: counts(identities),
    notes: [
      ...(isNew ? ["The package is new: the other side does not have it, so each of its identities is new."] : []),
      ...sortFindings([...stateFindings, ...findings]).map(withSubject),
      ...definitionLines(roleDefinitions),
    ],
    sections: sectionsOf(described).map(({ keys, title, lines }) => ({ keys, headline: title, lines })),
    steps: {
      before: stepLines(identities, "before"),
      with: stepLines(identities, "with"),
      after: stepLines(identities, "after"),
    },
  };
}

/** What the search of a page must know of the clouds of its clusters, so that it answers as `ccf report --who-may` does. */
export function searchTerms(clusters: readonly ClusterPart[]): SearchTerms[] {
  const titles = new Set(clusters.map(({ cloud }) => cloud));
  return inspectors
    .filter(({ title }) => titles.has(title))
    .map(({ title, terms, features, questions }): SearchTerms => {
      const grants = clusters
        .filter(({ cloud }) => cloud === title)
        .flatMap(({ identities }) => identities.flatMap(({ searched }) => searched.permissions));
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
        separator: terms.separator,
        ...(terms.nameForm === undefined ? {} : { nameForm: terms.nameForm.source }),
        operations: questions.operations,
        operators: [...operators].filter((one) => terms.isKnownOperator(one)).sort(compareText),
        roles: Object.fromEntries(definitions),
      };
    });
}

function searchedRole({ permissions, grants }: RoleDefinition): SearchedRole {
  return grants === undefined ? permissions : { grants };
}
