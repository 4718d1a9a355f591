import { ruleCode } from "../../core/finding.ts";
import { quotedList } from "../granted.ts";
import type { Facts, Rule } from "../rule.ts";

/**
 * Audiences that the API server of a cluster accepts: its issuer (Kubernetes documentation, kube-apiserver, `--api-audiences`), which
 * is the first of these on OpenShift unless the Authentication names another one.
 */
const ofApiServer = [
  "https://kubernetes.default.svc",
  "https://kubernetes.default.svc.cluster.local",
  "kubernetes.default.svc",
];

const field = "spec.issuer.audiences";

export const audienceOfApiServer: Rule = {
  code: ruleCode("audience-of-api-server"),
  severity: "warning",
  reads: "package",
  summary: "The cloud accepts tokens for an audience that the cluster's API server also accepts.",
  why: "Each pod has a default token for the API server, and sends it to the API server or to a proxy in front of it. The audience of this token is the issuer, or the address of the API server. If the cloud accepts this audience, the default token of a component's service account is also a credential of the cloud, and anyone who gets it can use the component's permissions. Components use a separate token for the audience `openshift`.",
  cure: "Remove the audience from `spec.issuer.audiences`, and render again. If a workload needs it, request a token for another audience for the workload.",
  check: (facts) => {
    const { identity, rendered } = facts;
    const accepted = new Set([...ofApiServer, ...issuersOf(facts)].map(withoutSlash));
    const isAccepted = (audience: string) => accepted.has(withoutSlash(audience));
    const found = rendered.flatMap(({ resource, trusts }) => {
      const wide = trusts.flatMap(({ audiences = [] }) => audiences).filter(isAccepted);
      return wide.length === 0 || resource === undefined ? [] : [{ wide, resource }];
    });
    const given = new Set(identity?.issuer.audiences);
    const configured = found.flatMap(({ wide }) => wide.filter((audience) => given.has(audience)));
    const ofConfig =
      identity === undefined || configured.length === 0
        ? []
        : [{ message: `"${field}" contains ${quotedList(configured)}${because}`, resource: identity.resource, field }];
    const edited = found.flatMap(({ wide, resource }) => {
      const others = wide.filter((audience) => !given.has(audience));
      const message = `accepts tokens for the audience ${quotedList(others)}${because}`;
      return others.length === 0 ? [] : [{ message, resource }];
    });
    return [...ofConfig, ...edited];
  },
};

const because =
  ", which the cluster's API server also accepts, so the default token of a pod is a credential of the cloud; remove the audience.";

function issuersOf({ identity, documentIssuer }: Facts): string[] {
  const { url, previous = [] } = identity?.issuer ?? {};
  return [documentIssuer, url, ...previous].filter((issuer) => issuer !== undefined);
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, "");
}
