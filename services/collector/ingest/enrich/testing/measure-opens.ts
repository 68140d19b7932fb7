import { stdout } from "node:process";

import { openVerdict } from "../open-verdict.ts";
import { userAgentFacts } from "../user-agent.ts";
import { type LabelledOpen, labelledOpens } from "./opens-corpus.ts";

const verdictOf = ({ method, httpVersion, headers }: LabelledOpen): string => {
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  const { exclusion } = openVerdict({ method, httpVersion, headers, agent, isSecure: true });
  return exclusion === "" ? "person" : exclusion;
};

/** How the verdict judges the labelled requests: precision and recall of persons, and every pair. */
export function measureOpens() {
  const opens = labelledOpens();
  const pairs = new Map<string, number>();
  const wrong: string[] = [];
  for (const open of opens) {
    const verdict = verdictOf(open);
    const pair = `${open.label} > ${verdict}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    if ((open.label === "person") !== (verdict === "person"))
      wrong.push(`${pair}: ${open.headers["user-agent"]}`);
  }
  const count = (matches: (label: string, verdict: string) => boolean): number =>
    [...pairs].reduce((sum, [pair, times]) => {
      const [label = "", verdict = ""] = pair.split(" > ");
      return matches(label, verdict) ? sum + times : sum;
    }, 0);
  const found = count((label, verdict) => label === "person" && verdict === "person");
  return {
    requests: opens.length,
    precision: found / count((_, verdict) => verdict === "person"),
    recall: found / count((label) => label === "person"),
    pairs: Object.fromEntries([...pairs].toSorted(([one], [other]) => one.localeCompare(other))),
    wrong,
  };
}

if (import.meta.main) {
  const { wrong, ...figures } = measureOpens();
  stdout.write(`${JSON.stringify(figures, undefined, 2)}\n${wrong.join("\n")}\n`);
}
