import { isUuid } from "../../../core/uuid.ts";
import type { OperatorRules } from "../../cloud.ts";

/** What messages about OLM operators say of Azure. */
export const operatorRules: OperatorRules = {
  secretsSince: "4.14.8",
  // Neither client IDs nor the IDs of tenants and subscriptions are secret.
  isName: isUuid,
};
