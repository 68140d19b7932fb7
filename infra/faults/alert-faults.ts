import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { AlertStack } from "./alert-stack.ts";

/** A disturbance of the running product, the alerts that must follow, and what ends it. */
export type AlertFault = {
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

/** In this order, one after another. */
export const alertFaults: readonly AlertFault[] = [
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
    by: "an erasure that was due two hours ago is held by another transaction",
    alerts: ["TimersLate", "DutiesOverdue"],
    provoke: async ({ owner, signal }) => {
      const goOn = Promise.withResolvers<undefined>();
      const held = Promise.withResolvers<undefined>();
      const stream = "contact-00000000-0000-4000-8000-000000000000";
      // It would fire the timer before another transaction holds it.
      signal("ledger-worker", "SIGSTOP");
      await owner`
        insert into ledger.due_timer (stream, name, due_at, pos)
        values (${stream}, 'contact.erase-details', now() - interval '2 hours', 1)`;
      const holding = owner.begin(async (tx) => {
        await tx`select from ledger.due_timer where stream = ${stream} for update`;
        held.resolve(undefined);
        await goOn.promise;
        await tx`delete from ledger.due_timer where stream = ${stream}`;
      });
      await held.promise;
      signal("ledger-worker", "SIGCONT");
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
  {
    by: "a message that nothing handles has had its attempts",
    alerts: ["MessagesGivenUp"],
    provoke: async ({ owner }) => {
      await owner`
        insert into ledger.outbox (pos, name, payload, turn, due_at)
        values (1, 'drill.unknown', '{}', 12, now())`;
      return async () => {
        await owner`delete from ledger.outbox where name = 'drill.unknown'`;
      };
    },
  },
  {
    by: "an epoch of keys began forty-nine days earlier than it did",
    alerts: ["KeysOld"],
    provoke: async ({ owner }) => {
      await owner`update ledger.key_epoch set used_from = used_from - interval '49 days'`;
      return async () => {
        await owner`update ledger.key_epoch set used_from = used_from + interval '49 days'`;
      };
    },
  },
  {
    by: "backups do not reach Postgres",
    alerts: ["LogNotArchived"],
    provoke: async ({ backupsDatabase }) => {
      backupsDatabase.cut();
      return () => backupsDatabase.restore();
    },
  },
  {
    by: "the clock of backups goes forward by ten days, until a set is taken and verified",
    alerts: ["BackupLate", "BackupNotVerified"],
    provoke: async ({ backupsClock }) => {
      await writeFile(backupsClock, JSON.stringify({ aheadMs: 10 * 24 * 60 * 60_000 }));
      return () => undefined;
    },
  },
  {
    by: "four thousand requests to accounts that are never finished, until it starts again",
    alerts: ["MemoryHigh"],
    provoke: async ({ holdRequests, signal }) => {
      const leave = await holdRequests(4_000);
      return () => {
        leave();
        signal("accounts", "SIGKILL");
      };
    },
  },
];
