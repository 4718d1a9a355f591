import { isUuid } from "../../../core/hash.ts";
import { type Value, valueAt } from "../../../core/resource.ts";
import type { AssignedIds } from "../../inspector.ts";
import { clientIdKey, clientIdsAnnotations, clientIdsName } from "./client-ids.ts";
import { azureIdentity } from "./platform.ts";

/** The output of a deployment that contains the client IDs. */
const output = "clientIds";

/** The client IDs that Azure assigns to managed identities. */
export const clientIds: AssignedIds = {
  noun: "client ID",
  settingKey: "azure_client_id",
  must: "a UUID",
  idOf: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  keyOf: clientIdKey,
  unwrap,
  store(identity) {
    const azure = azureIdentity(identity);
    return { name: clientIdsName(azure), path: "azure/identities.yaml", annotations: clientIdsAnnotations(azure) };
  },
};

// `az deployment sub show` prints the deployment; with `--query properties.outputs`, its outputs.
function unwrap(value: Value): Value {
  const outputs = valueAt(value, ["properties", "outputs"]) ?? value;
  return valueAt(outputs, [output, "value"]) ?? value;
}
