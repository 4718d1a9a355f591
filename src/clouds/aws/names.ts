/** What AWS is called, and an identity there, in what is said of identities of any cloud. */
export const awsNames = { cloud: "AWS", noun: "role" } as const;
