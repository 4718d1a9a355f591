import { addKeyCommand } from "./add-key/definition.ts";
import { applyCommand } from "./apply/definition.ts";
import { argoCdGenerateCommand } from "./argo-cd-generate/definition.ts";
import { checkIssuerCommand } from "./check-issuer/definition.ts";
import { completionCommand } from "./completion/definition.ts";
import { createKeyPairCommand } from "./create-key-pair/definition.ts";
import { type Command, runnable } from "./definition.ts";
import { destroyCommand } from "./destroy/definition.ts";
import { diffCommand } from "./diff/definition.ts";
import { explainCommand } from "./explain/definition.ts";
import { explainFindingCommand } from "./explain-finding/definition.ts";
import { exportCommand } from "./export/definition.ts";
import { extractReleaseCommand } from "./extract-release/definition.ts";
import { importCommand } from "./import/definition.ts";
import { initCommand } from "./init/definition.ts";
import { online } from "./online.ts";
import { removeKeyCommand } from "./remove-key/definition.ts";
import { renderCommand } from "./render/definition.ts";
import { reportCommand } from "./report/definition.ts";
import { roleSpecCommand } from "./role-spec/definition.ts";
import { schemaCommand } from "./schema/definition.ts";
import { setCommand } from "./set/definition.ts";
import { setIdentitiesCommand } from "./set-identities/definition.ts";
import { statusCommand } from "./status/definition.ts";
import { updateRequestsCommand } from "./update-requests/definition.ts";
import { upgradeableToCommand } from "./upgradeable-to/definition.ts";
import { validateCommand } from "./validate/definition.ts";
import { verifyTokenCommand } from "./verify-token/definition.ts";

/** Every command, in the order in which you need them during the life of a cluster. */
export const commands: readonly Command[] = [
  runnable(createKeyPairCommand, async () => (await import("./create-key-pair/create-key-pair.ts")).createKeyPair),
  runnable(extractReleaseCommand, online.extractRelease),
  runnable(initCommand, async () => (await import("./init/init.ts")).init),
  runnable(importCommand, async () => (await import("./import/import.ts")).importCluster),
  runnable(setCommand, async () => (await import("./set/set.ts")).set),
  runnable(renderCommand, async () => (await import("./render/render.ts")).render),
  runnable(validateCommand, async () => (await import("./validate/validate.ts")).validatePackage),
  runnable(exportCommand, async () => (await import("./export/export.ts")).exportPackage),
  runnable(applyCommand, online.apply),
  runnable(statusCommand, online.status),
  runnable(destroyCommand, online.destroy),
  runnable(diffCommand, async () => (await import("./diff/diff.ts")).diff),
  runnable(updateRequestsCommand, async () => (await import("./update-requests/update-requests.ts")).updateRequests),
  runnable(upgradeableToCommand, async () => (await import("./upgradeable-to/upgradeable-to.ts")).writeUpgradeableTo),
  runnable(setIdentitiesCommand, async () => (await import("./set-identities/set-identities.ts")).setIdentities),
  runnable(addKeyCommand, async () => (await import("./add-key/add-key.ts")).addKey),
  runnable(removeKeyCommand, async () => (await import("./remove-key/remove-key.ts")).removeKey),
  runnable(explainCommand, async () => (await import("./explain/explain.ts")).explain),
  runnable(explainFindingCommand, async () => (await import("./explain-finding/explain-finding.ts")).explainFinding),
  runnable(reportCommand, async () => (await import("./report/report.ts")).report),
  runnable(checkIssuerCommand, online.checkIssuer),
  runnable(verifyTokenCommand, async () => (await import("./verify-token/verify-token.ts")).verifyToken),
  runnable(roleSpecCommand, async () => (await import("./role-spec/role-spec.ts")).roleSpec),
  runnable(argoCdGenerateCommand, async () => (await import("./argo-cd-generate/argo-cd-generate.ts")).argoCdGenerate),
  runnable(schemaCommand, async () => (await import("./schema/schema.ts")).schema),
  runnable(completionCommand, async () => {
    const { completion } = await import("./completion/completion.ts");
    return (_, shell) => completion(shell, commands);
  }),
];
