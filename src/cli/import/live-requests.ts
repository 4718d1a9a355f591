import type { Inspector } from "../../clouds/inspector.ts";
import { known } from "../../clouds/live-cluster.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { isSubdomain, type Resource, valueAt } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { providerSpecOf } from "../../requests/credentials-request.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { UsageError } from "../terminal/errors.ts";

/** The requests that belong in the package of a live cluster. */
export interface LiveRequests {
  /** Those for its cloud. */
  readonly requests: readonly Resource[];
  /** Everything that the files contain. */
  readonly items: readonly Resource[];
  /** Their files, by path. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly findings: readonly Finding[];
}

/** Selects the requests for a cloud, without those of OLM operators, whose Secrets the cluster creates itself. */
export function liveRequests(all: readonly Resource[], { providerKind, operators }: Inspector): LiveRequests {
  const ofCloud = all.filter((request) => providerSpecOf(request.value())?.["kind"] === providerKind);
  const isOperators = (request: Resource) =>
    !isOfRelease(request.annotations) &&
    [...operators.writtenFields].some((field) => (valueAt(request.value(), field.split(".")) ?? "") !== "");
  const requests = ofCloud.filter((request) => !isOperators(request));
  const findings = ofCloud.filter(isOperators).map((resource) => {
    const message =
      'belongs to an OLM operator: the cloud-credential-operator creates its Secret. It is not in the package. To manage its component identity there, see "docs/guides/operators.md".';
    return finding("info", "import-operator-request", message, { resource });
  });
  const counts = new Map<string, number>();
  for (const { name } of requests) counts.set(name, (counts.get(name) ?? 0) + 1);
  const pathOf = ({ name, namespace }: Resource) => {
    const file = (counts.get(name) ?? 0) > 1 ? `${namespace}-${name}` : name;
    if (!isSubdomain(file) || file.length > maxFileName)
      throw new UsageError(
        `the input contains a CredentialsRequest with the name ${quote(name)}, which is not the name of a Kubernetes object`,
      );
    return `credentials-requests/${file}.yaml`;
  };
  return {
    requests,
    items: requests,
    files: new Map(requests.map((request) => [pathOf(request), documentOf(request)])),
    findings,
  };
}

/** The characters of a request's name: its file also has an extension. */
const maxFileName = 245;

// The annotations that decide whether the release includes the request, and those of this project.
const kept = /(?:^|\.)release\.openshift\.io\/|^capability\.openshift\.io\/|^fn\.cloudcredential\.dev\//;

function documentOf(request: Resource): string {
  const { apiVersion, kind, name, namespace } = request;
  const annotations = [...request.annotations].filter(([key]) => kept.test(key)).sort(([a], [b]) => compareText(a, b));
  return emitYaml({
    apiVersion,
    kind,
    metadata: known({ name, namespace: namespace || undefined, annotations: Object.fromEntries(annotations) }),
    spec: valueAt(request.value(), ["spec"]) ?? {},
  });
}
