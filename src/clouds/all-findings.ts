import { findings as awsCluster } from "./aws/cluster/findings.ts";
import { findings as awsIdentities } from "./aws/identities/findings.ts";
import { findings as awsOperators } from "./aws/operators/findings.ts";
import { findings as awsRendered } from "./aws/rendered/findings.ts";
import { findings as clouds } from "./findings.ts";

/** The findings of the clouds, by the headings of docs/reference/findings.md. */
export const cloudFindings = {
  "Every cloud": clouds,
  "AWS: cluster": awsCluster,
  "AWS: roles": { ...awsIdentities, ...awsRendered },
  "AWS: roles of OLM operators": awsOperators,
} as const;
