// The stand-in's AWS STS.

/** @import { Operation } from "./types.ts" @type {Record<string, Operation>} */
export const sts = {
  GetCallerIdentity: {
    parameters: "",
    // Every caller may ask for its own identity.
    needs: () => [],
    run: (_, { state }) => ({ UserId: "AIDASTANDIN", Account: state.account, Arn: state.caller }),
  },
};
