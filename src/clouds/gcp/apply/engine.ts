import { withCommands } from "../../../apply/kinds.ts";
import { invalidPackage, Prefixes } from "../../../apply/requests.ts";
import type { Access, Live, Target } from "../../../apply/resource.ts";
import { Once } from "../../../apply/state-reader.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { gcpCommand } from "../commands.ts";
import { type GcpResources, gcpResources, nameOf, kinds as names } from "../resources.ts";
import { bucket } from "./bucket.ts";
import { checkProject } from "./check-project.ts";
import { type Connection, connect, GcpClient } from "./client.ts";
import type { Context } from "./common.ts";
import { customRole } from "./custom-role.ts";
import { document } from "./document.ts";
import { membersInside } from "./extras.ts";
import { policyMember } from "./policies.ts";
import { pool, provider } from "./pool.ts";
import { Reader } from "./read-state.ts";
import { serviceAccount } from "./service-account.ts";

type GcpAccess = Pick<Access, "environment" | "impersonate" | "deleteRoles">;

/** Opens the cloud of packages. Packages that one of these opens share their credentials and what they read of a project. */
export function gcpEngine(access: GcpAccess, connection?: Connection): (files: ReadonlyMap<string, string>) => Target {
  const clients = new Once();
  const prefixes = new Prefixes();
  return (files) => {
    const resources = gcpResources(files);
    checkResources(resources);
    const { projectId, universe, prefix } = resources.facts;
    prefixes.add(`project ${projectId}`, { prefix, mark: resources.facts.ownerMark }, resources.wanted);
    const client = clients.get(
      `${universe} ${projectId}`,
      () => new GcpClient(connection ?? connect(projectId, universe, access)),
    );
    return targetOf({ client, resources, young: new Set(), deleteRoles: access.deleteRoles });
  };
}

function targetOf(context: Context): Target {
  const { facts, wanted, documents } = context.resources;
  const { projectId, projectNumber, region, universe, prefix } = facts;
  const inside = ({ id }: Pick<Live, "id">) => membersInside(context, id);
  const all = {
    [names.bucket]: { ...bucket(context), inside },
    [names.document]: document(context),
    [names.pool]: pool(context),
    [names.provider]: provider(context),
    [names.role]: customRole(context),
    [names.account]: { ...serviceAccount(context), inside },
    [names.member]: policyMember(context, true),
    [names.projectRole]: policyMember(context, false),
    [names.bucketRole]: policyMember(context, false),
  };
  const kinds = withCommands(all, (name) => gcpCommand(facts, name));
  return {
    place: `Google Cloud project ${projectId}`,
    facts: { cloud: "gcp", universe, account: projectId, number: projectNumber, region },
    prefix,
    ownNames: ownNames(wanted),
    wanted,
    kinds,
    // IAM documentation, "Access change propagation": about two minutes.
    settles: 120,
    documents,
    check: () => checkProject(context),
    read: (how) => new Reader(context, kinds, how).read(),
  };
}

/** The names that contain a hash of the prefix, by the identity that they belong to. */
function ownNames(wanted: readonly WantedResource[]): Map<string, string> {
  const words: Readonly<Record<string, string>> = { [names.role]: "role", [names.account]: "account" };
  return new Map(
    wanted.flatMap(({ kind, name, source }): [string, string][] => {
      const word = words[kind];
      return word === undefined || source === undefined ? [] : [[`${word} ${nameOf(source)}`, name]];
    }),
  );
}

const project = "projects/[a-z0-9.:-]+";
const bucketName = "buckets/[a-z0-9][a-z0-9_-]+";
const forms = [
  `${project}/locations/global/workloadIdentityPools/[a-z0-9-]+(/providers/[a-z0-9-]+)?`,
  `${project}/serviceAccounts/[a-z0-9-]+@[a-z0-9.-]+`,
  `${project}/roles/[A-Za-z0-9_.]+`,
  `${bucketName}(/\\.well-known/openid-configuration|/keys\\.json)?`,
];
const id = new RegExp(`^(${forms.join("|")}|(${project}|${bucketName})(/serviceAccounts/[^/#]+)?#[^#]+#[^#]+)$`);

/** Files of an export may have been edited together with their digests: an access token must not go elsewhere. */
function checkResources({ facts, wanted }: GcpResources): void {
  const { projectId, projectNumber, universe, prefix } = facts;
  const isValid =
    /^[a-z0-9.:-]+$/.test(projectId) && /^\d+$/.test(projectNumber) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(universe);
  const wrong = wanted.find((one) => !id.test(one.id));
  if (isValid && prefix !== "" && wrong === undefined) return;
  throw invalidPackage(
    wrong === undefined ? "cluster.json does not name a project" : `a file names the resource ${wrong.id}`,
  );
}
