import { azureFlags } from "../helpers/sample.ts";
import { lifecycle, shown } from "./lifecycle.ts";

const az = (...args: readonly string[]) => shown("az", ...args, "--output", "json", "--only-show-errors");

lifecycle({
  title: "a real Azure subscription",
  flags(name) {
    const { id, tenantId } = az("account", "show") as { id: string; tenantId: string };
    return azureFlags({ name, "subscription-id": id, "tenant-id": tenantId });
  },
  changeByHand(prefix) {
    const all = az("identity", "list") as { name: string; resourceGroup: string }[];
    const own = all.find(({ name }) => name.startsWith(`${prefix}-`));
    if (own === undefined) throw new Error(`no managed identity of ${prefix}`);
    const which = ["--identity-name", own.name, "--resource-group", own.resourceGroup];
    const [first] = az("identity", "federated-credential", "list", ...which) as { name: string }[];
    az("identity", "federated-credential", "delete", ...which, "--name", first?.name ?? "", "--yes");
    return [first?.name ?? own.name];
  },
});
