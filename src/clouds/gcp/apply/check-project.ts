import { strangeAnswer } from "../../../apply/lost-answers.ts";
import { CloudError, otherAccount, pathOf } from "../../../apply/requests.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import type { GcpClient } from "./client.ts";
import type { Context } from "./common.ts";
import { page, project as projectForm } from "./forms.ts";

/** Asks which project this is, and whether its APIs are enabled, before anything else. */
export async function checkProject(context: Context): Promise<void> {
  const { client, resources } = context;
  const { projectId, projectNumber, keyStorage } = resources.facts;
  const url = `${client.connection.resourceManager}/v1/projects/${projectId}`;
  const project = await client.once.get(url, () => client.read(url, projectForm(projectId)));
  const [found, id] = [textAt(project ?? {}, ["projectNumber"]), textAt(project ?? {}, ["projectId"])];
  if (found !== projectNumber || id !== projectId)
    throw otherAccount(
      `The project ${id || projectId} has the number ${found || "(none)"}`,
      `${projectId} with the number ${projectNumber}`,
    );
  const enabled = await enabledServices(context);
  const needed = [...usual, ...(keyStorage === "Bucket" ? ["storage"] : [])].map((name) => `${name}.googleapis.com`);
  const missing = needed.filter((name) => !enabled.has(name));
  if (missing.length > 0)
    throw new CloudError(
      `The project ${projectId} has not enabled ${missing.length === 1 ? "the API" : "the APIs"} ${missing.join(", ")}. Nothing was changed. Run: ${enableCommand(missing, projectId)}`,
    );
}

const usual = ["iam", "iamcredentials", "sts", "cloudresourcemanager"];

/** The command that enables APIs. */
export function enableCommand(names: readonly string[], projectId: string): string {
  return `gcloud services enable ${names.join(" ")} --project=${projectId}`;
}

/** The names of the APIs that are enabled in the project. */
export async function enabledServices({ client, resources: { facts } }: Context): Promise<ReadonlySet<string>> {
  const base = `${client.connection.serviceUsage}/v1/projects/${facts.projectId}/services`;
  const url = `${base}?filter=state:ENABLED&pageSize=200`;
  const list = await client.once.get(url, () => readServices(client, url, facts.projectNumber));
  return new Set(list.map((one) => textAt(one, ["config", "name"])));
}

async function readServices(client: GcpClient, url: string, number: string): Promise<readonly ValueMap[]> {
  const list = await client.list(url, "services", page("services", `projects/${number}/services`));
  // An API that answers is enabled.
  if (list.length === 0) throw strangeAnswer(`GET ${pathOf(url)}`, "Google", { url, isRead: true });
  return list;
}
