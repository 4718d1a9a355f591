/** The names of AWS. */
export const awsNames = {
  name: "aws",
  title: "AWS",
  providerKind: "AWSProviderSpec",
  accountNoun: "account",
  identityNoun: "role",
} as const;

/** The noun for an identity on AWS, for messages about identities of any cloud. */
export const awsRole = { cloud: awsNames.title, noun: awsNames.identityNoun } as const;
