import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Inspector } from "../inspector.ts";
import { azureNames } from "./names.ts";
import { azureRequestIdentity } from "./request-identity.ts";

export const azureInspector: Inspector = {
  ...azureNames,
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-azure",
  unsaidTokenPath: defaultTokenPath,
  requested: (request) => ({ identity: azureRequestIdentity(request), findings: [] }),
  rules: [],
};
