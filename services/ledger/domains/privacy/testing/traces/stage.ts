import { createLogger, type Logger } from "@pro-talent/platform/runtime/logger";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { AddressedPerson, HeldSource } from "../../../../held.ts";
import { followerOfProcess, registerProcesses } from "../../../../kernel/processes.ts";
import { requester } from "../../../../restriction.ts";
import type { TestDatabase } from "../../../../testing/create-test-ledger.ts";
import { recordCancellations } from "../../follow-up.ts";
import { privacyEvents } from "../../requests.ts";
import { dana, omar } from "../facts.ts";
import { openPrivacy } from "../open-privacy.ts";

type Privacy = Awaited<ReturnType<typeof openPrivacy>>;

/** What is found out about the sender of a form; `away`: a service does not answer. */
export type Found = "account" | "mailbox" | "nothing" | "away";

/** What does not answer just now, and what is found out. */
type Gate = { fails: string; found: Found; mailAway: boolean };

type Officers = Readonly<Record<"dana" | "omar", ReturnType<Privacy["officer"]>>>;

const officersOf = (privacy: Privacy): Officers => ({
  dana: privacy.officer({ accountId: dana }),
  omar: privacy.officer({ accountId: omar }),
});

export type Stage = {
  readonly privacy: Privacy;
  readonly gate: Gate;
  readonly accounts: Map<string, string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly officers: Officers;
  /** Of the database, from which the ledger takes it. */
  readonly setTime: (now: Instant) => Promise<void>;
  /** The process that follows cancellations, up to now. */
  readonly recordsCancellations: () => Promise<void>;
  readonly requestOf: (email: string) => Promise<string>;
  readonly typesOf: (id: string) => Promise<readonly string[]>;
  readonly eventsOf: (id: string) => Promise<readonly { type: string; data: string }[]>;
  readonly close: () => Promise<void>;
};

/** The privacy domain on a real ledger whose clock is that of the database, with stores that can be away. */
export async function openStage(database?: TestDatabase): Promise<Stage> {
  const gate: Gate = { fails: "", found: "mailbox", mailAway: false };
  const accounts = new Map<string, string>();
  const environment = {};
  const away = (when: boolean): void => {
    if (when) throw new Error("A service is away");
  };
  const links: HeldSource = {
    section: "links",
    collect: async () => {
      away(gate.fails === "links");
      return [];
    },
  };
  const newsletter: HeldSource<AddressedPerson> = {
    section: "newsletter",
    collect: async (_context, { email }) => {
      away(gate.found === "away" || gate.fails === "links");
      return gate.found === "nothing" ? [] : [[{ field: "email", text: (await email()) ?? "" }]];
    },
  };
  const privacy: Privacy = await openPrivacy(
    {
      held: [links],
      mailboxHeld: [newsletter],
      accountOf: async (email) => {
        away(gate.found === "away");
        return gate.found === "account" ? (accounts.get(email) ?? null) : null;
      },
      accountFiles: async function* files() {
        away(gate.fails === "package");
        yield { name: "cv.txt", content: Buffer.from("a text") };
      },
      recipients: [
        async () => {
          away(gate.fails === "recipients");
          return [];
        },
      ],
    },
    environment,
    [],
    database,
  );
  const { mailer } = privacy.worker;
  const { owner, sql, subjects } = privacy.ledger;
  await registerProcesses(owner, [recordCancellations]);
  const follower = followerOfProcess(recordCancellations, {
    ledger: privacy.ledger.ledger,
    families: [privacyEvents],
  });
  const log = createLogger({ service: "test", level: "silent" });
  Object.assign(privacy.worker, {
    mailer: {
      ...mailer,
      send: async (mail: Parameters<typeof mailer.send>[0]) => {
        away(gate.mailAway);
        await mailer.send(mail);
      },
    },
  });
  return {
    privacy,
    gate,
    accounts,
    environment,
    log,
    officers: officersOf(privacy),
    setTime: async (now) => {
      privacy.time.ms = Date.parse(now);
      const aheadMs = privacy.time.ms - Date.now();
      await owner`
        insert into ledger.test_clock (ahead) values (interval '1 ms' * ${aheadMs}::float8)
        on conflict (one) do update set ahead = excluded.ahead`;
    },
    recordsCancellations: async () => {
      while ((await follower.step()) === "behind");
    },
    requestOf: async (email) => (await subjects.idsOfAddress(requester, email))[0] ?? "",
    typesOf: async (id) => {
      const rows = await sql<{ type: string }[]>`
        select type from ledger.event where stream = ${`privacy-${id}`} order by version`;
      return rows.map(({ type }) => type);
    },
    eventsOf: async (id) =>
      await sql<{ type: string; data: string }[]>`
        select type, data from ledger.event where stream = ${`privacy-${id}`} order by version`,
    close: () => privacy.close(),
  };
}
