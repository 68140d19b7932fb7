import { type FileHandle, open, readFile, truncate } from "node:fs/promises";

import { Money } from "@pro-talent/schemas/billing/money";
import { type TestCardName, testCards } from "@pro-talent/schemas/payments-sandbox/cards";
import {
  SandboxDispute,
  SandboxEvent,
  SandboxPayment,
  SandboxRefund,
} from "@pro-talent/schemas/payments-sandbox/objects";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

const Ms = z.int();
export const CardName = z.custom<TestCardName>(
  (name) => typeof name === "string" && Object.hasOwn(testCards, name),
);
const StoredCard = z.object({ name: CardName, storedMs: Ms });
export type StoredCard = z.infer<typeof StoredCard>;

const StoredCheckout = z.object({
  key: z.string(),
  accountId: z.string(),
  amount: Money.nullable(),
  description: z.string(),
  language: Locale,
  returnUrl: z.string(),
  cancelUrl: z.string(),
  completed: z.boolean(),
  expiresMs: Ms,
  paymentId: z.string().nullable(),
  /** Pressed last. */
  card: StoredCard.nullable(),
  /** Of the card pressed last. */
  failure: SandboxPayment.shape.failure,
});
export type StoredCheckout = z.infer<typeof StoredCheckout>;

const StoredPayment = z.object({
  key: z.string(),
  accountId: z.string(),
  checkoutId: z.string().nullable(),
  amount: Money,
  status: SandboxPayment.shape.status,
  failure: SandboxPayment.shape.failure,
  card: StoredCard,
  dispute: SandboxDispute.nullable(),
});
export type StoredPayment = z.infer<typeof StoredPayment>;

const StoredRefund = z.object({
  key: z.string(),
  paymentId: z.string(),
  amount: Money,
  status: SandboxRefund.shape.status,
  /** When it fails by itself. */
  failsMs: Ms.nullable(),
});
export type StoredRefund = z.infer<typeof StoredRefund>;

const StoredAnswer = z.object({
  /** Digest of the request. */
  request: z.string(),
  atMs: Ms,
  answer: z.unknown(),
  /** Code of the problem that was answered instead. */
  problem: z.string().nullable(),
});

/** `nextMs`: when it is sent next; null once it has arrived or was given up. */
const StoredEvent = z.object({ body: SandboxEvent, attempts: z.int(), nextMs: Ms.nullable() });
export type StoredEvent = z.infer<typeof StoredEvent>;

const Line = z.array(z.tuple([z.string(), z.string(), z.unknown()]));
type Line = z.infer<typeof Line>;

class Table<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #name: string;
  readonly #contract: z.ZodType<Row>;
  readonly #written: Line;

  constructor(name: string, contract: z.ZodType<Row>, written: Line) {
    this.#name = name;
    this.#contract = contract;
    this.#written = written;
  }

  get = (id: string): Row | undefined => this.#rows.get(id);
  entries = (): [string, Row][] => [...this.#rows];
  find = (matches: (row: Row) => boolean): [string, Row] | undefined =>
    this.entries().find(([, row]) => matches(row));

  set(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#written.push([this.#name, id, row]);
  }

  delete(id: string): boolean {
    this.#written.push([this.#name, id, null]);
    return this.#rows.delete(id);
  }

  /** @throws when the file holds what this version does not know */
  replay(id: string, row: unknown): void {
    if (row === null) this.#rows.delete(id);
    else this.#rows.set(id, this.#contract.parse(row));
  }
}

/** The rows of the sandbox, by their ids; `cards` by account. */
export class Tables {
  /** Since the last line. */
  readonly written: Line = [];
  readonly cards = new Table("cards", StoredCard, this.written);
  readonly checkouts = new Table("checkouts", StoredCheckout, this.written);
  readonly payments = new Table("payments", StoredPayment, this.written);
  readonly refunds = new Table("refunds", StoredRefund, this.written);
  readonly answers = new Table("answers", StoredAnswer, this.written);
  readonly events = new Table("events", StoredEvent, this.written);
  readonly #byName: Readonly<Record<string, Pick<Table<unknown>, "replay">>> = {
    cards: this.cards,
    checkouts: this.checkouts,
    payments: this.payments,
    refunds: this.refunds,
    answers: this.answers,
    events: this.events,
  };

  replay(text: string): void {
    for (const line of text.split("\n").filter((part) => part !== "")) {
      for (const [name, id, row] of Line.parse(JSON.parse(line))) {
        this.#byName[name]?.replay(id, row);
      }
    }
  }
}

/**
 * The sandbox's state: rows in memory, and a file of JSON lines from which they are read again. What one
 * change writes is one line, on the disk before it is answered. Changes run one after another.
 */
export class Journal {
  readonly #tables: Tables;
  readonly #file: FileHandle;
  #last: Promise<unknown> = Promise.resolve();
  #broken = false;

  private constructor(tables: Tables, file: FileHandle) {
    this.#tables = tables;
    this.#file = file;
  }

  /** Reads the file; a last line that was not written whole was never answered, and is cut. */
  static async open(path: string): Promise<Journal> {
    const file = await open(path, "a", 0o600);
    const bytes = await readFile(path);
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
    if (whole.length < bytes.length) await truncate(path, whole.length);
    const tables = new Tables();
    tables.replay(whole.toString("utf8"));
    return new Journal(tables, file);
  }

  get usable(): boolean {
    return !this.#broken;
  }

  /**
   * Runs a change on the rows and returns its result once it is durable.
   * @param change refuses (throws) only before its first write
   */
  run<Result>(change: (tables: Tables) => Result): Promise<Result> {
    const result = this.#last.then(() => this.#commit(change));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #commit<Result>(change: (tables: Tables) => Result): Promise<Result> {
    // Rows in memory may be ahead of the file: only a restart is sure what was written.
    if (this.#broken) throw new Error("The file of the payments sandbox could not be written");
    const { written } = this.#tables;
    try {
      const result = change(this.#tables);
      if (written.length > 0) {
        await this.#file.appendFile(`${JSON.stringify(written)}\n`);
        await this.#file.datasync();
        written.length = 0;
      }
      return result;
    } catch (error) {
      this.#broken = written.length > 0;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}
