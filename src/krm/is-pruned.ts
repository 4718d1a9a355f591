import type { FunctionInput } from "./function.ts";

/** Marks the configuration of a function that kustomize runs. */
const kustomizeFunction = "config.kubernetes.io/function";

/** Tells whether the output is applied as a whole: what it does not contain is then deleted from the cluster. */
export function isPruned({ answerPrunes, functionConfig }: FunctionInput): boolean {
  return answerPrunes ?? functionConfig?.annotations.has(kustomizeFunction) === true;
}
