import awsProviderSpec from "../../../schemas/aws-provider-spec.schema.json" with { type: "json" };
import azureProviderSpec from "../../../schemas/azure-provider-spec.schema.json" with { type: "json" };
import checkIssuer from "../../../schemas/check-issuer.schema.json" with { type: "json" };
import clusterIdentity from "../../../schemas/cluster-identity.schema.json" with { type: "json" };
import createKeyPair from "../../../schemas/create-key-pair.schema.json" with { type: "json" };
import credentialsRequest from "../../../schemas/credentials-request.schema.json" with { type: "json" };
import diff from "../../../schemas/diff.schema.json" with { type: "json" };
import explain from "../../../schemas/explain.schema.json" with { type: "json" };
import explainFinding from "../../../schemas/explain-finding.schema.json" with { type: "json" };
import exportPackage from "../../../schemas/export.schema.json" with { type: "json" };
import extractRelease from "../../../schemas/extract-release.schema.json" with { type: "json" };
import failure from "../../../schemas/failure.schema.json" with { type: "json" };
import gcpProviderSpec from "../../../schemas/gcp-provider-spec.schema.json" with { type: "json" };
import importCluster from "../../../schemas/import.schema.json" with { type: "json" };
import plan from "../../../schemas/plan.schema.json" with { type: "json" };
import render from "../../../schemas/render.schema.json" with { type: "json" };
import report from "../../../schemas/report.schema.json" with { type: "json" };
import reviewPolicy from "../../../schemas/review-policy.schema.json" with { type: "json" };
import set from "../../../schemas/set.schema.json" with { type: "json" };
import updateRequests from "../../../schemas/update-requests.schema.json" with { type: "json" };
import upgradeableTo from "../../../schemas/upgradeable-to.schema.json" with { type: "json" };
import validate from "../../../schemas/validate.schema.json" with { type: "json" };
import verifyToken from "../../../schemas/verify-token.schema.json" with { type: "json" };
import workloadIdentity from "../../../schemas/workload-identity.schema.json" with { type: "json" };

/** A JSON schema, as far as this module knows its form. */
interface JsonSchema {
  readonly title: string;
  readonly description: string;
}

/** The published JSON schemas, by name: of the objects that a package contains, and of what commands print with `-o json`. */
export const schemas: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>(
  Object.entries({
    "aws-provider-spec": awsProviderSpec,
    "azure-provider-spec": azureProviderSpec,
    "check-issuer": checkIssuer,
    "cluster-identity": clusterIdentity,
    "create-key-pair": createKeyPair,
    "credentials-request": credentialsRequest,
    diff,
    "explain-finding": explainFinding,
    explain,
    export: exportPackage,
    "extract-release": extractRelease,
    failure,
    "gcp-provider-spec": gcpProviderSpec,
    import: importCluster,
    plan,
    render,
    report,
    "review-policy": reviewPolicy,
    set,
    "update-requests": updateRequests,
    "upgradeable-to": upgradeableTo,
    validate,
    "verify-token": verifyToken,
    "workload-identity": workloadIdentity,
  }),
);
