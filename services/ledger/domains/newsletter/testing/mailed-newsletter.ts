import { randomUUID } from "node:crypto";

import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { testCause } from "../../../testing/create-test-ledger.ts";
import { newsletterTimerHandlers } from "../messages.ts";
import { newsletter } from "../module.ts";
import { commandSubscriber, eraseDepartedTimer } from "../subscribers.ts";
import { type NewsletterService, openNewsletterService } from "./newsletter-service.ts";

/** The newsletter with a mail server that follows a script; tests play the worker. */
export type MailedNewsletter = {
  readonly service: NewsletterService;
  readonly smtp: ScriptedSmtp;
  /** Handles a message of the outbox, as the worker does. @throws as its handler does */
  readonly deliver: (name: string, payload: unknown) => Promise<void>;
  /** Handles the newest message of the outbox. */
  readonly deliverNewest: () => Promise<void>;
  /** Handles the messages of the outbox that this has not handled before, in their order. */
  readonly deliverAll: () => Promise<void>;
  /** Ends a subscription and erases the address, as the timers do. */
  readonly erase: (subscriberId: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** @param source variables of the newsletter's own */
export async function openMailedNewsletter(
  source: Readonly<Record<string, string>> = {},
): Promise<MailedNewsletter> {
  const [service, smtp] = await Promise.all([openNewsletterService(), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "news@talent.example" };
  const mailer: Mailer = connectMailer({ smtpUrl: smtp.url, from });
  const stopping = new AbortController().signal;
  const handlers = newsletter.messages({ ...service.ledger, mailer, stopping }, source);
  const deliver = async (name: string, payload: unknown): Promise<void> => {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`There is no handler for ${name}`);
    await handler(payload, testCause(`message:${name}`));
  };
  const timers = newsletterTimerHandlers(service.ledger);
  let handled = 0;
  return {
    service,
    smtp,
    deliver,
    deliverNewest: async () => {
      const newest = (await service.messages()).at(-1);
      await deliver(newest?.name ?? "", newest?.payload);
    },
    deliverAll: async () => {
      const messages = (await service.messages()).slice(handled);
      handled += messages.length;
      for (const { name, payload } of messages) await deliver(name, payload);
    },
    erase: async (id) => {
      const context = { now: instantFromMs(service.now()), cause: testCause() };
      const leave = { type: "Unsubscribe", method: "preferences" } as const;
      await commandSubscriber(service.ledger.ledger, id, leave, context);
      await timers[eraseDepartedTimer]?.(id, context);
    },
    close: async () => {
      await mailer.close();
      await Promise.all([smtp.stop(), service.close()]);
    },
  };
}

export const newAddress = (): string => `reader-${randomUUID()}@example.com`;
