import { initFlags } from "../helpers/sample.ts";
import { lifecycle, shown } from "./lifecycle.ts";

const region = process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"] ?? "us-east-2";
const policy = { Version: "2012-10-17", Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] };

lifecycle({
  title: "a real AWS account",
  flags(name) {
    const { Account } = shown("aws", "sts", "get-caller-identity", "--output", "json") as { Account: string };
    return initFlags({ name, "account-id": Account, region });
  },
  changeByHand(prefix) {
    const role = `${prefix}-openshift-ingress-operator-cloud-credentials`;
    for (const name of [role, "by-hand"]) {
      const which = ["--role-name", role, "--policy-name", name];
      shown("aws", "iam", "put-role-policy", ...which, "--policy-document", JSON.stringify(policy));
    }
    return [role, "by-hand"];
  },
});
