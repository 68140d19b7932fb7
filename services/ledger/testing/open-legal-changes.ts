import { randomUUID } from "node:crypto";

import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { type Day, dayIn, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { acceptedDocuments } from "@pro-talent/schemas/site/accepted-document";

import { accountEvents, accountStreams, closeAccount } from "../domains/accounts/module.ts";
import { changesAnnounced, noticesOf } from "../domains/legal-changes/changes.ts";
import { effectiveFor } from "../domains/legal-changes/decider.ts";
import { legalChangesModule } from "../domains/legal-changes/module.ts";
import { announceChange } from "../domains/legal-changes/notify.ts";
import { holdersFrom, subscribersFrom } from "../domains/legal-changes/recipients.ts";
import { noticeContacts } from "../domains/newsletter/notice-contacts.ts";
import { newsletterEvents } from "../domains/newsletter/subscribers.ts";
import { runCommand } from "../kernel/commands.ts";
import { idOf } from "../kernel/events.ts";
import { catchUp, followerOf } from "../kernel/follow.ts";
import type { WorkerContext } from "../kernel/module.ts";
import { createTestLedger, testCause } from "./create-test-ledger.ts";

const dayMs = 24 * 60 * 60_000;

/** The domain on a ledger of its own, with a worker and a mail server that tests play. */
export async function openLegalChanges(startMs: number) {
  const ledger = await createTestLedger();
  const people = new Map<string, { readonly language: Locale; readonly email: string }>();
  const refusing = new Set<string>();
  const mails: Mail[] = [];
  let ms = startMs;
  const why = () => ({ now: instantFromMs(ms), cause: testCause() });
  const worker: WorkerContext = {
    ...ledger,
    clock: () => ms,
    stopping: new AbortController().signal,
    mailer: {
      send: async (mail: Mail) => {
        if (refusing.has(mail.to.address)) throw new MailRefused("no such mailbox");
        mails.push(mail);
      },
      reachable: async () => true,
      close: async () => undefined,
    },
  };
  const module = legalChangesModule({
    events: { account: accountEvents, subscriber: newsletterEvents },
    subscribers: noticeContacts,
    contactOf: async (accountId) => {
      const person = people.get(accountId);
      const rest = { fullName: "דנה לוי", address: "", timeZone: "Asia/Jerusalem" };
      return person && { ...person, ...rest };
    },
    accountOf: async (email) =>
      [...people].find(([, person]) => person.email === email)?.[0] ?? null,
  });
  const environment = { LEGAL_NOTICES_PER_SECOND: "5000" };
  const handlers = module.slowTimers(worker, environment);
  const [repeated] = module.repeats(worker, environment);
  const fire = async (): Promise<void> => {
    const due = await ledger.owner<{ stream: string; name: string }[]>`
      select stream, name from ledger.due_timer
       where stream like 'changenotice-%' and due_at <= ${instantFromMs(ms)}::timestamptz`;
    for (const { stream, name } of due) await handlers[name]?.(idOf(stream), why());
  };
  const follow = async (): Promise<void> => {
    for (const model of [holdersFrom(accountEvents), subscribersFrom(newsletterEvents)])
      await catchUp(followerOf(ledger.sql, model));
  };
  return {
    ledger,
    worker,
    module,
    mails,
    refusing,
    people,
    why,
    follow,
    requireAll: async () => await repeated?.run(),
    today: () => dayIn(instantFromMs(ms), "Asia/Jerusalem"),
    /** Passes the days, each with the work that its timers and the repeated job demand. */
    pass: async (days: number): Promise<void> => {
      for (let day = 0; day < days; day += 1) {
        ms += dayMs;
        await follow();
        await repeated?.run();
        await fire();
      }
    },
    /** An account that was opened with this version of both documents. */
    account: async (version = "2026-11-22", language: Locale = "he", email?: string) => {
      const id = randomUUID();
      people.set(id, { language, email: email ?? `${id}@example.com` });
      const documents = acceptedDocuments(language).map((one) => ({ ...one, version }));
      const rest = { documents, invitationId: null, discountPercent: 0 };
      const command = { type: "OpenAccount", ...rest } as const;
      await runCommand(ledger.ledger, accountStreams, { ...why(), id, command, body: {} });
      return id;
    },
    close: async (accountId: string): Promise<void> => {
      people.delete(accountId);
      await closeAccount(ledger, accountId, why());
    },
    /** Announces a version of the terms for the day in so many days. */
    announce: async (days: number): Promise<{ readonly changeId: string; readonly day: Day }> => {
      const day = dayPlus(dayIn(instantFromMs(ms), "Asia/Jerusalem"), days);
      const summary = { en: "Refunds take 10 days.", he: "החזר נמשך 10 ימים." };
      const coming = { terms: day, privacy: null };
      const result = await announceChange(
        ledger.ledger,
        { document: "terms", summary },
        why(),
        coming,
      );
      if (typeof result === "object") throw new Error(`The change is refused: ${result.refused}`);
      const announced = await changesAnnounced(ledger.sql);
      const change = announced.find(({ version }) => version === day);
      return { changeId: change?.changeId ?? "", day };
    },
    noticeOf: async (recipientId: string, changeId: string) =>
      (await noticesOf(ledger.sql, recipientId)).find((notice) => notice.changeId === changeId),
    /** Null while it is not known. */
    effectiveOn: async (recipientId: string, changeId: string) => {
      const known = await noticesOf(ledger.sql, recipientId);
      const notice = known.find((one) => one.changeId === changeId);
      return notice === undefined ? undefined : effectiveFor(notice);
    },
  };
}
export type LegalChangesService = Awaited<ReturnType<typeof openLegalChanges>>;
