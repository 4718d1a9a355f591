/**
 * Says whether a reason says anything: it has a letter or a digit that is seen. Some letters of Unicode are made to be not
 * (Unicode Standard, Default_Ignorable_Code_Point).
 */
export function isReadable(reason: string): boolean {
  return /[\p{L}\p{N}]/u.test(reason.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}
