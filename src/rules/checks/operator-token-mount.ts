import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import { type Operator, type OperatorRequest, usersOf } from "../operator.ts";
import type { Rule, Violation } from "../rule.ts";
import { cleanPath, type MountedToken, refersTo, type Workload } from "../workload.ts";

export const operatorTokenMount: Rule = {
  code: ruleCode("operator-token-mount"),
  severity: "warning",
  reads: "package",
  summary:
    "The Deployment of an OLM operator does not mount a service account token for the cloud where its request says it is.",
  why: "The Secret names the file from `spec.cloudTokenPath` of the request, and the cloud's library reads the token from that file. The token that every pod has is for the API server, and clouds refuse it: a token for the audience `openshift` must be projected. For an AWS request without `cloudTokenPath`, the cloud-credential-operator writes the path of the API server's token. A token mounted with a `subPath` is never renewed and expires within hours.",
  cure: "Add a volume with a projected `serviceAccountToken` for the audience `openshift`, mount it, and write the file's path into `spec.cloudTokenPath`. If the code requests its tokens from the API server, accept the finding with that reason.",
  check: ({ operators }) =>
    operators.flatMap((operator) => {
      const found = operator.requests.flatMap((request) => violationsOf(operator, request));
      // Two requests with the same token path report a missing token once.
      return found.filter(
        (violation, index) =>
          found.findIndex(({ resource, field }) => resource === violation.resource && field === violation.field) ===
          index,
      );
    }),
};

const audience = "openshift";

/** The path that ccoctl writes if a request names none. */
const usualPath = defaultTokenPath;

// Each workload that refers to the Secret needs the token. If none does, the code may read the Secret by itself, and one
// workload with the token is enough.
function violationsOf(operator: Operator, request: OperatorRequest): Violation[] {
  const users = usersOf(operator, request);
  const readers = users.filter(({ containers }) =>
    containers.some((container) => refersTo(container, request.secretName)),
  );
  const path = cleanPath(request.tokenPath) || request.cloud.unsaidTokenPath;
  const wrong = (readers.length > 0 ? readers : users).filter(
    (workload) => !tokensOf(workload).some((token) => isRight(token, path)),
  );
  if (readers.length === 0 && wrong.length < users.length) return [];
  return (readers.length === 0 ? wrong.slice(0, 1) : wrong).map((workload) => violation(workload, request, path));
}

function isRight(token: MountedToken, path: string): boolean {
  return token.path === path && token.audience === audience && token.isRenewed;
}

function tokensOf({ containers }: Workload): readonly MountedToken[] {
  return containers.flatMap(({ tokens }) => tokens);
}

function violation(workload: Workload, request: OperatorRequest, path: string): Violation {
  const { resource, field, name } = workload;
  const tokens = tokensOf(workload);
  const elsewhere = tokens.find((token) => token.audience === audience && token.isRenewed);
  if (request.tokenPath === "" && elsewhere !== undefined) {
    const message = `has no "spec.cloudTokenPath", so its Secret would name ${quote(path)}; set it to ${quoteWhole(elsewhere.path)}, where Deployment ${quote(name)} has its token.`;
    return { message, resource: request.resource, field: "spec.cloudTokenPath" };
  }
  const who = `Deployment ${quote(name)}`;
  const where = `${quoteWhole(path)}, the path in ${describe(request.resource)}`;
  const there = tokens.find((token) => token.path === path);
  if (there !== undefined && there.audience !== audience) {
    const is = there.audience === "" ? "for the API server" : `for the audience ${quote(there.audience)}`;
    const message = `${who} mounts a token ${is} at ${where}, but it must be for "${audience}": set "serviceAccountToken.audience".`;
    return { message, resource, field };
  }
  if (there !== undefined) {
    const message = `${who} mounts the token at ${where}, with a "subPath", so it is never renewed; mount the whole volume.`;
    return { message, resource, field };
  }
  if (elsewhere !== undefined) {
    const message = `${who} mounts its token at ${quoteWhole(elsewhere.path)}, not at ${where}; use the same path in both.`;
    return { message, resource, field };
  }
  const [directory, file] = split(request.tokenPath === "" ? usualPath : path);
  const source = `{serviceAccountToken: {audience: ${audience}, expirationSeconds: 3600, path: ${quote(file)}}}`;
  const too = request.tokenPath === "" ? `, and set "spec.cloudTokenPath" of the request to "${usualPath}"` : "";
  const message = `${who} mounts no token for the audience "${audience}" at ${where}; add the volume {name: cloud-token, projected: {sources: [${source}]}} and the mount {name: cloud-token, mountPath: ${quoteWhole(directory)}, readOnly: true}${too}.`;
  return { message, resource, field };
}

function split(path: string): [directory: string, file: string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, slash), path.slice(slash + 1)];
}
