/*
 * What the specifications of all clouds share: the script with which an administrator creates an OLM operator's identities,
 * and the page around it.
 */

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The section of the page about the operator's Subscription; "" if the operator reads no variables.
 *
 * @param noun what the administrator enters: "ARNs"
 */
export function subscriptionText(variables: readonly string[], noun: string): string {
  if (variables.length === 0) return "";
  const entries = variables.map((name) => `    - name: ${JSON.stringify(name)}\n      value: "<${name}>"`).join("\n");
  return `
When you install the operator, enter the ${noun} in the web console or in its Subscription. Set the approval of updates to manual,
so that you can add new permissions before you approve an update.

\`\`\`yaml
spec:
  installPlanApproval: Manual
  config:
    env:
${entries}
\`\`\`
`;
}
