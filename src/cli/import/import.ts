import { generatorsFor } from "../../../functions/generators.ts";
import { validators } from "../../../functions/validators.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import type { LiveCredential } from "../../clouds/live-cluster.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { type Resource, textAt, type ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { sortFindings, toResult } from "../../krm/results.ts";
import { isRequestFor, secretKeyOf } from "../../requests/credentials-request.ts";
import { minorOf } from "../../requests/release-filter.ts";
import type { FlagsOf } from "../definition.ts";
import { readPublicKeyFile } from "../files/public-key-file.ts";
import { readRequests } from "../files/request-files.ts";
import { checkConfig, givenAnswers, platformNamed } from "../new-package/answers.ts";
import { createdLine, createPackage, newPackage, othersLine, refuseTaken } from "../new-package/new-package.ts";
import { readPackage } from "../package/package-files.ts";
import { planRender } from "../package/render-plan.ts";
import { filesAbout, isVersion, readReleaseFacts, refuseTakenNames } from "../release/release-directory.ts";
import { FindingsError } from "../terminal/errors.ts";
import { writeChanges, writeFindings, writeJson, writeNotes } from "../terminal/output.ts";
import { endWithoutAnswer, NoAnswer } from "../terminal/prompt.ts";
import { cloudOfCluster, type LiveRequests, liveRequests, readClusterInput } from "./cluster-input.ts";
import { assignedIds, type Compared, compareWithCluster, comparisonLines, wouldChange } from "./comparison.ts";
import type { importCommand as definition } from "./definition.ts";
import { answersFor, type Draft, refuseContradictions, settingsOf } from "./draft.ts";
import type { FoundCluster } from "./found-cluster.ts";
import { filterOf, refuseRelease } from "./release.ts";

/**
 * `ccf import DIR`: exit code 0 if the package was created and its first render changes nothing, 2 if it was created and the
 * render would or may change something, 1 if nothing was written.
 */
export async function importCluster(flags: FlagsOf<typeof definition>, directory: string): Promise<number> {
  refuseTaken(directory, "import");
  const { cluster, keys, findings: inputFindings } = readClusterInput(flags);
  const inspector = cloudOfCluster(cluster, flags.platform);
  const cloud = platformNamed(inspector.name);
  const live: LiveRequests =
    flags["credentials-requests"] === undefined
      ? liveRequests(cluster.requests, inspector)
      : requestsIn(flags["credentials-requests"], directory, inspector);
  if (live.requests.length === 0) throw new FindingsError([withoutRequests(inspector)]);
  const requested = new Set(live.requests.flatMap((request) => secretKeyOf(request.value()) ?? []));
  const secrets = [...cluster.secrets]
    .filter(([key]) => requested.has(key))
    .map(([key, resource]) => ({ key, resource }))
    .sort((a, b) => compareText(a.key, b.key));
  const { issuerUrl, config: items, listings } = cluster;
  const facts = inspector.readLive({ issuerUrl, items, secrets, listings });
  const { given } = givenAnswers({ ...flags, platform: inspector.name });
  refuseContradictions(facts.contradictions, facts.answers, given);
  const release = { featureSet: flags["feature-set"], featureGates: flags["feature-gate"] };
  const { all = [] } = live;
  refuseRelease(cluster, live.requests, release, all);
  refuseOtherVersion(live.facts, cluster);
  refuseTakenNames(
    `--credentials-requests ${quote(flags["credentials-requests"] ?? "")}`,
    live.facts === undefined ? [] : live.files.keys(),
  );
  const about = live.facts === undefined ? [] : filesAbout(all, filterOf(cluster, live.requests, release), live.facts);
  const draft: Draft = { cloud, cluster, requests: live.requests, facts, prefix: flags["resource-prefix"], release };
  const answers = await answersFor(draft, given, keys.length > 0);
  if (answers instanceof NoAnswer) return endWithoutAnswer(answers);
  const { options, assumed } = settingsOf(draft, answers);
  const publicKeys = keys.length > 0 ? keys : [readPublicKeyFile(answers["public-key-file"] ?? "")];
  const functions = generatorsFor(live.items).map((fn) => fn.name);
  const files = newPackage({ ...options, identities: cloud.identities, publicKeys, images: undefined, functions });
  const findings = sortFindings([
    ...checkConfig(files.get("cluster-identity.yaml") ?? "").filter(({ severity }) => severity !== "info"),
    ...inputFindings,
    ...live.findings,
    // A cloud returns a credential for each Secret, in the same order.
    ...secrets.flatMap(({ resource }, index) => secretFindings(resource, facts.credentials[index])),
    ...(flags["from-ccoctl"] === undefined ? [] : withoutRequest(cluster, requested, inspector)),
    ...assumed.map((text) => finding("warning", "import-assumed", text)),
  ]);
  if (hasError(findings)) throw new FindingsError(findings);
  writeFindings(findings);
  const ids = assignedIds(inspector, files.get("cluster-identity.yaml") ?? "", facts.credentials);
  createPackage(directory, new Map<string, string | Uint8Array>([...files, ...ids, ...live.files, ...about]));
  const plan = planRender(readPackage(directory), { onlyOurs: true, validators });
  const failed = hasError(plan.findings);
  const planFindings = plan.findings.filter(({ severity }) => severity === "error");
  writeFindings(planFindings);
  const compared = failed
    ? []
    : compareWithCluster(plan.generated, { ...cluster, credentials: facts.credentials, requested }, inspector);
  if (flags.output === "json") {
    const { name } = options;
    writeJson(
      comparedJson({ package: directory, identity: name, platform: inspector.name }, compared, [
        ...findings,
        ...planFindings,
      ]),
    );
  } else {
    writeNotes(1, [
      createdLine(directory, live.files, live.requests.length, cloud.title),
      ...othersLine(live.others ?? 0),
    ]);
    writeChanges(summary(compared, failed));
    writeNotes(1, [`Next: ccf render ${shellWord(directory)}`]);
  }
  return failed || wouldChange(compared) ? 2 : 0;
}

function requestsIn(from: string, directory: string, inspector: Inspector): LiveRequests {
  const { files, items, others, all } = readRequests(from, directory, inspector);
  const requests = items.filter((item) => isRequestFor(item, inspector.providerKind));
  const facts = readReleaseFacts(`--credentials-requests ${quote(from)}`, from);
  return { requests, items, files, others, all, facts, findings: [] };
}

// The gates of another release are not those of the cluster.
function refuseOtherVersion(facts: LiveRequests["facts"], { clusterVersion }: FoundCluster): void {
  const version = clusterVersion === undefined ? "" : textAt(clusterVersion.value(), ["status", "desired", "version"]);
  if (facts?.version === undefined || !isVersion(version) || minorOf(version) === minorOf(facts.version)) return;
  const message = `the directory of "--credentials-requests" contains the release ${quote(facts.version)}, but the cluster runs ${quote(version)}. Pass the requests of the release that the cluster runs.`;
  throw new FindingsError([finding("error", "import-contradiction", message)]);
}

function withoutRequests({ title }: Inspector): Finding {
  const message = `the input contains CredentialsRequests, but none for ${title}. Pass the objects of one cluster only, or "--credentials-requests" with the requests of its release.`;
  return finding("error", "import-incomplete", message);
}

// ccoctl creates a role only for a request, so the requests of another release or feature set were passed.
function withoutRequest(
  { issuerUrl, secrets, requests }: FoundCluster,
  requested: ReadonlySet<string>,
  inspector: Inspector,
): Finding[] {
  const known = new Set([...requested, ...requests.flatMap((request) => secretKeyOf(request.value()) ?? [])]);
  const others = [...secrets].filter(([key]) => !known.has(key)).map(([key, resource]) => ({ key, resource }));
  const { credentials } = inspector.readLive({ issuerUrl, items: [], secrets: others });
  return others.flatMap(({ resource }, index) => {
    const id = credentials[index]?.id;
    if (id === undefined) return [];
    const message = `names ${quoteWhole(id)}, but no request in the package refers to the Secret, so the package does not have this component identity. "ccf apply --prune" deletes it if it has the owner mark of the cluster. If the cluster needs it, pass the requests of the release and the feature set that the cluster runs.`;
    return [finding("warning", "import-secret-unrequested", message, { resource })];
  });
}

function secretFindings(resource: Resource, credential: LiveCredential | undefined): Finding[] {
  if (credential?.isLongLived === true) {
    const message =
      "contains a long-lived credential, which is not shown. The render replaces it. When the component uses short-term credentials, delete the key in the cloud.";
    return [finding("warning", "import-long-lived-key", message, { resource })];
  }
  if (credential?.id !== undefined) return [];
  const message =
    "does not name a component identity, so its name is computed. Check the Secret; if ccoctl wrote it with --dry-run, get it from the cluster.";
  return [finding("warning", "import-secret-unread", message, { resource })];
}

function comparedJson(head: ValueMap, compared: readonly Compared[], findings: readonly Finding[]): ValueMap {
  const parts = compared.map(({ state, what, id, differences }) => ({
    what,
    state,
    id,
    differences: differences.map(({ field, cluster, package: emitted }) => ({
      field,
      cluster: cluster ?? null,
      package: emitted ?? null,
    })),
  }));
  return { ...head, compared: parts, findings: findings.map(toResult) };
}

function summary(compared: readonly Compared[], failed: boolean): string[] {
  if (failed) return ["The first render fails, so it was not compared with the cluster. Fix the errors, and run it."];
  const count = (state: Compared["state"]) => compared.filter((one) => one.state === state).length;
  const [changes, unknown] = [count("changes"), count("unknown")];
  const verdict = wouldChange(compared)
    ? `The first render would change ${changes}, and ${unknown} could not be compared.`
    : "The first render changes nothing in the cluster.";
  return ["The first render, compared with the cluster:", ...comparisonLines(compared), verdict];
}
