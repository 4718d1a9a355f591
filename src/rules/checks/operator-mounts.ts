import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { KnownCloud } from "../cloud.ts";
import { quotedList } from "../granted.ts";
import { meets, type Operator, type OperatorRequest, usersOf } from "../operator.ts";
import type { Rule, Violation } from "../rule.ts";
import {
  type Container,
  cleanPath,
  type MountedSecret,
  type MountedToken,
  refersTo,
  type Workload,
} from "../workload.ts";

export const operatorSecretMount: Rule = {
  code: ruleCode("operator-secret-mount"),
  severity: "warning",
  reads: "package",
  summary:
    "A Deployment mounts the Secret of a request where its code does not read it: below /root, or at a path that its variables do not name.",
  why: "OpenShift runs pods as an arbitrary user. That user's home is not `/root`, and the user cannot read `/root`, so a library that looks for `~/.aws/credentials` finds nothing there. A variable tells the library what to read (`AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`, `GOOGLE_APPLICATION_CREDENTIALS`). It must name a file of the mount.",
  cure: "Mount the Secret in its own directory, such as `/var/run/secrets/cloud`, and name the file in the variable: the key `credentials` for AWS, `service_account.json` for GCP.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) =>
        operator.workloads
          .filter(({ namespaces }) => request.secretName !== "" && meets(namespaces, request.secretNamespace))
          .flatMap(({ resource, containers }) =>
            containers.flatMap((container) =>
              problemsOf(container, request).map((problem) => ({ ...problem, resource })),
            ),
          ),
      ),
    ),
};

function problemsOf({ secrets, variables }: Container, { secretName, cloud }: OperatorRequest): Violation[] {
  const mounts = secrets.filter(({ name }) => name === secretName);
  return [
    ...mounts.filter(isBelowRoot).map(({ field, mountPath }) => {
      const message = `mounts the Secret ${quoteWhole(secretName)} at ${quoteWhole(mountPath)}, the home of a user that OpenShift does not run pods as; mount it elsewhere, such as at "/var/run/secrets/cloud".`;
      return { message, field: `${field}.mountPath` };
    }),
    ...misnamed(mounts, variables, cloud),
  ];
}

function isBelowRoot({ mountPath }: MountedSecret): boolean {
  return mountPath === "/root" || mountPath.startsWith("/root/");
}

function misnamed(
  mounts: readonly MountedSecret[],
  variables: Container["variables"],
  { secret: { file } }: KnownCloud,
): Violation[] {
  if (file === undefined || mounts.length === 0) return [];
  const there = mounts.flatMap((mount) => mount.fileOf(file.key) ?? []);
  return file.variables.flatMap((name) => {
    const variable = variables.get(name);
    if (variable === undefined || variable.value === "" || there.includes(cleanPath(variable.value))) return [];
    const is = there.length === 0 ? `no mount has the key "${file.key}"` : `the Secret's file is ${quotedList(there)}`;
    const message = `"${name}" is ${quote(variable.value)}, but ${is}; name the file that is mounted.`;
    return [{ message, field: variable.field }];
  });
}

export const operatorSecretUnused: Rule = {
  code: ruleCode("operator-secret-unused"),
  severity: "warning",
  reads: "package",
  summary: "No Deployment of an OLM operator mounts or names the Secret of its request.",
  why: "The operator receives its role through the Secret of `secretRef`. A Deployment that runs as one of the request's service accounts but does not refer to the Secret usually uses another name, and waits for a Secret that never exists.",
  cure: "Mount the Secret, or pass its name to the code in a variable or argument. If the operator creates its request itself, mount it with `optional: true`, because the pod must start before the Secret exists. If the code knows the name and reads the Secret from the API server, accept the finding with that reason.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const { secretName, secretNamespace } = request;
        const [user] = usersOf(operator, request);
        if (user === undefined || secretName === "") return [];
        const near = operator.workloads.filter(({ namespaces }) => meets(namespaces, secretNamespace));
        if (near.some(({ containers }) => containers.some((container) => refersTo(container, secretName)))) return [];
        const { resource, field, name } = user;
        const message = `Deployment ${quote(name)} runs as a service account of ${describe(request.resource)}, but no container mounts or names its Secret ${quoteWhole(secretName)}; add the volume {name: cloud-credentials, secret: {secretName: ${quoteWhole(secretName)}, optional: true}} and a mount of it.`;
        return [{ message, resource, field }];
      }),
    ),
};

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
