import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createTestLedger,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { issueIdOf, stopIssue } from "./issues.ts";
import { addSubscribers } from "./testing/issues.ts";

let ledger: TestLedger;
let smtp: ScriptedSmtp;
let folder: string;
const welcome = fileURLToPath(new URL("samples/welcome", import.meta.url));

beforeAll(async () => {
  ledger = await createTestLedger();
  smtp = await startScriptedSmtp();
  folder = await mkdtemp(join(tmpdir(), "issue-"));
  await addSubscribers(ledger.owner, 2);
  await addSubscribers(ledger.owner, 1, { language: "he", frequency: "monthly" });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await smtp.stop();
  await ledger.drop();
});

const program = new URL("issue.cli.ts", import.meta.url);
const newsletter = (
  args: readonly string[],
  environment: Record<string, string> = {
    DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
  },
) => runHere(program, args, environment);

async function writeIssue(slug: string, text: string): Promise<void> {
  const fields = `---\nslug: ${slug}\ntopics: [updates]\nsubject: News\npreheader: Some\n---\n`;
  await writeFile(join(folder, "en.md"), fields + text);
  await writeFile(join(folder, "he.md"), fields + text);
}

async function released(): Promise<number> {
  const [row] = await ledger.sql<{ issues: number }[]>`
    select count(*) as issues from ledger.newsletter_issue`;
  return row?.issues ?? -1;
}

describe("sending an issue", () => {
  it("shows how many would receive it, and does nothing without --yes", async () => {
    const { code, output } = await newsletter(["send", welcome]);
    expect(output).toContain("recipients   3 (en 2, he 1)");
    expect(output).toContain("Nothing was sent.");
    expect(code).toBe(1);
    expect(await released()).toBe(0);
  });

  it("releases it with --yes, once", async () => {
    const first = await newsletter(["send", welcome, "--yes"]);
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining("It is released") });
    const again = await newsletter(["send", welcome, "--yes"]);
    expect(again).toMatchObject({
      code: 0,
      output: expect.stringContaining("no subscriber receives it"),
    });
    expect(await released()).toBe(1);
  });

  it("refuses another issue under the slug of one that was sent", async () => {
    await writeIssue("welcome", "Something else.");
    const { code, output } = await newsletter(["send", folder, "--yes"]);
    expect(output).toContain("Another issue was sent as welcome.");
    expect(code).toBe(1);
  });

  it("names the file and the field that are wrong", async () => {
    await writeIssue("Not a slug", "Text.");
    const { code, output } = await newsletter(["send", folder, "--yes"]);
    expect(output).toMatch(/^en\.md: slug: /);
    expect(code).toBe(1);
  });
});

describe("the status", () => {
  it("shows the progress of an issue", async () => {
    const { code, output } = await newsletter(["status", "welcome"]);
    expect(output).toMatch(
      /^welcome {2}\S+Z {2}under way\n {2}waiting 0, sent 0, skipped 0, refused 0\n {2}unsubscribed since: 0\n$/,
    );
    expect(code).toBe(0);
    expect(await newsletter(["status", "none"])).toMatchObject({
      code: 1,
      output: "No issue was sent as none.\n",
    });
  });
});

describe("an issue that was stopped", () => {
  it("says so, is not sent again, and is resumed once", async () => {
    const now = instantFromMs(0);
    const answer = "EENVELOPE 554 5.7.1 at RCPT TO";
    const stopping = { now, cause: testCause("operator"), part: 1, answer };
    await stopIssue(ledger.ledger, issueIdOf("welcome"), stopping);
    const advice = `stopped: the mail server refuses us (${answer}); remove the cause, then resume welcome`;
    expect((await newsletter(["status"])).output).toContain(advice);
    expect(await newsletter(["send", welcome, "--yes"])).toMatchObject({ code: 1 });
    expect(await newsletter(["resume", "welcome"])).toMatchObject({
      code: 0,
      output: "The issue welcome continues.\n",
    });
    expect((await newsletter(["status"])).output).toContain("under way");
    expect(await newsletter(["resume", "welcome"])).toMatchObject({
      code: 1,
      output: "The issue welcome is not stopped.\n",
    });
    expect(await newsletter(["resume", "none"])).toMatchObject({
      code: 1,
      output: "No issue was sent as none.\n",
    });
  });
});

describe("a preview", () => {
  it("that the mail server does not take says with which code", async () => {
    const { code, errors } = await newsletter(["preview", welcome, "--to", "me@example.com"], {
      SMTP_URL: "smtp://127.0.0.1:1",
      PUBLIC_ORIGIN: "https://site.example",
    });
    expect(errors).toBe("It was not sent. MailDelayed: ESOCKET ECONNREFUSED\n");
    expect(code).toBe(1);
  });

  it("goes to one address alone, in both languages", async () => {
    const { code, errors } = await newsletter(["preview", welcome, "--to", "me@example.com"], {
      SMTP_URL: smtp.url,
      PUBLIC_ORIGIN: "https://site.example",
      MAIL_FROM: "News <news@example.com>",
    });
    expect(errors).toBe("");
    expect(code).toBe(0);
    expect(smtp.accepted().map(({ from }) => from)).toEqual([
      "news@example.com",
      "news@example.com",
    ]);
    expect([...smtp.byRecipient()]).toEqual([["me@example.com", 2]]);
  });

  it("requires an address", async () => {
    const { code, output } = await newsletter(["preview", welcome]);
    expect(output).toContain("--to <address>");
    expect(code).toBe(1);
  });
});

it("shows its usage when the command is unknown", async () => {
  const { code, output } = await runProgram(program, ["sned"], {});
  expect(output).toMatch(/^Use: send/);
  expect(code).toBe(1);
});
