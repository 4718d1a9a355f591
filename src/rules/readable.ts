/**
 * Whether a reason has a visible letter or digit. Some letters of Unicode are invisible by design (Unicode Standard,
 * Default_Ignorable_Code_Point).
 */
export function isReadable(reason: string): boolean {
  return /[\p{L}\p{N}]/u.test(reason.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}
