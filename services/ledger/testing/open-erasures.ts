import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect } from "vitest";

import { ledgerDataMaps } from "../data-map.ts";
import { accountEvents, closeAccount } from "../domains/accounts/module.ts";
import { savedWorkEraser } from "../domains/analyst-work/erase-work.ts";
import { applicationsEraser } from "../domains/applications/erase-applications.ts";
import { billing, billingEraser, paymentProviderEraser } from "../domains/billing/module.ts";
import { contactEraser } from "../domains/contact/contact-messages.ts";
import { invoicesEraser } from "../domains/invoices/held-invoices.ts";
import { webhooksEraser } from "../domains/link-webhooks/webhooks.ts";
import { linksEraser, openMailsEraser } from "../domains/links/erase-links.ts";
import { newsletterEraser } from "../domains/newsletter/subscribers.ts";
import {
  eraseHandler,
  type ErasureParts,
  stepsFor,
} from "../domains/privacy/erase/erase-person.ts";
import { openJournal } from "../domains/privacy/erase/journal.ts";
import { requestKeysEraser } from "../domains/privacy/erase/stores.ts";
import { privacyRequests } from "../domains/privacy/requests.ts";
import { searchLedger } from "../domains/privacy/search/search-ledger.ts";
import * as facts from "../domains/privacy/testing/facts.ts";
import { type CommandResult, runCommand } from "../kernel/commands.ts";
import type { Eraser } from "../kernel/erasers.ts";
import type { WorkerContext } from "../kernel/module.ts";
import { followerOfProcess, registerProcesses } from "../kernel/processes.ts";
import { loadState } from "../kernel/streams.ts";
import { noMail } from "../kernel/testing/ledger-workers.ts";
import { createTestLedger, testCause } from "./create-test-ledger.ts";
import { openPerson as openPersonIn, type Person } from "./open-person.ts";

/** Ends a worker's work as its process would: the border is passed, and nothing after it happens. */
type Killed = { readonly at: string; readonly when: "before" | "after" };

/** A ledger with what erases an account, whose own service is played by a set of accounts. */
export async function openErasures() {
  const ledger = await createTestLedger();
  const directory = await mkdtemp(join(tmpdir(), "erasures-"));
  const now = instantFromMs(Date.now());
  const why = () => ({ now, cause: testCause() });
  const done = async (result: Promise<CommandResult<string>>) =>
    expect(await result).toMatchObject({ kind: "answer" });
  const openPerson = () => openPersonIn(ledger, now);

  /** The parts of a worker of an account whose own service is played by a set of accounts. */
  function worker(accounts: Set<string>, killed?: Killed): ErasureParts {
    const stopping = new AbortController();
    const context: WorkerContext = { ...ledger, mailer: noMail, stopping: stopping.signal };
    const at = async <Done>(border: string, work: () => Promise<Done>): Promise<Done> => {
      const die = (): never => {
        stopping.abort();
        throw new Error("killed");
      };
      if (killed?.at === border && killed.when === "before") die();
      const result = await work();
      if (killed?.at === border) die();
      return result;
    };
    const journal = openJournal({
      ERASURE_JOURNAL_FILE: join(directory, "journal.jsonl"),
      ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
    });
    if (journal === undefined) throw new Error("No journal");
    const account: Eraser = {
      step: "accounts",
      erase: async (_context, { accountId }) => ({
        found: accounts.delete(accountId) ? 1 : 0,
        left: 0,
      }),
    };
    const erasers: readonly Eraser[] = [
      billingEraser,
      invoicesEraser,
      paymentProviderEraser,
      linksEraser,
      webhooksEraser,
      openMailsEraser,
      applicationsEraser,
        savedWorkEraser,
      newsletterEraser,
      contactEraser,
      account,
      requestKeysEraser,
    ];
    return {
      context,
      search: async (traces) => {
        const [found] = await searchLedger(ledger.sql, tablesWithIds(ledgerDataMaps), [traces]);
        return found === undefined ? [] : [{ store: "ledger", ...found }];
      },
      searchWaitMs: 0,
      journal: { ...journal, append: (entry) => at("journal", () => journal.append(entry)) },
      scopeOf: (_id, accountId) => {
        if (accountId === null) throw new Error("No account");
        const email = () => (accounts.has(accountId) ? `${accountId}@example.com` : null);
        const steps = stepsFor(context, erasers, async () => ({ accountId, email: email() }));
        return {
          accountId,
          email: async () => email(),
          traces: async () => ({ values: [`Name of ${accountId}`], ids: [accountId] }),
          steps: steps.map((step) => ({
            ...step,
            erase: (cause) => at(step.step, () => step.erase(cause)),
          })),
          close: (cause) =>
            at("suppression", async () => {
              await closeAccount(context, accountId, cause);
              await followClosing();
            }),
        };
      },
    };
  }

  /** What the worker's processes do on their own. */
  async function followClosing(): Promise<void> {
    const closing = billing.processes.filter(({ name }) => name === "billing.close-account");
    await registerProcesses(ledger.owner, closing);
    for (const process of closing) {
      const follower = followerOfProcess(process, {
        ledger: ledger.ledger,
        families: [accountEvents, ...billing.events],
      });
      while ((await follower.step()) === "behind");
    }
  }

  /** A deletion whose holder gave up the days that were left; its timer is due. */
  async function dueDeletion({ accountId }: Person): Promise<string> {
    const id = randomUUID();
    const received = { ...facts.receives("delete"), accountId };
    for (const command of [received, facts.records(facts.waived)])
      await done(
        runCommand(ledger.ledger, privacyRequests, { ...why(), id, command, body: command }),
      );
    return id;
  }

  const statusOf = async (id: string) =>
    (await loadState(ledger.sql, privacyRequests, id)).state.status;
  const keysOf = async ({ sealed }: Person): Promise<number> =>
    (await ledger.sql`select from ledger.subject where subject_id = any (${[...sealed]}::uuid[])`)
      .length;
  const sealedEvents = async ({ sealed }: Person) =>
    await ledger.owner<{ row: string }[]>`
      select e::text as row from ledger.event e where key_id = any (${[...sealed]}::uuid[])
         and sealed is not null order by pos`;

  const eventsOf = async (id: string) =>
    await ledger.owner<{ type: string; data: string }[]>`
      select type, data from ledger.event where stream = ${`privacy-${id}`} order by pos`;
  const work = async (parts: ErasureParts, id: string, context = why()) => {
    await eraseHandler(parts)(id, context);
    return await statusOf(id);
  };
  return {
    ledger,
    directory,
    now,
    done,
    why,
    openPerson,
    worker,
    dueDeletion,
    statusOf,
    keysOf,
    sealedEvents,
    eventsOf,
    work,
    close: async () => {
      await ledger.drop();
      await rm(directory, { recursive: true });
    },
  };
}
