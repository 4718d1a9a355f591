/** What a change of the issuer does to roles. */
export const findings = {} as const;
