import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Inspector } from "../inspector.ts";
import { gcpNames } from "./names.ts";
import { gcpRequestIdentity } from "./request-identity.ts";

export const gcpInspector: Inspector = {
  ...gcpNames,
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-gcp",
  unsaidTokenPath: defaultTokenPath,
  secretFile: { key: "service_account.json", variables: ["GOOGLE_APPLICATION_CREDENTIALS"] },
  requested: (request) => ({ identity: gcpRequestIdentity(request), findings: [] }),
  rules: [],
};
