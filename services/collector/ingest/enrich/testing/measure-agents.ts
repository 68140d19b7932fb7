import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";
import { gunzipSync } from "node:zlib";

import { DeviceClass } from "@pro-talent/schemas/analytics/row";
import { z } from "zod";

import { botVerdict } from "../bot-verdict.ts";
import { userAgentFacts } from "../user-agent.ts";

/** Agents of bots, and of people with the class of their device, or null where it is not known. */
const Corpus = z.object({
  bots: z.array(z.string()),
  people: z.record(z.string(), DeviceClass.nullable()),
});

const browserHeaders = { accept: "*/*", "accept-language": "he", "accept-encoding": "gzip, br" };

/** Whether a request that has all headers of a browser is a bot's by its agent alone. */
function isBot(userAgent: string): boolean {
  const headers = { ...browserHeaders, "user-agent": userAgent };
  const agent = userAgentFacts(userAgent);
  const request = { method: "POST", httpVersion: "1.1", headers, agent };
  return botVerdict(request).isBot === 1;
}

/** What the verdict and the device class miss in a corpus: JSON, or JSON in gzip. */
export function measureAgents(file: string | URL) {
  const bytes = readFileSync(file);
  const text = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  const { bots, people } = Corpus.parse(JSON.parse(text.toString("utf8")));
  const missed = bots.filter((bot) => !isBot(bot));
  const accused = Object.keys(people).filter(isBot);
  const classed = Object.entries(people).filter(([, device]) => device !== null);
  const misclassed = classed.filter(([agent, device]) => {
    return userAgentFacts(agent).deviceClass !== device;
  });
  const found = bots.length - missed.length;
  return {
    recall: found / bots.length,
    precision: found / (found + accused.length),
    deviceClass: 1 - misclassed.length / classed.length,
    counts: { bots: bots.length, people: Object.keys(people).length, classed: classed.length },
    missed,
    accused,
    misclassed,
  };
}

/** The kept sample; its sources and licences are in `services/collector/notice.txt`. */
export const keptAgents = new URL("agents.json.gz", import.meta.url);

if (import.meta.main) {
  for (const file of argv.length > 2 ? argv.slice(2) : [keptAgents]) {
    const { missed, accused, misclassed, ...figures } = measureAgents(file);
    const errors = [missed.length, accused.length, misclassed.length];
    stdout.write(`${String(file)}: ${JSON.stringify({ ...figures, errors })}\n`);
  }
}
