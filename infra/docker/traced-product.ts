import { readFile } from "node:fs/promises";

import { openPool } from "@pro-talent/platform/postgres/pool";
import {
  type ReceivedSpan,
  startOtlpReceiver,
} from "@pro-talent/platform/tracing/testing/otlp-receiver";

import { type Demo, makeDemo } from "../embedded/demo-world.ts";
import { productServices } from "../embedded/services/product-services.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { hasRedis, startRedis } from "../faults/redis-server.ts";
import { productContainers } from "./compose-file.ts";
import { startProcesses } from "./start-processes.ts";

const accountsAlone = productServices.filter(({ name }) => name === "accounts");

/**
 * The start commands of docker-compose.yml as processes, with the variables of their containers and no others, which
 * send their spans to a receiver of this process. Jobs wait in Redis where this machine has it.
 */
export async function startTracedProduct() {
  const directory = await temporaryDirectory();
  const receiver = await startOtlpReceiver();
  const redis = (await hasRedis()) ? await startRedis(directory.path) : undefined;
  const { runtime, dataDir, processes, stop } = await startProcesses({
    dataDir: `${directory.path}/data`,
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, REGISTRATION: "open" },
    queueUrl: redis?.url,
  });
  const sql = openPool(runtime.postgres?.ownerUrl ?? "", { max: 1, applicationName: "test" });
  return {
    origin: runtime.origin,
    mailUrl: runtime.mail?.webUrl,
    /** Containers without a process, processes without a container, and processes that were started again. */
    wrong: (): string[] => [
      ...productContainers.filter((name) => !processes.has(name)),
      ...Array.from(processes, ([name, one]) => ({ name, one })).flatMap(({ name, one }) =>
        one.restarts() > 0 || !productContainers.includes(name) ? [name] : [],
      ),
    ],
    /** The names of processes that run as root. */
    ofRoot: async (): Promise<string[]> => {
      const names: string[] = [];
      for (const [name, one] of processes) {
        const status = await readFile(`/proc/${one.pid() ?? 0}/status`, "utf8");
        if (/^Uid:\s0/mu.test(status)) names.push(name);
      }
      return names;
    },
    /** The demo's accounts alone. */
    makeAccounts: (): Promise<Demo> => makeDemo(dataDir, accountsAlone),
    /** How many rows ClickHouse has for an event. */
    rowsOf: async (eventId: string): Promise<string> => {
      const { url = "", database = "" } = runtime.clickhouse ?? {};
      const { username, password, origin } = new URL(url);
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      const body = `SELECT count() FROM ${database}.events WHERE event_id = '${eventId}'`;
      const answer = await fetch(origin, { method: "POST", body, headers: { authorization } });
      return (await answer.text()).trim();
    },
    /** The events of all privacy requests, by their correlation. */
    privacyEvents: async () =>
      await sql<{ correlation: string; types: string[]; accounts: number }[]>`
      select meta::jsonb ->> 'correlationId' as correlation, array_agg(type) as types,
             count(distinct meta::jsonb ->> 'actor')
               filter (where meta::jsonb ->> 'actor' like 'account:%')::int as accounts
        from ledger.event where stream like 'privacy-%' group by 1`,
    /** Ends all processes, which send their last spans. @returns how each ended that did not end with code 0 */
    end: async (): Promise<(readonly [string, string | undefined])[]> => {
      await Promise.all(Array.from(processes.values(), (one) => one.stop()));
      const ends = Array.from(processes, ([name, one]) => [name, one.lastEnd()] as const);
      return ends.filter(([, how]) => how !== "ended with code 0");
    },
    spansOf: (id: string): readonly ReceivedSpan[] => receiver.of(id),
    /** Everything that was sent about spans, as text. */
    sent: (): string => receiver.text(),
    stop: async (): Promise<void> => {
      await sql.end();
      await stop();
      await redis?.stop();
      await receiver.stop();
      await directory.remove();
    },
  };
}
