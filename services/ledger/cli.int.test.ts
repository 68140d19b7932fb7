import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sendContactMessage } from "./domains/contact/send-contact-message.ts";
import { newMessage } from "./domains/contact/testing/contact-samples.ts";
import { append } from "./kernel/append.ts";
import { catchUp, followerOf } from "./kernel/follow.ts";
import { readModels } from "./modules.ts";
import { consentAppend } from "./testing/consent-append.ts";
import { createTestLedger, testCause, type TestLedger } from "./testing/create-test-ledger.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
  for (let index = 0; index < 12; index += 1) await append(ledger.ledger, consentAppend());
  const following = readModels.filter(({ mode }) => mode === "following");
  for (const model of following) await catchUp(followerOf(ledger.sql, model));
});
afterAll(() => ledger.drop());

const programs = {
  verify: new URL("verifier/verify.cli.ts", import.meta.url),
  rebuild: new URL("rebuild.cli.ts", import.meta.url),
  reconcile: new URL("reconcile.cli.ts", import.meta.url),
  outbox: new URL("outbox.cli.ts", import.meta.url),
};
const run = (
  program: keyof typeof programs,
  args: readonly string[],
  environment: Record<string, string> = {
    DATABASE_OWNER_URL: ledger.ownerUrl,
    DATABASE_VERIFIER_URL: asRole(ledger.ownerUrl, "ledger_verifier"),
  },
) => runHere(programs[program], args, environment);

/** Changes the seventh event, as the owner of the database could. */
async function tamper(data: string): Promise<void> {
  await ledger.owner.unsafe(`begin; alter table ledger.event disable trigger user;
    update ledger.event set data = ${data} where pos = 7;
    alter table ledger.event enable always trigger frozen;
    alter table ledger.event enable always trigger frozen_truncate; commit`);
}

describe("ledger:verify", () => {
  it("reports that a whole ledger holds, and ends with 0", async () => {
    const { code, output } = await run("verify", []);
    expect(output).toMatch(
      /^12 events up to position 12 checked in \d+\.\d\d s\nThe ledger holds\.\n$/,
    );
    expect(code).toBe(0);
  });

  it("names the place where a ledger is broken, and ends with 1", async () => {
    await tamper("replace(data, 'customise', 'accept_all')");
    const { code, output } = await run("verify", []);
    expect(output).toContain("position 7: hash (a field is not what was recorded)\n");
    expect(output).toContain("The ledger is broken: ");
    expect(code).toBe(1);
    await tamper("replace(data, 'accept_all', 'customise')");
  });

  it("finds the running instance by its data directory", async () => {
    const directory = await mkdtemp(join(tmpdir(), "ledger-cli-"));
    const operatorUrls = { ledger_verifier: asRole(ledger.ownerUrl, "ledger_verifier") };
    const runtime = { postgres: { ownerUrl: ledger.ownerUrl, operatorUrls } };
    await writeFile(join(directory, "runtime.json"), JSON.stringify(runtime));
    const found = await run("verify", [], { DATA_DIR: directory });
    await rm(directory, { recursive: true });
    expect(found).toMatchObject({ code: 0, output: expect.stringContaining("12 events") });
    const gone = await run("verify", [], { DATA_DIR: directory });
    expect(gone.code).toBe(1);
    expect(gone.errors).toMatch(/^No instance runs here .+\n$/);
  });
});

describe("ledger:rebuild", () => {
  it("rebuilds all read models, shows equal digests, and ends with 0", async () => {
    const { code, output } = await run("rebuild", ["all"]);
    expect(output.match(/equal; the rebuilt table is in place/g)).toHaveLength(readModels.length);
    const digests = [...output.matchAll(/12 rows {2}([0-9a-f]{64})/g)].map((match) => match[1]);
    expect(digests).toHaveLength(4);
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).toBe(digests[3]);
    expect(code).toBe(0);
  });

  it("shows a difference, changes nothing and ends with 1, until it is accepted", async () => {
    await ledger.owner`update ledger.consent_current set granted = false where pos = 3`;
    const found = await run("rebuild", ["consent_current"]);
    expect(found.output).toContain("DIFFERENT; the live table was left");
    expect(found.code).toBe(1);
    const accepted = await run("rebuild", ["consent_current", "--accept"]);
    expect(accepted.output).toContain("DIFFERENT; the rebuilt table is in place, as accepted");
    expect(accepted.code).toBe(0);
    expect((await run("rebuild", ["consent_current"])).code).toBe(0);
  });

  it("of an unknown name lists the read models", async () => {
    const { code, output } = await run("rebuild", ["nothing_like_it"]);
    const names = readModels.map(({ table }) => table).join(", ");
    expect(output).toContain(`There are: ${names}, timers, or all.`);
    expect(code).toBe(1);
  });
});

const asOperator = () => ({
  DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
});

describe("ledger:reconcile", () => {
  const whole = "Every timer and every key is as the events demand.";

  it("sets the timers that are missing, and then finds nothing more", async () => {
    await sendContactMessage(ledger, newMessage(), {
      now: instantFromMs(ledger.clock()),
      cause: testCause(),
    });
    const timers = () => ledger.owner`select stream, name, due_at, fired_at from ledger.due_timer`;
    const before = await timers();
    expect(before.length).toBe(2);
    await ledger.owner`delete from ledger.due_timer`;
    const repaired = await run("reconcile", [], asOperator());
    expect(repaired).toMatchObject({ code: 0, output: expect.stringContaining("2 timers were") });
    expect(await timers()).toEqual(before);
    expect((await run("reconcile", [], asOperator())).output).toContain(whole);
    await ledger.owner`delete from ledger.due_timer`;
    expect((await run("rebuild", ["timers"])).output).toBe("timers: 2 set, 0 removed\n");
    expect(await timers()).toEqual(before);
  });
});

