import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import type { KnownCloud } from "../cloud.ts";
import { listed } from "../granted.ts";
import { meets, type OperatorRequest, usersOf } from "../operator.ts";
import type { Rule, Violation } from "../rule.ts";
import { type Container, cleanPath, type MountedSecret, refersTo } from "../workload.ts";

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
    const is = there.length === 0 ? `no mount has the key "${file.key}"` : `the Secret's file is ${listed(there)}`;
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
