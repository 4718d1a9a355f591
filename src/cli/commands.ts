import { argoCdGenerate } from "./argo-cd-generate/argo-cd.ts";
import { argoCdGenerateCommand } from "./argo-cd-generate/definition.ts";
import { checkIssuer } from "./check-issuer/check-issuer.ts";
import { checkIssuerCommand } from "./check-issuer/definition.ts";
import { completion } from "./completion/completion.ts";
import { completionCommand } from "./completion/definition.ts";
import { createKeyPair } from "./create-key-pair/create-key-pair.ts";
import { createKeyPairCommand } from "./create-key-pair/definition.ts";
import { type Command, runnable } from "./definition.ts";
import { diffPermissionsCommand } from "./diff-permissions/definition.ts";
import { diffPermissions } from "./diff-permissions/diff-permissions.ts";
import { explainCommand } from "./explain/definition.ts";
import { explain } from "./explain/explain.ts";
import { exportCommand } from "./export/definition.ts";
import { exportPackage } from "./export/export.ts";
import { importCommand } from "./import/definition.ts";
import { importCluster } from "./import/import.ts";
import { initCommand } from "./init/definition.ts";
import { init } from "./init/init.ts";
import { renderCommand } from "./render/definition.ts";
import { render } from "./render/render.ts";
import { reportCommand } from "./report/definition.ts";
import { report } from "./report/report.ts";
import { roleSpecCommand } from "./role-spec/definition.ts";
import { roleSpec } from "./role-spec/role-spec.ts";
import { setCommand } from "./set/definition.ts";
import { set } from "./set/set.ts";
import { setDistributionDomainCommand } from "./set-distribution-domain/definition.ts";
import { setDistributionDomain } from "./set-distribution-domain/set-distribution-domain.ts";
import { setIdentitiesCommand } from "./set-identities/definition.ts";
import { setIdentities } from "./set-identities/set-identities.ts";
import { updateRequestsCommand } from "./update-requests/definition.ts";
import { updateRequests } from "./update-requests/update-requests.ts";
import { upgradeableToCommand } from "./upgradeable-to/definition.ts";
import { writeUpgradeableTo } from "./upgradeable-to/upgradeable-to.ts";
import { validateCommand } from "./validate/definition.ts";
import { validatePackage } from "./validate/validate.ts";
import { verifyTokenCommand } from "./verify-token/definition.ts";
import { verifyToken } from "./verify-token/verify-token.ts";

/** Every command, in the order in which you need them during the life of a cluster. */
export const commands: readonly Command[] = [
  runnable(createKeyPairCommand, createKeyPair),
  runnable(initCommand, init),
  runnable(importCommand, importCluster),
  runnable(setCommand, set),
  runnable(renderCommand, (flags, directories) => render(flags, directories)),
  runnable(validateCommand, validatePackage),
  runnable(exportCommand, exportPackage),
  runnable(diffPermissionsCommand, diffPermissions),
  runnable(updateRequestsCommand, updateRequests),
  runnable(upgradeableToCommand, writeUpgradeableTo),
  runnable(setDistributionDomainCommand, setDistributionDomain),
  runnable(setIdentitiesCommand, setIdentities),
  runnable(explainCommand, explain),
  runnable(reportCommand, report),
  runnable(checkIssuerCommand, checkIssuer),
  runnable(verifyTokenCommand, verifyToken),
  runnable(roleSpecCommand, roleSpec),
  runnable(argoCdGenerateCommand, argoCdGenerate),
  runnable(completionCommand, (_, shell) => completion(shell, commands)),
];