describe("outbox", () => {
  it("lists the messages that were given up, and requests one or all again, which is recorded", async () => {
    await ledger.owner`update ledger.outbox set given_up_at = now(), turn = 12`;
    const listed = await run("outbox", ["list"], asOperator());
    expect(listed.output.match(/contact\.(?:notify-support|acknowledge)/g)).toHaveLength(2);
    const [id = ""] = listed.output.split(" ", 1);
    const one = await run("outbox", ["retry", id], asOperator());
    expect(one.output).toMatch(/^1 requested again/);
    expect((await run("outbox", ["retry", "all"], asOperator())).output).toMatch(/^1 requested/);
    expect(await run("outbox", ["retry", "all"], asOperator())).toMatchObject({ code: 1 });
    expect((await run("outbox", ["list"], asOperator())).output).toBe("No message was given up.\n");
    expect(
      await ledger.owner`select turn from ledger.outbox where given_up_at is null and turn = 0`,
    ).toHaveLength(2);
    const recorded = await ledger.owner<{ role: string }[]>`
      select role from ledger.operator_action where action = 'outbox.retry'`;
    expect(recorded.map(({ role }) => role)).toEqual(["ledger_operator", "ledger_operator"]);
  });

  it.each([[[]], [["retry", "0"]]])("of %j shows its use", async (args) => {
    const { code, output } = await run("outbox", args, asOperator());
    expect([code, output]).toEqual([1, "Use: list, or retry <id|all>\n"]);
  });
});

it("every npm script of the ledger starts a program that exists", async () => {
  const root = new URL("../../", import.meta.url);
  const text = await readFile(new URL("package.json", root), "utf8");
  const scripts = [...text.matchAll(/"node (services\/ledger\/[^ "]+)/g)].map(([, file]) => file);
  expect(scripts.length).toBeGreaterThan(5);
  for (const file of scripts)
    await expect(access(new URL(file ?? "", root))).resolves.toBe(undefined);
});

describe("a command that lacks something", () => {
  const nowhere = "postgres://reader:secret@127.0.0.1:1/none";
  const inbox = new URL("domains/contact/inbox.cli.ts", import.meta.url);
  const newsletter = new URL("domains/newsletter/issue/issue.cli.ts", import.meta.url);
  const commands = [
    [programs.verify, []],
    [programs.rebuild, ["all"]],
    [inbox, []],
    [newsletter, ["status"]],
    [programs.reconcile, []],
    [programs.outbox, ["list"]],
  ] as const;
  const roles = ["OWNER", "OPERATOR", "INBOX", "VERIFIER"].map((role) => `DATABASE_${role}_URL`);
  const keys = {
    LEDGER_WRAPPING_KEY: "1".repeat(64),
    LEDGER_LOOKUP_KEY: "2".repeat(64),
    LEDGER_KEY_STORE: "file:///nowhere/keys.json",
  };

  // Addresses are read in one place, for the owner and for operators.
  const read = commands.filter(([file]) => [programs.rebuild, programs.outbox].includes(file));

  it.each([
    {
      what: "a database that answers",
      url: nowhere,
      of: commands,
      sentence: /^The database does not answer \(ECONNREFUSED\)\. .+\n$/,
    },
    {
      what: "an address",
      url: "nonsense",
      of: read,
      sentence: /^The environment is not complete:\n {2}DATABASE_[A-Z]+_URL: .+\n$/,
    },
  ])("names $what in a sentence", async ({ url, of, sentence }) => {
    const ended = await Promise.all(
      of.map(([file, args]) => {
        const urls = Object.fromEntries(roles.map((role) => [role, url]));
        return runProgram(file, args, { ...urls, ...keys });
      }),
    );
    for (const { code, output, errors } of ended) {
      expect([code, output]).toEqual([1, ""]);
      expect(errors).toMatch(sentence);
      expect(errors).not.toContain("secret");
    }
  });

  it("names a ledger that is not there, a wrong file of the instance, and an unknown option", async () => {
    const url = new URL(ledger.ownerUrl);
    url.pathname = "/postgres";
    const empty = await run("verify", [], { DATABASE_VERIFIER_URL: url.href });
    expect(empty.errors).toMatch(/^The database has no ledger.* \((?:3F000|42P01)\)\. .+\n$/);
    const directory = await mkdtemp(join(tmpdir(), "ledger-cli-"));
    await writeFile(join(directory, "runtime.json"), "{");
    const wrong = await run("verify", [], { DATA_DIR: directory });
    await rm(directory, { recursive: true });
    expect(wrong.errors).toMatch(/runtime\.json is not what this version writes\. .+\n$/);
    const option = await run("rebuild", ["--nonsense"]);
    expect(option.errors).toMatch(/^Unknown option '--nonsense'/);
    expect([empty.code, wrong.code, option.code]).toEqual([1, 1, 1]);
  });
});
