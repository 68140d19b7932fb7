import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import type { ContactDetails } from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { catchUp, followerOf } from "../../kernel/follow.ts";
import { rebuildReadModel } from "../../kernel/rebuild.ts";
import { log } from "../../kernel/testing/ledger-workers.ts";
import { sweepTimers } from "../../kernel/timers.ts";
import {
  createTestLedger,
  testCause,
  type TestLedger,
  testSecrets,
} from "../../testing/create-test-ledger.ts";
import { eraseDetailsTimer, settleMatter } from "./contact-messages.ts";
import { contactInbox, type InboxEntry, readInbox } from "./inbox.read-model.ts";
import { contactTimerHandlers } from "./messages.ts";
import { sendContactMessage } from "./send-contact-message.ts";
import { newMessage } from "./testing/contact-samples.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

const environment = (): Record<string, string> => ({
  DATABASE_INBOX_URL: asRole(ledger.ownerUrl, "ledger_inbox"),
  DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
  ...ledger.testKeys.environment,
});

const program = new URL("inbox.cli.ts", import.meta.url);
const run = (args: readonly string[], env = environment()) => runHere(program, args, env);

/** Reads the newest message as support sees it. */
async function newest(): Promise<InboxEntry> {
  await catchUp(followerOf(ledger.sql, contactInbox));
  const stores = { ...ledger, sql: ledger.owner };
  const [entry] = await readInbox(stores, { most: 1, operator: "test" });
  if (entry === undefined) throw new Error("The inbox is empty");
  return entry;
}

/** Sends a message. @returns its reference */
async function send(details: Partial<ContactDetails> = {}): Promise<string> {
  const texts = { subject: "billing", message: "First line of it\nSecond line of it", ...details };
  const message = newMessage(texts, { category: "billing", language: "he" });
  await sendContactMessage(ledger, message, issuedBy("visitor"));
  return (await newest()).fact.reference;
}

const issuedBy = (actor: string) => ({ now: instantFromMs(Date.now()), cause: testCause(actor) });

