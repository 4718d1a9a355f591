/**
 * The anchor that code hosts generate for a heading. The site uses the same, so that a link works in both.
 *
 * @param {string} heading
 */
export function anchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
