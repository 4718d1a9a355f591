import type { OutputForm } from "../core/generated-object.ts";
import { type GeneratedObject, generatedBy, type Resource, refOf } from "../core/resource.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { serviceAccountsOf } from "./workload-identity.ts";

/**
 * Where ServiceAccounts and the patches of such are written. A patch is not in `manifests/`, because tools that apply that
 * directory would create a ServiceAccount of it.
 */
export const serviceAccountForms: readonly OutputForm[] = [
  { apiVersion: "v1", kind: "ServiceAccount", path: /^manifests\/[^/]+-serviceaccount\.yaml$/ },
  { apiVersion: "v1", kind: "ServiceAccount", path: /^patches\/[^/]+\.yaml$/, isPatch: true },
];

const patchesDirectory = "patches/";

/** The patches among generated objects. */
export function patchesAmong(objects: readonly GeneratedObject[]): readonly GeneratedObject[] {
  return objects.filter(({ path }) => path.startsWith(patchesDirectory));
}

/** Whether an object is a patch of a ServiceAccount, and not one that a cluster should get. */
export function isPatch({ kind, path = "", annotations }: Resource): boolean {
  return kind === "ServiceAccount" && path.startsWith(patchesDirectory) && annotations.has(generatedBy);
}

/** Finds a rendered ServiceAccount that would be replaced by a patch: its pods need a ServiceAccount. */
export function replacedByPatch(before: readonly Resource[], now: readonly GeneratedObject[]): readonly Resource[] {
  const patches = new Set(
    patchesAmong(now).map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`),
  );
  const isManifest = ({ kind, path = "" }: Resource) => kind === "ServiceAccount" && path.startsWith("manifests/");
  return before.filter((item) => isManifest(item) && patches.has(`${item.namespace}/${item.name}`));
}

/**
 * Argo CD applies a ServiceAccount before what uses it: the webhook does not mutate a pod whose ServiceAccount it does not know yet
 * (Argo CD, "Sync Phases and Waves").
 */
const beforePods = { "argocd.argoproj.io/sync-wave": "-1" } as const;

/** An identity, as far as its pods get to know it. */
export interface Deliverable {
  readonly request: SelectedRequest;
  /** Undefined until the cloud has assigned what it names; so are the annotations. */
  secret(): GeneratedObject | undefined;
  /** The annotations of its ServiceAccounts. */
  serviceAccount(): Readonly<Record<string, string>> | undefined;
}

/**
 * What gives pods the identity of a WorkloadIdentity: its ServiceAccounts, a patch for each, or its Secret. Undefined until the cloud
 * has assigned what they name.
 */
export function deliveredBy({ request, secret, serviceAccount }: Deliverable): readonly GeneratedObject[] | undefined {
  const { resource, workload } = request;
  if (workload?.delivery === "Secret") {
    const object = secret();
    return object === undefined ? undefined : [object];
  }
  const annotations = serviceAccount();
  if (annotations === undefined) return undefined;
  const { namespace } = resource;
  const isPatch = workload?.delivery === "Patch";
  return serviceAccountsOf(resource).map((name) => ({
    path: isPatch
      ? `${patchesDirectory}${namespace}-${name}.yaml`
      : `manifests/${namespace}-${name}-serviceaccount.yaml`,
    object: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    annotations: isPatch ? annotations : { ...beforePods, ...annotations },
    origin: refOf(resource),
  }));
}
