import { defaultTokenPath } from "../../identity/cluster-identity.ts";
import type { Inspector } from "../inspector.ts";
import { azureRequestIdentity } from "./request-identity.ts";

export const azureInspector: Inspector = {
  name: "azure",
  title: "Azure",
  providerKind: "AzureProviderSpec",
  tokenAuthAnnotation: "features.operators.openshift.io/token-auth-azure",
  unsaidTokenPath: defaultTokenPath,
  requested: (request) => ({ identity: azureRequestIdentity(request), findings: [] }),
  rules: [],
};
