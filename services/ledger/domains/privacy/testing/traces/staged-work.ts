import { searchStep } from "@pro-talent/schemas/privacy/erasure-search";
import { keyStep } from "@pro-talent/schemas/privacy/events";

import type { TimerHandlers } from "../../../../kernel/timers.ts";
import {
  claimHandler,
  eraseHandler,
  type ErasureParts,
  stepsFor,
} from "../../erase/erase-person.ts";
import { openJournal } from "../../erase/journal.ts";
import { rescanHandler } from "../../erase/scan.ts";
import { requestKeysEraser, requestsEraser } from "../../erase/stores.ts";
import { endSearch } from "../../search/searches.ts";
import { workHandler } from "../../work.ts";
import type { Stage } from "./stage.ts";

/** The steps as the stage of the replay has them. */
export const plans = {
  access: [
    "profile",
    "public-page",
    "sign-in",
    "account",
    "links",
    "consents",
    "recipients",
    "requests",
    "files",
  ],
  mailbox: ["newsletter", "consents", "requests"],
  erasure: ["requests", "links", "visits", searchStep, keyStep],
  mailboxErasure: ["links", "visits", searchStep, keyStep],
} as const;

/** The real work of an erasure on stores that answer or not. */
export function erasureOf({ privacy, gate }: Stage, journalFile: string) {
  const { worker } = privacy;
  const journalEnv = {
    ERASURE_JOURNAL_FILE: journalFile,
    ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
  };
  const store = (step: string) => ({
    step,
    erase: async () => {
      if (gate.fails === step) throw new Error("The store is away");
      return { found: 1, left: 0 };
    },
  });
  let searches = 0;
  const parts: ErasureParts = {
    context: worker,
    searchWaitMs: 0,
    journal: openJournal(journalEnv),
    search: async () => {
      if (gate.fails === searchStep) return [];
      searches += 1;
      const hits = gate.fails === "found" && searches % 2 === 1 ? 1 : 0;
      return [{ store: "ledger", decoy: true, hits, kept: 0, searched: 1 }];
    },
    scopeOf: (requestId, accountId) => {
      const person = async () => ({ accountId: accountId ?? "", email: "person@example.com" });
      const mailboxKey = {
        step: keyStep,
        erase: async (...[context, , why]: Parameters<typeof requestKeysEraser.erase>) => {
          await context.subjects.shred(requestId);
          await endSearch(context, requestId, why);
          return { found: 1, left: 0 };
        },
      };
      const around = accountId === null ? [] : [requestsEraser(privacy.files)];
      const key = accountId === null ? mailboxKey : requestKeysEraser;
      return {
        accountId,
        email: async () => "person@example.com",
        traces: async () => ({}),
        steps: stepsFor(worker, [...around, store("links"), store("visits"), key], person),
        close: async () => {
          if (gate.fails === "suppression") throw new Error("A service is away");
        },
      };
    },
  };
  return { ...parts, journalEnv };
}

/** A profile that does not answer, or that was changed since an officer saw it. */
async function withProfile(
  { privacy: { values }, gate }: Stage,
  accountId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = values.get(accountId);
  if (gate.fails === "profile") values.delete(accountId);
  if (gate.fails === "outdated" && before !== undefined)
    values.set(accountId, { ...before, phone: `+972 3 000 ${values.size}` });
  await work();
  if (gate.fails === "profile" && before !== undefined) values.set(accountId, before);
}

/** What fires the timers of a request. */
export function handlersOf(stage: Stage, erasing: ErasureParts, accountId: string): TimerHandlers {
  const { privacy, gate } = stage;
  const { module, worker } = privacy;
  const slow = module.slowTimers(worker, stage.environment);
  const work: TimerHandlers[string] = async (id, why) => {
    const journal = gate.fails === "journal" ? undefined : erasing.journal;
    const erase = eraseHandler({ ...erasing, journal });
    const usual = async () =>
      await withProfile(stage, accountId, async () => await slow["privacy.work"]?.(id, why));
    const handlers = { collecting: usual, applying: usual, claimed: erase, erasing: erase };
    await workHandler(worker, handlers)(id, why);
  };
  return {
    ...module.timers(worker, stage.environment),
    ...slow,
    "privacy.work": work,
    "privacy.erase": claimHandler(erasing),
    "privacy.rescan": rescanHandler(erasing),
  };
}
