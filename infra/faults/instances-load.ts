import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { contactPath } from "@pro-talent/schemas/contact/categories";
import { subscribePath, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";
import { v7 as uuidV7 } from "uuid";

import { drillRecord, type SentRecord } from "./record-load.ts";
import { headersOf } from "./visits.ts";

/** A form that was sent, by its command id: the address in it, and whether it was acknowledged. */
export type SentForm = { kind: "contact" | "subscribe"; email: string; acked: boolean };

type Sending = { path: string; body: string; id: string; expected: number };

/**
 * Events and forms that arrive by chance, so many a second on average, each under an id of its own which is
 * also its `Idempotency-Key`. Nothing is repeated here: what fails, fails as the gateway's caller sees it.
 */
export class InstancesLoad {
  readonly records = new Map<string, SentRecord>();
  readonly forms = new Map<string, SentForm>();
  /** What was not answered as expected, as `503 /api/contact/send` or `ECONNRESET /…`, with how often. */
  readonly failed = new Map<string, number>();
  readonly #url: string;
  readonly #sessions: readonly string[];
  readonly #random: () => number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #ending = new AbortController();
  #arriving: Promise<unknown> = Promise.resolve();

  constructor(options: { url: string; sessions: readonly string[]; random: () => number }) {
    this.#url = options.url;
    this.#sessions = options.sessions;
    this.#random = options.random;
  }

  start(rate: { events: number; forms: number }): void {
    this.#arriving = Promise.all([
      this.#arrive(rate.events, () => this.#sendRecord()),
      this.#arrive(rate.forms, () => this.#sendForm()),
    ]);
  }

  /** Sends nothing new, and waits for the answers. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#arriving;
    this.#agent.destroy();
  }

  acknowledged(): { records: number; forms: number } {
    const count = (sent: ReadonlyMap<string, { acked: boolean }>): number =>
      [...sent.values()].filter(({ acked }) => acked).length;
    return { records: count(this.records), forms: count(this.forms) };
  }

  async #arrive(perSecond: number, send: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    const underWay = new Set<Promise<void>>();
    for (let dueMs = performance.now(); !signal.aborted;) {
      dueMs += (-Math.log(1 - this.#random()) * 1000) / perSecond;
      const early = dueMs - performance.now();
      if (early > 1) await delay(early, undefined, { signal }).catch(() => undefined);
      const sent: Promise<void> = send().finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
    await Promise.all(underWay);
  }

  async #sendRecord(): Promise<void> {
    const session = this.#sessions[Math.floor(this.#random() * this.#sessions.length)];
    const { kind, eventId: id, path, body } = drillRecord(session, this.#random);
    const record: SentRecord = { kind, acked: false };
    this.records.set(id, record);
    record.acked = await this.#send({ id, path, body, expected: 202 });
  }

  async #sendForm(): Promise<void> {
    const id = uuidV7();
    const kind = this.#random() < 0.5 ? "contact" : "subscribe";
    const form: SentForm = { kind, email: `${id}@example.com`, acked: false };
    this.forms.set(id, form);
    const { path, body } = formOf(form);
    form.acked = await this.#send({ id, path, body: JSON.stringify(body), expected: 200 });
  }

  /** Whether it was answered as expected. */
  async #send({ id, path, body, expected }: Sending): Promise<boolean> {
    const outcome = await this.#post(path, body, id);
    if (outcome === expected) return true;
    const name = `${outcome} ${path}`;
    this.failed.set(name, (this.failed.get(name) ?? 0) + 1);
    return false;
  }

  /** The status, or the code of the error without an answer. */
  #post(path: string, body: string, id: string): Promise<number | string> {
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
      const headers = { ...headersOf(0), "idempotency-key": id };
      const options = { method: "POST", agent: this.#agent, headers, timeout: 60_000 };
      const sent = request(new URL(path, this.#url), options, (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
        answer.on("error", failed);
      });
      sent.on("timeout", () => sent.destroy(new Error("timeout")));
      sent.on("error", failed);
      sent.end(body);
    });
  }
}

function formOf({ kind, email }: SentForm): { path: string; body: object } {
  if (kind === "contact") {
    const message = "The download of my CV stops at one half. What can I do about it?";
    const about = { subject: "support", subjectCategory: "support", message };
    return { path: contactPath, body: { name: "Noa Levi", email, ...about } };
  }
  return {
    path: subscribePath,
    body: {
      email,
      language: "he",
      sourceContext: "signup_page",
      consentText: "I agree to receive newsletter updates.",
      ...subscriptionDefaults.signup_page,
    },
  };
}
