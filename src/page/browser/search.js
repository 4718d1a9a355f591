// @ts-nocheck: the checks of this repository know no browser. test/external/page/browser.test.ts runs it.
// What an identity may do is asked of the same code as `ccf report --who-may`: tools/generate.mjs bundles both.
import { sentence, together, wholeAnswer } from "../../permissions/answer.ts";
import { questionOf } from "../../permissions/question.ts";
import { ActionNames } from "../../permissions/vocabulary.ts";
import { whoMay } from "../../permissions/who-may.ts";

const { terms, identities } = JSON.parse(document.querySelector("#searched").content.textContent);
const clouds = new Map(
  terms.map(
    ({ cloud, actionsIgnoreCase, actionForm, actionFlags, nameForm, separator, operators, operations, roles }) => {
      const notation = {
        actionsIgnoreCase,
        actionForm: new RegExp(actionForm, actionFlags),
        nameForm: nameForm && new RegExp(nameForm),
        separator,
      };
      return [
        cloud,
        {
          cloud,
          notation,
          operations,
          names: new ActionNames(notation),
          terms: { ...notation, isKnownOperator: (operator) => operators.includes(operator) },
          roles: new Map(
            Object.entries(roles).map(([name, role]) => [
              name,
              Array.isArray(role) ? { permissions: role } : { permissions: [], ...role },
            ]),
          ),
        },
      ];
    },
  ),
);
const holders = identities.map(({ key, names, users, permissions, steps = [], ...rest }) => ({
  ...rest,
  key,
  users,
  text: [key, ...names, ...users].join("\n").toLowerCase(),
  permissions: permissions.map((grant) => ({ ...grant, principals: [""] })),
  // The page does not say why a step is open.
  steps: steps.map(({ isUndecided, ...step }) => ({ ...step, ...(isUndecided && { doubt: "?" }) })),
}));
for (const { cloud, permissions } of holders) {
  const { names, roles } = clouds.get(cloud) ?? {};
  names?.addHolder({ permissions }, roles);
}
const actions = [...clouds.values()].reduce((sum, { names }) => sum + names.count, 0);

/**
 * For a word, what it asks for, and how each identity answers: "allowed", "step" or "undecided" with the steps and the actions that
 * make it so, "named" if a name contains the word, or nothing.
 *
 * @param groups the groups of clusters of each identity, in their order.
 */
export const search = (word, groups) => {
  const { said, is, actions: asked } = questionOf(word, [...clouds.values()]);
  const named = holders.map(({ text }) => text.includes(word.toLowerCase()));
  // What is neither an action nor a part of one is a name, if it is one.
  const isName = is === "none" || (is === "guess" && named.includes(true));
  const asks = new Map(
    [...clouds].map(([cloud, { terms: own, roles }]) => [
      cloud,
      (asked.get(cloud) ?? []).map((action) => whoMay({ action }, own, roles)),
    ]),
  );
  const direct = holders.map((holder) => together((asks.get(holder.cloud) ?? []).map((ask) => ask(holder, {}))));
  const answerOf = (holder, index) => {
    const own = asked.get(holder.cloud) ?? [];
    if (own.length === 0) return undefined;
    const directOf = (key) =>
      direct.find((_, at) => {
        const other = holders[at];
        return (
          other.cloud === holder.cloud && other.key === key && groups[at].some((one) => groups[index].includes(one))
        );
      });
    const { actionsIgnoreCase: ignoresCase } = clouds.get(holder.cloud).terms;
    return wholeAnswer(holder, direct[index], () => holder.steps, { actions: own, ignoresCase }, directOf);
  };
  const answers = holders.map((holder, index) => {
    const found = isName ? undefined : answerOf(holder, index);
    const { answer = named[index] ? "named" : undefined, steps = [], by = [] } = found ?? {};
    const actions = new Set(by.flatMap(({ patterns, role }) => [...patterns, ...(role ? [role] : [])]));
    return { answer, steps, actions: [...actions], serviceAccounts: holder.users };
  });
  return { said, isName, answers };
};

/** An action that an identity of the page has. */
export const example = holders
  .flatMap(({ permissions }) => permissions.flatMap((grant) => grant.actions))
  .find((action) => !/[ *?]/.test(action));

/** The whole answer in the sentence that `ccf report --who-may` prints first. */
export const sentenceOf = (said, weighed, looked) => sentence(said, weighed, { ...looked, actions });