describe("npm run inbox", () => {
  it("states that there are no messages", async () => {
    const output = "There are no messages yet.\n";
    expect(await runProgram(program, [], environment())).toEqual({ code: 0, output, errors: "" });
  });

  it("lists the newest messages first, each with its sender and its first line", async () => {
    const older = await send({ message: "An older message" });
    const newer = await send({ name: "דנה כהן", subject: "A talk", message: "Hello\nthere" });
    const { code, output } = await run([]);
    const lines = output.split("\n");
    expect(lines[0]).toMatch(
      new RegExp(
        `^${newer}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC  billing  דנה כהן <noa@example\\.com>$`,
      ),
    );
    expect(lines[1]).toBe("    A talk: Hello");
    expect(lines[2]).toContain(older);
    expect(lines[3]).toBe("    An older message");
    expect(code).toBe(0);
  });

  it("shows one message whole, however its reference is typed", async () => {
    const reference = await send();
    const { code, output } = await run([reference.toLowerCase().replaceAll("0", "o")]);
    expect(output).toContain(`Reference     ${reference}\n`);
    expect(output).toContain("Name          Noa Levi\n");
    expect(output).toContain("Address       noa@example.com\n");
    expect(output).toContain("\n\nFirst line of it\nSecond line of it\n");
    expect(code).toBe(0);
  });

  it("makes characters visible that could control the terminal or change the direction", async () => {
    const reference = await send({
      name: "\u001B[2JNoa",
      subject: "\u202Egnp.exe",
      message: "\u001B]0;owned\u0007\rhello",
    });
    for (const args of [[], [reference]]) {
      const { output } = await run(args);
      expect(output).not.toMatch(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      expect(output).toContain("⟦U+001B⟧[2JNoa");
      expect(output).toContain("⟦U+202E⟧gnp.exe");
    }
  });

  it("shows an erased message without what was erased", async () => {
    const reference = await send({ message: "Forget me, please" });
    await ledger.destroyKey((await newest()).messageId);
    for (const args of [[], [reference]]) {
      const { code, output } = await run(args);
      expect(output).toContain("(erased)");
      expect(output).not.toContain("Forget me");
      expect(code).toBe(0);
    }
  });

  it("settles a matter by its reference, once, and states that its details are erased", async () => {
    const reference = await send();
    const settled = await run(["settle", reference.toLowerCase()]);
    expect(settled).toEqual({
      code: 0,
      output: `${reference} is settled. Its details are erased as soon as the platform runs.\n`,
      errors: "",
    });
    const again = async () => (await run(["settle", reference])).output;
    expect(await again()).toBe(
      `${reference} was settled before. Its details are erased as soon as the platform runs.\n`,
    );
    const due = () => ledger.sql`
      select from ledger.due_timer where name = ${eraseDetailsTimer} and due_at <= now()`;
    expect(await due()).toHaveLength(1);
    // What is missing is due again, instead of an answer that all is done.
    await ledger.owner`delete from ledger.due_timer`;
    expect(await again()).toContain("was settled before. The erasure of its details was missing;");
    expect(await due()).toHaveLength(1);
    const handlers = contactTimerHandlers(ledger);
    await sweepTimers({ sql: ledger.sql, log, handlers });
    expect(await again()).toBe(`${reference} was settled before. Its details are erased.\n`);
  });

  it("records which message was read, by which operator and role, and nothing of its content", async () => {
    const reference = await send({ message: "Unmistakable words" });
    const { messageId } = await newest();
    await run([reference]);
    const actions = await ledger.owner<{ text: string; role: string; action: string }[]>`
      select a::text as text, role, action from ledger.operator_action a
       where concerns = ${messageId} and role <> current_user`;
    expect(actions).toMatchObject([{ role: "ledger_inbox", action: "contact_message.read" }]);
    expect(JSON.stringify(actions)).not.toMatch(/Unmistakable|noa@example/);
  });

  it("reads no content but through what records it", async () => {
    await send();
    const sql = openPool(asRole(ledger.ownerUrl, "ledger_inbox"), {
      max: 1,
      applicationName: "test",
    });
    try {
      for (const text of [
        "select sealed from ledger.event",
        "select * from ledger.contact_inbox",
      ]) {
        await expect(sql.unsafe(text)).rejects.toMatchObject({ code: "42501" });
      }
      const nameless = sql`select * from ledger.read_contact_messages(null, 1, '')`;
      await expect(nameless).rejects.toMatchObject({ code: "23514" });
    } finally {
      await sql.end();
    }
  });

  it("shows twenty at once, and all on demand", async () => {
    for (let index = 0; index < 20; index += 1) await send();
    const some = await run([]);
    expect(some.output.match(/^PT-/gm)).toHaveLength(20);
    expect(some.output).toContain("There are older ones");
    const all = await run(["--all"]);
    expect(all.output.match(/^PT-/gm)?.length).toBeGreaterThan(20);
    expect(all.output).not.toContain("There are older ones");
  });

  const unknown = /^There is no message with this reference\. A reference looks like PT-/;
  const usage = "One reference, settle and one reference, --all, or nothing.\n";
  it.each([
    [["PT-0000-0000"], expect.stringMatching(unknown)],
    [["settle"], expect.stringMatching(unknown)],
    [["settle", "PT-0000-0000"], expect.stringMatching(unknown)],
    [["a", "b"], usage],
    [["PT-0000-0000", "--all"], usage],
    [["--help"], ""],
  ])("with %j ends with 1", async (args, output) => {
    expect(await run(args)).toMatchObject({ code: 1, output });
  });

  it("finds the instance and its keys by the data directory, and states what is missing", async () => {
    const directory = await mkdtemp(join(tmpdir(), "inbox-"));
    const files = {
      "runtime.json": {
        postgres: {
          ownerUrl: ledger.ownerUrl,
          operatorUrls: { ledger_inbox: environment()["DATABASE_INBOX_URL"] },
        },
      },
      "secrets.json": {
        ledgerWrappingKey: testSecrets.wrappingKey.toString("hex"),
        ledgerLookupKey: testSecrets.lookupKey.toString("hex"),
      },
    };
    await cp(ledger.testKeys.file, join(directory, "ledger-keys.json"));
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(directory, name), JSON.stringify(content));
    }
    expect((await run([], { DATA_DIR: directory })).output).toContain("noa@example.com");
    await rm(join(directory, "secrets.json"));
    expect((await run([], { DATA_DIR: directory })).errors).toContain(
      "set LEDGER_WRAPPING_KEY, LEDGER_LOOKUP_KEY and LEDGER_KEY_STORE",
    );
    await rm(directory, { recursive: true });
    const away = await run([], { ...ledger.testKeys.environment, DATA_DIR: directory });
    expect(away.errors).toContain("set DATABASE_INBOX_URL");
  });

  it("with keys of another instance shows nothing", async () => {
    const other = { ...environment(), LEDGER_WRAPPING_KEY: "0".repeat(64) };
    const { code, output, errors } = await run([], other);
    expect([code, errors]).toEqual([1, "Not the keys of this database: LEDGER_WRAPPING_KEY.\n"]);
    expect(output).not.toContain("noa@example.com");
  });
});

describe("the inbox read model", () => {
  const rowOf = async ({ messageId }: InboxEntry) => {
    await catchUp(followerOf(ledger.sql, contactInbox));
    return await ledger.sql`
      select reference, status, fact from ledger.contact_inbox where message_id = ${messageId}`;
  };

  it("has a row for a message, which is read back and settled", async () => {
    const reference = await send();
    const entry = await newest();
    expect(await rowOf(entry)).toEqual([{ reference, status: "received", fact: entry.fact }]);
    await settleMatter(ledger.ledger, entry.messageId, issuedBy("operator"));
    expect(await rowOf(entry)).toEqual([{ reference, status: "settled", fact: entry.fact }]);
  });

  it("settles a message that it has not seen before in the same step", async () => {
    await sendContactMessage(ledger, newMessage(), issuedBy("visitor"));
    const [row] = await ledger.sql<{ id: string }[]>`
      select substr(stream, 9) as id from ledger.event order by pos desc limit 1`;
    await settleMatter(ledger.ledger, row?.id ?? "", issuedBy("operator"));
    expect(await rowOf(await newest())).toMatchObject([{ status: "settled" }]);
  });

  it("has no personal details, and is the same when it is rebuilt from the events", async () => {
    await send({ name: "Unmistakable", message: "Unmistakable words" });
    const rows = await ledger.owner`select i::text as text from ledger.contact_inbox i`;
    expect(JSON.stringify(rows)).not.toMatch(/Unmistakable|noa@example/);
    const result = await rebuildReadModel(ledger.owner, contactInbox, { accept: false });
    expect(result).toMatchObject({ equal: true, live: { rows: rows.length } });
  });
});
