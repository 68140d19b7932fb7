import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { until } from "@pro-talent/platform/testing/until";

import { readRules } from "../observability/rules.ts";
import { type AlertStack, alertBounds, openAlertStack } from "./alert-stack.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";

/** Scaled times, and a machine on which other things run. */
const firesWithinMs = 120_000;

/** A disturbance of the running product, the alerts that must follow, and what ends it. */
type Fault = {
  readonly by: string;
  readonly alerts: readonly string[];
  readonly provoke: (stack: AlertStack) => Promise<() => Promise<void> | void>;
};

/** Repeats work until it is ended; work that fails is the purpose here. */
function repeatedly(work: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  const ended = new AbortController();
  const running = (async () => {
    while (!ended.signal.aborted) {
      await work().catch(() => undefined);
      await delay(pauseMs);
    }
  })();
  return async () => {
    ended.abort();
    await running;
  };
}

const addJobs = (jobs: AlertStack["jobs"], count: number, data: object) =>
  Promise.all(Array.from({ length: count }, () => jobs.add("collector.prune-claims", data)));

const faults: readonly Fault[] = [
  {
    by: "the site stands still",
    alerts: ["ProcessAway"],
    provoke: async (stack) => {
      stack.signal("site", "SIGSTOP");
      return () => stack.signal("site", "SIGCONT");
    },
  },
  {
    by: "the database takes no connection of accounts",
    alerts: ["CallsFail"],
    provoke: async ({ admin, ask }) => {
      await admin`alter role accounts_app nologin`;
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'accounts_app'`;
      const end = repeatedly(ask, 100);
      return async () => {
        await admin`alter role accounts_app login`;
        await end();
      };
    },
  },
  {
    by: "a table that calls read is locked for three seconds, again and again",
    alerts: ["CallsSlow"],
    provoke: async ({ owner, ask }) => {
      const asking = [1, 2, 3, 4].map(() => repeatedly(ask, 10));
      const locking = repeatedly(
        () =>
          owner.begin(async (tx) => {
            await tx`lock table accounts.sign_in_session in access exclusive mode`;
            await delay(3_200);
          }),
        100,
      );
      return async () => {
        await locking();
        await Promise.all(asking.map((end) => end()));
      };
    },
  },
  {
    by: "jobs of the collector have payloads that they do not take",
    alerts: ["JobsFail"],
    provoke: async ({ jobs }) => {
      await addJobs(jobs, 60, { x: 1 });
      return () => undefined;
    },
  },
  {
    by: "a table that a job works on is locked while a hundred and fifty of its jobs wait",
    alerts: ["JobsWait"],
    provoke: async ({ owner, jobs }) => {
      const goOn = Promise.withResolvers<undefined>();
      const locked = Promise.withResolvers<undefined>();
      const holding = owner.begin(async (tx) => {
        await tx`lock table collector.event_claim in access exclusive mode`;
        locked.resolve(undefined);
        await goOn.promise;
      });
      await locked.promise;
      await addJobs(jobs, 150, {});
      return async () => {
        goOn.resolve(undefined);
        await holding;
      };
    },
  },
  {
    by: "ClickHouse is away while reports go on until the spool is full",
    alerts: ["ClickhouseAway", "SpoolGrows", "ReportsRefused"],
    provoke: async ({ clickhouse, report }) => {
      clickhouse.cut();
      const end = repeatedly(report, 1);
      return async () => {
        await end();
        clickhouse.restore();
      };
    },
  },
  {
    by: "a byte of the spool changes while ClickHouse is away",
    alerts: ["RowsQuarantined"],
    provoke: async ({ clickhouse, report, spoolDir }) => {
      clickhouse.cut();
      for (let sent = 0; sent < 20; sent += 1) await report();
      const files = (await readdir(spoolDir, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      );
      for (const { parentPath, name } of files) {
        const file = join(parentPath, name);
        const bytes = await readFile(file);
        if (bytes.subarray(0, 8).toString("latin1") !== "ptspool1" || bytes.length < 200) continue;
        bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 0xff;
        await writeFile(file, bytes);
      }
      clickhouse.restore();
      return () => undefined;
    },
  },
  {
    by: "a due timer is held by another transaction",
    alerts: ["TimersLate"],
    provoke: async ({ owner }) => {
      const goOn = Promise.withResolvers<undefined>();
      const held = Promise.withResolvers<undefined>();
      const stream = "contact-00000000-0000-4000-8000-000000000000";
      await owner`
        insert into ledger.due_timer (stream, name, due_at, pos)
        values (${stream}, 'contact.erase', now() + interval '3 seconds', 1)`;
      const holding = owner.begin(async (tx) => {
        await tx`select from ledger.due_timer where stream = ${stream} for update`;
        held.resolve(undefined);
        await goOn.promise;
        await tx`delete from ledger.due_timer where stream = ${stream}`;
      });
      await held.promise;
      return async () => {
        goOn.resolve(undefined);
        await holding;
      };
    },
  },
  {
    by: "the mail server stands still",
    alerts: ["MessagesLate"],
    provoke: async (stack) => {
      stack.signal("mail", "SIGSTOP");
      await stack.write();
      return () => stack.signal("mail", "SIGCONT");
    },
  },
  {
    by: "the checkpoint of a process is held by another transaction",
    alerts: ["FollowersBehind"],
    provoke: async ({ owner, write }) => {
      const goOn = Promise.withResolvers<undefined>();
      const held = Promise.withResolvers<undefined>();
      const holding = owner.begin(async (tx) => {
        await tx`select from ledger.checkpoint for update`;
        held.resolve(undefined);
        await goOn.promise;
      });
      await held.promise;
      await write();
      return async () => {
        goOn.resolve(undefined);
        await holding;
      };
    },
  },
];

/** One fault, from its beginning until its alerts are quiet again. */
async function drill(stack: AlertStack, { by, alerts, provoke }: Fault): Promise<Finding[]> {
  const { prometheus } = stack;
  const before = new Map(alerts.map((alert) => [alert, prometheus.fired(alert)]));
  const timesOf = (alert: string): number => prometheus.fired(alert) - (before.get(alert) ?? 0);
  const endFault = await provoke(stack);
  const fire = () => alerts.every((alert) => timesOf(alert) > 0);
  const isFired = await until("it fires", fire, firesWithinMs).then(
    () => true,
    () => false,
  );
  await endFault();
  const quiet = () => alerts.every((alert) => !prometheus.isFiring(alert));
  const isQuiet = await until("it is quiet", quiet, firesWithinMs).then(
    () => true,
    () => false,
  );
  return alerts.map((alert) => ({
    statement: `${alert}, provoked by: ${by}`,
    holds: isFired && isQuiet && timesOf(alert) === 1,
    figures: `fired ${timesOf(alert)} ×, ${isQuiet ? "resolved" : "not resolved"}`,
  }));
}

/** The alerts whose faults a drill cannot bring about, which are judged by courses of figures. */
async function judgeCourses(): Promise<Finding> {
  const provoked = new Set(faults.flatMap(({ alerts }) => alerts));
  const left = readRules().flatMap(({ alert }) => (provoked.has(alert) ? [] : [alert]));
  const file = fileURLToPath(new URL("../observability/alerts.test.yml", import.meta.url));
  const { stdout } = await promisify(execFile)("promtool", ["test", "rules", file]);
  return {
    statement: `by courses of figures alone: ${left.join(", ")}`,
    holds: stdout.includes("SUCCESS"),
    figures: "fire at one course, are quiet at another",
  };
}

/**
 * Every alert that can be provoked fires once when its fault happens to the running product, and is quiet once it has
 * ended: real processes, their figures read by Prometheus each second, the rules with a sixtieth of their times.
 */
export async function alertsDrill({ directory, report }: DrillOptions): Promise<Finding[]> {
  const stack = await openAlertStack(directory);
  const findings: Finding[] = [];
  try {
    report(
      `not as written, beside times: ${Object.entries(alertBounds)
        .map((pair) => pair.join(" → "))
        .join("; ")}`,
    );
    for (const fault of faults) {
      const from = performance.now();
      findings.push(...(await drill(stack, fault)));
      report(`${fault.by}: ${Math.round((performance.now() - from) / 1000)} s`);
    }
    findings.push(await judgeCourses());
  } finally {
    await stack.stop();
  }
  return findings;
}
