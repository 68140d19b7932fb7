import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { until } from "@pro-talent/platform/testing/until";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";

import { commandLineOf } from "../process/process-identity.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { type RunningMailCatcher, startMailCatcher } from "./start-mail-catcher.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
const catchers: RunningMailCatcher[] = [];

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  for (const catcher of catchers.splice(0)) await catcher.stop();
  await directory.remove();
});

async function start(events: string[] = []): Promise<RunningMailCatcher> {
  const catcher = await startMailCatcher({
    dataDir: join(directory.path, "mail"),
    onEvent: ({ type }) => events.push(type),
  });
  catchers.push(catcher);
  return catcher;
}

/** Sends a mail as a mail program does, line by line (RFC 5321). */
async function send(smtpUrl: string, subject: string): Promise<void> {
  const { hostname, port } = new URL(smtpUrl);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const said = [
    "HELO localhost",
    "MAIL FROM:<from@example.org>",
    "RCPT TO:<to@example.org>",
    "DATA",
    `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nשלום\r\n.`,
    "QUIT",
  ];
  await answers.next();
  for (const line of said) {
    socket.write(`${line}\r\n`);
    await answers.next();
  }
  socket.end();
  await once(socket, "close");
}

const Mails = z.array(z.object({ subject: z.string() }));

async function subjects(catcher: RunningMailCatcher): Promise<string[]> {
  const answer = await fetch(`${catcher.webUrl}/api/email`);
  return Mails.parse(await answer.json()).map(({ subject }) => subject);
}

const arrived = (catcher: RunningMailCatcher, subject: string) =>
  until(`the mail ${subject} is there`, async () => (await subjects(catcher)).includes(subject));

test("a mail that is sent can be read in the browser", async () => {
  const catcher = await start();
  await send(catcher.smtpUrl, "Welcome");
  await arrived(catcher, "Welcome");
  const page = await fetch(catcher.webUrl, { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
});

test("mails are still there after a restart", async () => {
  const first = await start();
  await send(first.smtpUrl, "Kept");
  await arrived(first, "Kept");
  await first.stop();
  const second = await start();
  await arrived(second, "Kept");
  expect(await subjects(second)).toEqual(["Kept"]);
});

test("it is started again at the same address when it dies", async () => {
  const events: string[] = [];
  const catcher = await start(events);
  process.kill(catcher.pid() ?? 0, "SIGKILL");
  await until("it runs again", () => events.includes("restarted"), 20_000);
  await send(catcher.smtpUrl, "Afterwards");
  await arrived(catcher, "Afterwards");
  expect(events).toEqual(["died", "restarted"]);
});

test("it listens on loopback only, and is gone once it is stopped", async () => {
  const catcher = await start();
  const pid = catcher.pid() ?? 0;
  expect(await commandLineOf(pid)).toMatch(/--ip=127\.0\.0\.1 .*--web-ip=127\.0\.0\.1/);
  await catcher.stop();
  expect(await commandLineOf(pid)).toBeUndefined();
  await expect(fetch(catcher.webUrl)).rejects.toThrow("fetch failed");
});
