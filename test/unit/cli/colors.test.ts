import { describe, expect, it } from "vitest";
import { paintChange, paintSeverity } from "../../../src/cli/terminal/output.ts";

const [red, green, yellow, cyan] = [31, 32, 33, 36].map((code) => (text: string) => `\u001b[${code}m${text}\u001b[0m`);

describe("colors", () => {
  it.each([
    ["error: x", `${red?.("error:")} x`],
    ["warning: a: error: x", `${yellow?.("warning:")} a: error: x`],
    ["info: x", `${cyan?.("info:")} x`],
    ["an error: x", "an error: x"],
    ["", ""],
  ])("%j has its severity in color", (line, painted) => {
    expect(paintSeverity(line)).toBe(painted);
  });

  it.each([
    ["added    a.yaml", green],
    ["changed  a.yaml", yellow],
    ["removed  a.yaml", red],
    ["  + s3:GetObject", green],
    ["  ~ boundary", yellow],
    ["  - s3:GetObject", red],
    ["- s3:GetObject", undefined],
    ["addedx y", undefined],
    ["3 files written.", undefined],
  ])("%j has the color of its change", (line, color) => {
    expect(paintChange(line)).toBe(color?.(line) ?? line);
  });
});
