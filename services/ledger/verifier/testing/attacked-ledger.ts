import { randomUUID } from "node:crypto";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { settleMatter } from "../../domains/contact/contact-messages.ts";
import { sendContactMessage } from "../../domains/contact/send-contact-message.ts";
import { newAddress, newMessage } from "../../domains/contact/testing/contact-samples.ts";
import type { NewsletterCommand } from "../../domains/newsletter/decider.ts";
import { releaseIssue } from "../../domains/newsletter/issue/issues.ts";
import { sampleIssue } from "../../domains/newsletter/issue/testing/issues.ts";
import { commandSubscriber, newsletterSubscriber } from "../../domains/newsletter/subscribers.ts";
import {
  confirms,
  erasesDeparted,
  requests,
  unsubscribes,
} from "../../domains/newsletter/testing/histories.ts";
import { eventsPerSnapshot } from "../../kernel/commands.ts";
import { catchUp, followerOf } from "../../kernel/follow.ts";
import { readModels } from "../../modules.ts";
import { testCause, type TestLedger } from "../../testing/create-test-ledger.ts";

/** Streams that an attack aims at, by what is special about each. */
export type Targets = {
  readonly pending: string;
  readonly confirmed: string;
  readonly wordy: string;
  readonly erased: string;
  readonly received: string;
  readonly issue: string;
};

const start = Date.UTC(2026, 0, 5, 8);

/** Adds so many consents, each of another visitor, as the append would, in one statement. */
export async function addConsents(owner: Sql, count: number): Promise<void> {
  await owner.unsafe(`do $$
    declare h ledger.head; r ledger.event; t timestamptz(3) := clock_timestamp(); b ledger.event[] := '{}'; c uuid;
    begin
      select * into h from ledger.head for update;
      for i in 1..${count} loop
        c := gen_random_uuid(); h.pos := h.pos + 1;
        r := row(h.pos, h.epoch, 'consent-' || gen_random_uuid(), 1, gen_random_uuid(), c, 'ConsentGranted', 1, t, t,
          format('{"actor":"visitor","causationId":"%1$s","correlationId":"%1$s"}', c),
          format('{"method":"accept_all","notice":null,"purpose":"analytics","receiptId":"%s"}', gen_random_uuid()),
          null, null, null, h.hash, ''::bytea)::ledger.event;
        r.hash := ledger.event_hash(h.hash, r); h.hash := r.hash; b := b || r;
        if i % 500 = 0 or i = ${count} then insert into ledger.event select * from unnest(b); b := '{}'; end if;
      end loop;
      update ledger.head set pos = h.pos, hash = h.hash;
      insert into ledger.stream (stream, version) select stream, 1 from ledger.event where pos > h.pos - ${count};
      insert into ledger.command select command_id, '\\x00', pos, pos, '{}', recorded_at
        from ledger.event where pos > h.pos - ${count};
      insert into ledger.consent_current select substr(stream, 9)::uuid, 'analytics', true, pos
        from ledger.event where pos > h.pos - ${count};
      insert into ledger.consent_receipt (receipt_id, visitor_id, purpose, granted, method, notice, pos)
        select (data::json->>'receiptId')::uuid, substr(stream, 9)::uuid, 'analytics', true, 'accept_all', null, pos
          from ledger.event where pos > h.pos - ${count};
      update ledger.checkpoint set epoch = h.epoch, pos = h.pos where follower = 'consent_receipt';
    end $$; analyze`);
}

/** Fills a ledger with a life of each kind, then with consents. */
export async function fillLedger(ledger: TestLedger, consents: number): Promise<Targets> {
  const pending = await subscribe(ledger, []);
  const confirmed = await subscribe(ledger, [confirms(1)]);
  const changes = Array.from({ length: eventsPerSnapshot }, (_, index) => preferences(index));
  const wordy = await subscribe(ledger, [confirms(1), ...changes]);
  const erased = await eraseOne(ledger);
  for (let index = 0; index < 4; index += 1) await subscribe(ledger, [confirms(1)]);
  const now = instantFromMs(start);
  const received = randomUUID();
  for (const commandId of [received, randomUUID(), randomUUID()]) {
    const message = newMessage({ email: newAddress() }, { commandId });
    await sendContactMessage(ledger, message, { now, cause: testCause() });
  }
  const [settled, other] = await ledger.owner<{ id: string }[]>`
    select substr(stream, 9) as id from ledger.event where stream like 'contact-%' order by pos`;
  await settleMatter(ledger.ledger, settled?.id ?? "", { now, cause: testCause("operator") });
  await releaseIssue(ledger.ledger, sampleIssue(), { now, cause: testCause("operator") });
  for (const model of readModels.filter(({ mode }) => mode === "following")) {
    await catchUp(followerOf(ledger.sql, model));
  }
  await addConsents(ledger.owner, consents);
  const [issue] = await ledger.owner<{ stream: string }[]>`
    select stream from ledger.stream where category = 'issue'`;
  return {
    pending: `newsletter-${pending}`,
    confirmed: `newsletter-${confirmed}`,
    wordy: `newsletter-${wordy}`,
    erased: `newsletter-${erased}`,
    received: `contact-${other?.id ?? ""}`,
    issue: issue?.stream ?? "",
  };
}

/** A subscriber who left: the erasure is recorded, the key is not destroyed. @returns the id */
export function leave(ledger: TestLedger): Promise<string> {
  return subscribe(ledger, [confirms(1), unsubscribes, erasesDeparted]);
}

/** A subscriber who left and was erased. @returns the id */
export async function eraseOne(ledger: TestLedger): Promise<string> {
  const id = await leave(ledger);
  await ledger.subjects.shred(id);
  return id;
}

const preferences = (index: number): NewsletterCommand => ({
  type: "ChangePreferences",
  language: "he",
  topics: ["launch"],
  frequency: index % 2 === 0 ? "monthly" : "weekly",
});

async function subscribe(
  { ledger, subjects }: TestLedger,
  commands: readonly NewsletterCommand[],
): Promise<string> {
  const email = newAddress();
  const subject = await subjects.withAddress(newsletterSubscriber, email);
  let now: Instant = instantFromMs(start);
  for (const command of [requests, ...commands]) {
    now = instantPlus(now, 60_000);
    const address = subject.seal({ email, agreedText: null });
    const result = await commandSubscriber(ledger, subject.id, command, {
      now,
      cause: testCause(),
      ...(command === requests && { address }),
    });
    if (result.kind === "refusal") throw new Error(result.code);
  }
  return subject.id;
}
