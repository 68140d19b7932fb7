import { tmpdir } from "node:os";

import { describe, expect, it } from "vitest";

import { readGates, runGates, type Verdict } from "./check.ts";

async function verdicts(commands: Record<string, string>): Promise<Verdict[]> {
  const gates = Object.entries(commands).map(([name, command]) => ({ name, command }));
  return runGates(gates, tmpdir(), () => undefined);
}

describe("the gates", () => {
  it("are the scripts that begin with check:", () => {
    const scripts = { "check:types": "tsc -b", check: "all", test: "vitest" };
    expect(readGates(JSON.stringify({ scripts }))).toEqual([{ name: "types", command: "tsc -b" }]);
    expect(readGates("{}")).toEqual([]);
  });

  it("fail when their command fails, is killed, or does not exist", async () => {
    const found = await verdicts({
      good: "echo fine",
      bad: "echo broken >&2; exit 3",
      killed: "kill -9 $$",
      missing: "no-such-command-here",
    });
    expect(new Map(found.map(({ gate, passed }) => [gate, passed]))).toEqual(
      new Map([
        ["good", true],
        ["bad", false],
        ["killed", false],
        ["missing", false],
      ]),
    );
    expect(found.find(({ gate }) => gate === "bad")?.output).toContain("broken");
  });
});
