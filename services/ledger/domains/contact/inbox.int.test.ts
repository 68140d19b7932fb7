import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { ContactLetter } from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createTestLedger,
  type TestLedger,
  testSubjectKeys,
} from "../testing/create-test-ledger.ts";
import { messagesWith, newestMessages } from "./read-inbox.ts";
import { sendMessage } from "./send-message.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

const hex = {
  wrapping: testSubjectKeys.wrappingKey.toString("hex"),
  lookup: testSubjectKeys.lookupKey.toString("hex"),
};
const surroundings = (): Record<string, string> => ({
  DATABASE_OWNER_URL: ledger.ownerUrl,
  LEDGER_WRAPPING_KEY: hex.wrapping,
  LEDGER_LOOKUP_KEY: hex.lookup,
});

type Ended = { code: number; output: string; errors: string };

function run(
  args: readonly string[],
  env: Record<string, string> = surroundings(),
): Promise<Ended> {
  const file = fileURLToPath(new URL("inbox.cli.ts", import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { env }, (_error, output, errors) =>
      resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });
}

/** Keeps a message, and tells its reference. */
async function write(letter: Partial<ContactLetter>): Promise<string> {
  const whole = {
    name: "Noa Levi",
    email: "noa@example.com",
    subject: "billing",
    message: "First line of it\nSecond line of it",
    sessionId: null,
    ...letter,
  };
  const facts = { category: "billing" as const, language: "he" as const, suspected: false };
  await sendMessage(
    ledger,
    { commandId: randomUUID(), ...facts, letter: whole },
    instantFromMs(Date.now()),
  );
  const [newest] = await newestMessages(ledger, 1);
  return newest?.fact.reference ?? "";
}

describe("npm run inbox", () => {
  it("says so when nobody has written", async () => {
    expect(await run([])).toEqual({ code: 0, output: "Nobody has written yet.\n", errors: "" });
  });

  it("lists the newest messages first, each with its writer and its first line", async () => {
    const older = await write({ message: "An older message" });
    const newer = await write({ name: "דנה כהן", subject: "A talk", message: "Hello\nthere" });
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
    const reference = await write({});
    const { code, output } = await run([reference.toLowerCase().replaceAll("0", "o")]);
    expect(output).toContain(`Reference     ${reference}\n`);
    expect(output).toContain("Name          Noa Levi\n");
    expect(output).toContain("Address       noa@example.com\n");
    expect(output).toContain("\n\nFirst line of it\nSecond line of it\n");
    expect(code).toBe(0);
  });

  it("makes visible what could take over the terminal or turn words around", async () => {
    const reference = await write({
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
    const reference = await write({ message: "Forget me, please" });
    const [row] = await ledger.sql<{ key_id: string }[]>`
      select key_id from ledger.event where data::jsonb->>'reference' = ${reference}`;
    await ledger.subjects.shred(row?.key_id ?? "");
    for (const args of [[], [reference]]) {
      const { code, output } = await run(args);
      expect(output).toContain("(erased)");
      expect(output).not.toContain("Forget me");
      expect(code).toBe(0);
    }
    expect(await messagesWith(ledger, "PT-0000-0000")).toEqual([]);
  });

  it("settles a matter by its reference, once, and says what becomes of the letter", async () => {
    const reference = await write({});
    const settled = await run(["settle", reference.toLowerCase()]);
    expect(settled).toMatchObject({ code: 0, errors: "" });
    expect(settled.output).toContain(`${reference} is settled.`);
    expect((await run(["settle", reference])).output).toBe(`${reference} was settled before.\n`);
    expect((await run(["settle", "PT-0000-0000"])).code).toBe(1);
    const erasures = await ledger.sql`
      select from ledger.outbox where name = 'contact.erase-letter'`;
    expect(erasures).toHaveLength(1);
  });

  it("shows twenty at once, and all on demand", async () => {
    for (let index = 0; index < 20; index += 1) await write({});
    const some = await run([]);
    expect(some.output.match(/^PT-/gm)).toHaveLength(20);
    expect(some.output).toContain("There are older ones");
    const all = await run(["--all"]);
    expect(all.output.match(/^PT-/gm)?.length).toBeGreaterThan(20);
    expect(all.output).not.toContain("There are older ones");
  });

  it.each([[["PT-0000-0000"]], [["--help"]], [["a", "b"]], [["settle"]]])(
    "with %j ends with 1",
    async (args) => {
      expect((await run(args)).code).toBe(1);
    },
  );

  it("finds the instance and its keys by the data directory, and says when there is none", async () => {
    const directory = await mkdtemp(join(tmpdir(), "inbox-"));
    const files = {
      "runtime.json": { postgres: { ownerUrl: ledger.ownerUrl } },
      "secrets.json": { ledgerWrappingKey: hex.wrapping, ledgerLookupKey: hex.lookup },
    };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(directory, name), JSON.stringify(content));
    }
    expect((await run([], { DATA_DIR: directory })).output).toContain("noa@example.com");
    await rm(join(directory, "secrets.json"));
    expect((await run([], { DATA_DIR: directory })).errors).toContain("There are no keys here");
    await rm(directory, { recursive: true });
    expect((await run([], { DATA_DIR: directory })).errors).toContain("Nothing runs here");
  });

  it("with keys of another instance shows nothing", async () => {
    const other = { ...surroundings(), LEDGER_WRAPPING_KEY: "0".repeat(64) };
    const { code, output } = await run([], other);
    expect(code).toBe(1);
    expect(output).not.toContain("noa@example.com");
  });
});
