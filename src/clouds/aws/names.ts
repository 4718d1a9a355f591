/** The names of AWS. */
export const awsNames = { name: "aws", title: "AWS", providerKind: "AWSProviderSpec" } as const;

/** The noun for an identity on AWS, for messages about identities of any cloud. */
export const awsRole = { cloud: awsNames.title, noun: "role" } as const;
