import { type Finding, hasError } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { defaultRelease } from "../requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../requests/select.ts";
import type { Specification } from "./inspector.ts";
import { type IdentityVariables, sharedVariables } from "./request.ts";

/*
 * What the specifications of all clouds share: how the requests of an OLM operator are read, the script with which an
 * administrator creates the operator's identities, and the page around it.
 */

/**
 * How often, and after how many seconds, a script tries again: the calls of a cloud fail for some time after an identity or a
 * role was created, and those of Google if two callers change a policy at the same time.
 */
export const attempts = 24;
export const pauseSeconds = 10;

/** An identity that an OLM operator's author asks administrators to create. */
export interface Specified<Request> {
  readonly request: Request;
  /** The variables in which the operator expects the identity. */
  readonly variables: readonly string[];
}

/** How a cloud reads a request of an OLM operator, and what it makes of all of them. */
interface SpecificationForm<Request> {
  readonly providerKind: string;
  readonly identityNoun: string;
  read(one: SelectedRequest): { readonly request: Request | undefined; readonly findings: readonly Finding[] };
  variables(one: SelectedRequest): IdentityVariables;
  /** What the author should change in a request that can be read. */
  advice?(request: Request): readonly Finding[];
  script(identities: readonly Specified<Request>[]): string;
  text(identities: readonly Specified<Request>[]): string;
}

/** Specifies the identities that an OLM operator's CredentialsRequests require, sorted by Secret; none if one has an error. */
export function specification<Request extends { readonly resource: Resource }>(
  items: readonly Resource[],
  form: SpecificationForm<Request>,
): Specification {
  const { requests, findings: said } = selectRequests(items, defaultRelease, form.providerKind);
  const findings = [...said];
  const read = requests.flatMap((one) => {
    const { request, findings: wrong } = form.read(one);
    const { names: variables, findings: refused } = form.variables(one);
    findings.push(...wrong, ...refused);
    return request === undefined ? [] : [{ request, variables }];
  });
  const named = read.map(({ request: { resource }, variables }) => ({ resource, variables }));
  findings.push(...sharedVariables(named, form.identityNoun));
  findings.push(...read.flatMap(({ request }) => form.advice?.(request) ?? []));
  const identities = hasError(findings) ? [] : read;
  return {
    findings,
    count: identities.length,
    script: () => form.script(identities),
    text: () => form.text(identities),
  };
}

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A request's Secret, and the Kubernetes service accounts of its component. */
interface RequestNames {
  readonly secretNamespace: string;
  readonly secretName: string;
  readonly subjects: readonly { readonly namespace: string; readonly name: string }[];
}

/** The rows of the page's table: Secret, Kubernetes service accounts, variables. */
export function tableRows(identities: readonly Specified<RequestNames>[]): string {
  const code = (text: string) => `\`${text}\``;
  const rows = identities.map(({ request: { secretNamespace, secretName, subjects }, variables }) => {
    const accounts = subjects.map(({ namespace, name }) => code(`${namespace}/${name}`)).join(", ");
    return `| ${code(`${secretNamespace}/${secretName}`)} | ${accounts} | ${variables.map(code).join(", ") || "none"} |`;
  });
  return rows.join("\n");
}

/** The variables that an operator reads: those of its identities, and if there are any, those of the cluster. */
export function variablesOf(
  identities: readonly Pick<Specified<unknown>, "variables">[],
  clusterVariables: readonly { readonly name: string }[] = [],
): readonly string[] {
  const own = identities.flatMap(({ variables }) => variables);
  return own.length === 0 ? [] : [...own, ...clusterVariables.map(({ name }) => name)];
}

/**
 * The section of the page about Secrets that do not appear, because the cluster's release does not create them.
 *
 * @param release the first OpenShift release whose cloud-credential-operator creates the Secrets: "4.14"
 */
export function secretText(release: string): string {
  return `
The operator creates CredentialsRequests, and the cloud-credential-operator creates the Secrets, usually within a minute. Before
OpenShift ${release}, the cloud-credential-operator does not create them: the operator then waits until it reports a timeout. On such
a cluster, create the Secrets by hand before you install the operator, with the keys that the operator reads.
`;
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
