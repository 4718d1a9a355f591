/** What AWS is called. */
export const awsNames = { name: "aws", title: "AWS", providerKind: "AWSProviderSpec" } as const;

/** What an identity on AWS is called, in what is said of identities of any cloud. */
export const awsRole = { cloud: awsNames.title, noun: "role" } as const;
