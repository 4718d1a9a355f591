import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { renderedPackage, sampleRequests } from "../helpers/cluster-package.ts";
import {
  type Change,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exportTo,
  firstPhase,
  inFront,
  Operator,
  said,
} from "../helpers/exported-package.ts";
import { keptTemporary, temporary } from "../helpers/temporary.ts";
import { drifted } from "./drift.ts";

let aws: StubAws;
let operator: Operator;
let applied: State;
const home = keptTemporary();
beforeAll(async () => {
  aws = await StubAws.start();
  const out = join(home.directory, "out");
  exportTo(renderedPackage(sixRequests()), out);
  operator = new Operator(aws, out);
  aws.reset();
  expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = aws.state();
  expect(Object.keys(applied.roles)).toHaveLength(6);
});
afterAll(async () => {
  await aws?.stop();
  home.remove();
});

/** An export of six roles, with a change of the ClusterIdentity. */
function exportedWith(change: Change): string {
  const out = join(temporary(), "out");
  exportTo(renderedPackage(sixRequests(), change), out);
  return out;
}

/** A package with the domain that AWS assigned. */
function withItsDomain(): Operator {
  const domain = domainIn(new Operator(aws, exportedWith(firstPhase)).apply());
  return new Operator(aws, exportedWith(cloudFront(domain)));
}

/** Six component requests: those of the sample, each with its own name. */
function sixRequests(): string {
  const directory = temporary();
  for (const [file, text] of [
    ["10-registry.yaml", "installer-cloud-credentials"],
    ["20-ingress.yaml", "cloud-credentials"],
  ]) {
    const request = readFileSync(join(sampleRequests, file ?? ""), "utf8");
    for (let n = 0; n < 3; n++) {
      const one =
        n === 0 ? request : request.replaceAll(text ?? "", `${text}-${n}`).replace(/^( {2}name: .*)$/gm, `$1-${n}`);
      writeFileSync(join(directory, `${n}-${file}`), one);
    }
  }
  return directory;
}

const withoutDetails = {
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Action: "*", Resource: "*" },
    { Effect: "Deny", Action: "iam:GetAccountAuthorizationDetails", Resource: "*" },
  ],
};

describe("the AWS CLI is started for six roles", () => {
  it("at most 12 times by status.sh, and by apply.sh that changes nothing", () => {
    for (const run of [() => operator.status(), () => operator.apply("--dry-run"), () => operator.apply()]) {
      aws.reset(applied);
      expect(run()).toMatchObject({ status: 0, stderr: "" });
      expect(aws.calls().length).toBeLessThanOrEqual(12);
    }
  });

  it.each([
    ["AWS's domain", undefined],
    ["a custom domain", cloudFrontOwnDomain],
  ])("the same number of times with CloudFront and %s", (_, given) => {
    aws.reset();
    const operator = given === undefined ? withItsDomain() : new Operator(aws, exportedWith(given));
    expect(operator.apply()).toMatchObject({ status: 0, stderr: "" });
    const before = aws.state();
    for (const run of [() => operator.status(), () => operator.apply("--dry-run"), () => operator.apply()]) {
      aws.reset(before);
      expect(run()).toMatchObject({ status: 0, stderr: "" });
      expect(aws.calls().length).toBeLessThanOrEqual(12);
    }
  });

  it("the same number of times if everything differs", () => {
    aws.reset(drifted(applied));
    expect(operator.status()).toMatchObject({ status: 2, stderr: "" });
    expect(aws.calls().length).toBeLessThanOrEqual(12);
  });
});

describe("if the call for all roles is not allowed", () => {
  it("separate calls for each role give the same output", () => {
    for (const state of [applied, drifted(applied), { ...applied, roles: {} }]) {
      aws.reset(state);
      const expected = said(operator.status());
      aws.reset(state);
      aws.policy(withoutDetails);
      expect(said(operator.status())).toEqual(expected);
      expect(aws.calls().filter(({ error }) => error === "AccessDenied")).toHaveLength(1);
    }
  });

  it("they repair the same", () => {
    aws.reset(drifted(applied));
    const expected = said(operator.apply());
    const mended = aws.state();
    aws.reset(drifted(applied));
    aws.policy(withoutDetails);
    expect(said(operator.apply())).toEqual(expected);
    expect(aws.state()).toEqual(mended);
  });

  it("they run in parallel", () => {
    aws.reset(applied);
    aws.policy(withoutDetails);
    const begun = temporary();
    // Each call waits until another has begun, so sequential calls would never end.
    const script = `case "$1 $2" in
      'iam get-role' | 'iam list-role-policies')
        : >"${begun}/$$"
        tries=0
        until [ "$(ls "${begun}" | wc -l)" -gt 1 ]; do
          tries=$((tries + 1))
          [ "$tries" -lt 200 ] || { echo 'alone' >&2; exit 1; }
          sleep 0.1
        done ;;
    esac
    exec "$stub" "$@"`;
    expect(new Operator(aws, operator.out, inFront(aws, script)).status()).toMatchObject({ status: 0, stderr: "" });
  });

  it("a failed call ends the script, and is named", () => {
    for (const call of ["get-role ", "list-role-policies", "list-attached-role-policies", "get-role-policy"]) {
      aws.reset(applied);
      aws.policy(withoutDetails);
      const error = "An error occurred (Throttling) when calling the X operation: slowly";
      const script = `case "$* " in "iam ${call}"*) echo '${error}' >&2; exit 254 ;; esac\nexec "$stub" "$@"`;
      const { status, stderr } = new Operator(aws, operator.out, inFront(aws, script)).status();
      expect(status).toBe(1);
      expect(stderr).toContain(`error: aws iam ${call.trim()}: An error occurred (Throttling)`);
    }
  });
});
