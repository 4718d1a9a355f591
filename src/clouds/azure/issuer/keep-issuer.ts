/** How managed identities keep trusting an issuer while the cluster moves to another one. */
export function keepIssuer(): { readonly cure: string; readonly field: string } {
  const field = "spec.issuer.previous";
  return { field, cure: `Add it to "${field}" while the cluster moves.` };
}
