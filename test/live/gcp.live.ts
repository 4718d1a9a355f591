import { gcpFlags } from "../helpers/sample.ts";
import { lifecycle, shown } from "./lifecycle.ts";

const gcloud = (...args: readonly string[]) => shown("gcloud", ...args, "--format=json", "--quiet");

lifecycle({
  title: "a real project of Google Cloud",
  flags(name) {
    const project = String(gcloud("config", "get-value", "project"));
    const { projectNumber } = gcloud("projects", "describe", project) as { projectNumber: string };
    return gcpFlags({ name, "project-id": project, "project-number": projectNumber });
  },
  changeByHand(prefix) {
    const accounts = gcloud("iam", "service-accounts", "list") as { email: string; description?: string }[];
    const own = accounts.find(({ description }) => description === `Owned by: ${prefix}`);
    if (own === undefined) throw new Error(`no service account of ${prefix}`);
    gcloud("iam", "service-accounts", "update", own.email, "--display-name=by-hand");
    return [own.email.replace(/@.*$/, ""), "by-hand"];
  },
});
