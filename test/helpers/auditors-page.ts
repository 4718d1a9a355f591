import type { ClusterPart, FindingPart, IdentityPart, Page } from "../../src/page/page.ts";

/** An identity of a page, with what a test changes. */
export function identityPart(changes: Partial<IdentityPart> = {}): IdentityPart {
  return {
    key: "openshift-ingress-operator/cloud-credentials",
    id: "arn:aws:iam::123456789012:role/demo-openshift-ingress-operator-cloud-credentials",
    trusts: [
      {
        effect: "Allow",
        issuer: "https://oidc.example.com",
        subjects: ["system:serviceaccount:openshift-ingress-operator:ingress-operator"],
        audiences: ["openshift"],
        conditions: [],
      },
    ],
    statements: [
      {
        effect: "Allow",
        actions: [{ service: "route53", kind: "action", names: ["ChangeResourceRecordSets", "ListHostedZones"] }],
        resources: ["*"],
        conditions: [],
      },
    ],
    searched: {
      permissions: [],
      managedPolicies: [],
      steps: [],
      serviceAccounts: ["system:serviceaccount:openshift-ingress-operator:ingress-operator"],
    },
    own: [],
    managedPolicies: [],
    boundary: null,
    maxSession: 3600,
    escalations: [],
    request: { name: "openshift-ingress", path: "credentials-requests/20-ingress.yaml" },
    file: "aws/roles/openshift-ingress-operator-cloud-credentials.yaml",
    documents: [{ name: "trust-policy.json", text: '{\n  "Version": "2012-10-17"\n}\n' }],
    ...changes,
  };
}

/** A cluster of a page, with what a test changes. */
export function clusterPart(changes: Partial<ClusterPart> = {}): ClusterPart {
  return {
    path: "clusters/demo",
    name: "demo",
    cloud: "AWS",
    noun: "role",
    boundaries: { term: "Permissions boundary", text: "A policy that limits a role." },
    account: "123456789012",
    region: "us-east-2",
    issuer: "https://oidc.example.com",
    previousIssuers: [],
    keyIds: ["key-1"],
    release: "4.20.3",
    owner: undefined,
    own: [],
    findings: [],
    identities: [identityPart()],
    ...changes,
  };
}

/** A page, with what a test changes. */
export function pageOf(...clusters: readonly ClusterPart[]): Page {
  return { clusters, terms: [], made: { version: "1.2.3", command: "ccf explain clusters/demo -o html" } };
}

/** Many identities with several service accounts and services each, in clusters of 50; no two of them are the same. */
export function fleetPage(count: number): Page {
  const clusters = Array.from({ length: Math.ceil(count / 50) }, (_, index) => {
    const size = Math.min(50, count - index * 50);
    const identities = Array.from({ length: size }, (_, place) => manyServices(String(place).padStart(2, "0"), index));
    return clusterPart({ name: `cluster-${index}`, path: `clusters/cluster-${index}`, identities });
  });
  return pageOf(...clusters);
}

function manyServices(place: string, cluster: number): IdentityPart {
  const subjects = ["controller", "operator"].map((name) => `system:serviceaccount:openshift-${place}:${name}`);
  const [trust] = identityPart().trusts;
  const services = ["autoscaling", "ec2", "elasticloadbalancing", "kms", "s3"];
  const actions = services.map((service) => ({
    service,
    kind: "action",
    names: ["Create", "Delete", "Describe", "Modify"].map((verb) => `${verb}Thing${cluster}`),
  }));
  return identityPart({
    key: `openshift-${place}/cloud-credentials`,
    trusts: trust === undefined ? [] : [{ ...trust, subjects }],
    statements: [{ effect: "Allow", actions, resources: ["*"], conditions: [] }],
    documents: [{ name: "permissions-policy.json", text: `${JSON.stringify({ actions }, null, 2)}\n` }],
  });
}

/** A finding of a page, with what a test changes. */
export function findingPart(changes: Partial<FindingPart> = {}): FindingPart {
  return {
    severity: "warning",
    code: "pass-role-any",
    message: "can pass any role",
    object: "CredentialsRequest openshift-ingress",
    file: "credentials-requests/20-ingress.yaml",
    identity: "openshift-ingress-operator/cloud-credentials",
    ...changes,
  };
}

/** A page in which every text is the given one, as far as it is data. */
export function pageWith(text: string): Page {
  const [trust] = identityPart().trusts;
  const identity = identityPart({
    key: `${text}/${text}`,
    id: text,
    assigned: { noun: "client ID", id: text },
    trusts: [
      {
        ...trust,
        effect: "Allow",
        issuer: text,
        subjects: [text],
        audiences: [text],
        conditions: [text],
        unread: text,
      },
    ],
    statements: [
      {
        effect: "Allow",
        actions: [{ service: text, kind: "action", names: [text] }],
        resources: [text],
        conditions: [text],
        unread: text,
      },
    ],
    managedPolicies: [text],
    boundary: text,
    escalations: [{ code: "privilege-escalation", message: text }],
    reach: [{ text, isUndecided: false }],
    request: { name: text, path: text },
    file: text,
    documents: [{ name: text, text }],
  });
  const cluster = clusterPart({
    path: text,
    name: text,
    account: text,
    region: text,
    issuer: text,
    previousIssuers: [text],
    keyIds: [text],
    release: text,
    findings: [
      findingPart({ message: text, object: text, file: text, identity: `${text}/${text}` }),
      findingPart({ message: text, object: text, file: text, accepted: { reason: text, until: "2027-06-30" } }),
    ],
    identities: [identity],
    differences: {
      against: text,
      verdict: "both",
      counts: "1 both",
      notes: [text],
      sections: [{ keys: [`${text}/${text}`], headline: text, lines: [`+ ${text}`, `- ${text}`, `~ ${text}`, text] }],
      steps: { before: [text], with: [text], after: [text] },
    },
  });
  return {
    clusters: [cluster, { ...cluster, path: `${text}2` }],
    terms: [],
    made: { version: "1", command: text, commit: text },
  };
}
