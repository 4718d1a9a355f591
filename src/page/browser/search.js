// @ts-nocheck: the checks of this repository know no browser. test/external/page/browser.test.ts runs it.
// What an identity may do is asked of the same code as `ccf report --who-may`: tools/generate.mjs bundles both.
import { whoMay } from "../../permissions/who-may.ts";

const { terms, identities } = JSON.parse(document.querySelector("#searched").content.textContent);
const clouds = new Map(
  terms.map(({ cloud, actionsIgnoreCase, actionForm, actionFlags, operators, roles }) => [
    cloud,
    {
      terms: {
        actionsIgnoreCase,
        actionForm: new RegExp(actionForm, actionFlags),
        isKnownOperator: (operator) => operators.includes(operator),
      },
      roles: new Map(
        Object.entries(roles).map(([name, role]) => [
          name,
          Array.isArray(role) ? { permissions: role } : { permissions: [], ...role },
        ]),
      ),
    },
  ]),
);
const holders = identities.map(({ names, permissions, ...rest }) => ({
  ...rest,
  text: names.join("\n").toLowerCase(),
  permissions: permissions.map((grant) => ({ ...grant, principals: [""] })),
}));

/** Whether a word is an action of a cloud on the page. */
export const isAction = (word) => [...clouds.values()].some(({ terms }) => terms.actionForm.test(word));

/** For a word, how each identity answers: "allowed" or "undecided", "named" if a name contains the word, or undefined. */
export const search = (word) => {
  const text = word.toLowerCase();
  const asked = new Map(
    [...clouds].map(([cloud, { terms, roles }]) => [cloud, whoMay({ action: word }, terms, roles)]),
  );
  return holders.map(
    (holder) => asked.get(holder.cloud)?.(holder, {})?.answer ?? (holder.text.includes(text) ? "named" : undefined),
  );
};
