/** The kind and name of an action that does not apply to resources, for example a role; undefined for other actions. */
export function namedAction(action: string): { readonly kind: string; readonly name: string } | undefined {
  const [, kind, name] = /^(managed policy|role|permission|data permission) (.*)$/s.exec(action) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}
