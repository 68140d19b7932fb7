import { contactPath } from "@pro-talent/schemas/contact/categories";
import { ContactEvent, type ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";

import { idOf } from "../../../kernel/events.ts";
import { buildTestApp } from "../../../testing/build-test-app.ts";
import { createTestLedger, type TestLedger } from "../../../testing/create-test-ledger.ts";

/** A recorded message, with the outbox messages that follow from it. */
type RecordedMessage = {
  readonly messageId: string;
  readonly fact: ContactMessageReceived["data"];
  readonly outbox: readonly { readonly name: string; readonly payload: unknown }[];
};

type Sent = Promise<LightMyRequestResponse>;
type Sending = (body: object, headers?: Record<string, string>, to?: FastifyInstance) => Sent;

/** The contact form's service over a ledger of its own. */
export type ContactService = {
  readonly ledger: TestLedger;
  /** Sends a message as a script does. */
  readonly send: Sending;
  /** Sends the fields as a browser does without scripts. */
  readonly sendForm: Sending;
  /** Sends, and reads what was recorded meanwhile. */
  readonly recordedBy: (
    sending: () => Promise<{ statusCode: number }>,
  ) => Promise<{ statusCode: number; recorded: readonly RecordedMessage[] }>;
  readonly close: () => Promise<void>;
};

export async function openContactService(): Promise<ContactService> {
  const ledger = await createTestLedger();
  const app = await buildTestApp(ledger);
  const post = (type: string, payload: string, headers: Record<string, string>, to = app): Sent =>
    to.inject({
      method: "POST",
      url: contactPath,
      headers: { "content-type": type, ...headers },
      payload,
    });
  return {
    ledger,
    send: (body, headers = {}, to) => post("application/json", JSON.stringify(body), headers, to),
    sendForm: (body, headers = {}, to) => {
      const fields = Object.entries(body).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const payload = new URLSearchParams(fields).toString();
      return post("application/x-www-form-urlencoded", payload, headers, to);
    },
    recordedBy: async (sending) => {
      const [head] = await ledger.sql<{ pos: number }[]>`select pos from ledger.head`;
      const { statusCode } = await sending();
      return { statusCode, recorded: await recordedSince(ledger, head?.pos ?? 0) };
    },
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}

async function recordedSince({ sql }: TestLedger, position: number): Promise<RecordedMessage[]> {
  const rows = await sql<{ pos: number; stream: string; type: string; data: string }[]>`
    select pos, stream, type, data from ledger.event where pos > ${position} order by pos`;
  const recorded: RecordedMessage[] = [];
  for (const { pos, stream, type, data } of rows) {
    const event = ContactEvent.parse({ type, data: JSON.parse(data) });
    if (event.type !== "ContactMessageReceived") throw new Error(`Recorded was ${event.type}`);
    const outbox = await sql<{ name: string; payload: unknown }[]>`
      select name, payload from ledger.outbox where pos = ${pos} order by name`;
    recorded.push({ messageId: idOf(stream), fact: event.data, outbox });
  }
  return recorded;
}
