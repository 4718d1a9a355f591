/**
 * A number as every reader takes it for one, YAML 1.1, YAML 1.2 and JSON alike: an exponent has a point before it,
 * without which readers of YAML 1.1 see a string. Of `NaN` and the infinities, JSON has none.
 */
export function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isNaN(value)) return ".nan";
  if (value === Number.POSITIVE_INFINITY) return ".inf";
  if (value === Number.NEGATIVE_INFINITY) return "-.inf";
  return String(value).replace(/^(-?\d)e/, "$1.0e");
}
