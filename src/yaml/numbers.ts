/**
 * A number that readers of YAML 1.1, YAML 1.2 and JSON all read as a number. An exponent needs a point before it,
 * otherwise readers of YAML 1.1 see a string. JSON cannot express `NaN` and the infinities.
 */
export function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isNaN(value)) return ".nan";
  if (value === Number.POSITIVE_INFINITY) return ".inf";
  if (value === Number.NEGATIVE_INFINITY) return "-.inf";
  return String(value).replace(/^(-?\d)e/, "$1.0e");
}
