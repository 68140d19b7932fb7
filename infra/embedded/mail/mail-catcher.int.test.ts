import { once } from "node:events";
import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { afterEach, beforeEach, expect, test } from "vitest";

import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { startMailCatcher, type TestMailbox } from "./testing/start-test-mailbox.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
const catchers: TestMailbox[] = [];

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(async () => {
  for (const catcher of catchers.splice(0)) await catcher.stop();
  await directory.remove();
});

async function start(): Promise<TestMailbox> {
  const catcher = await startMailCatcher(join(directory.path, "mail"));
  catchers.push(catcher);
  return catcher;
}

/** Sends a mail as a mail program does, line by line (RFC 5321). */
async function send(
  smtpUrl: string,
  subject: string,
  { type = "text/plain", body = "שלום" } = {},
): Promise<void> {
  const { hostname, port } = new URL(smtpUrl);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const lines = [
    "HELO localhost",
    "MAIL FROM:<from@example.org>",
    "RCPT TO:<to@example.org>",
    "DATA",
    `Subject: ${subject}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n.`,
    "QUIT",
  ];
  await answers.next();
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    await answers.next();
  }
  socket.end();
  await once(socket, "close");
}

const subjects = async (catcher: TestMailbox): Promise<string[]> =>
  (await catcher.list()).map(({ subject }) => subject);

test("a mail that is sent can be read in the browser", async () => {
  const catcher = await start();
  await send(catcher.smtpUrl, "Welcome <b>");
  expect((await catcher.mailTo("to@example.org")).text).toBe("שלום\n");
  const list = await (await fetch(catcher.webUrl)).text();
  expect(list).toContain("Welcome &lt;b&gt;");
  const [, path = ""] = /href="(\/mails\/[^"]+)"/.exec(list) ?? [];
  const page = await fetch(new URL(path, catcher.webUrl));
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(await page.text()).toContain("שלום");
});

test("the HTML of a mail can neither run scripts nor fetch anything", async () => {
  const catcher = await start();
  const body = "<script>alert(1)</script>";
  await send(catcher.smtpUrl, "Page", { type: "text/html", body });
  const { id, html } = await catcher.mailTo("to@example.org");
  const page = await fetch(`${catcher.webUrl}/mails/${id}/html`);
  expect(await page.text()).toBe(html);
  expect(page.headers.get("content-security-policy")).toContain("sandbox; default-src 'none'");
});

test("mails are still there after a restart, in their order, until they are deleted", async () => {
  const first = await start();
  await send(first.smtpUrl, "Kept");
  await send(first.smtpUrl, "Kept too");
  await first.stop();
  const second = await start();
  expect(await subjects(second)).toEqual(["Kept", "Kept too"]);
  await second.empty();
  expect(await subjects(second)).toEqual([]);
  await second.stop();
  expect(await subjects(await start())).toEqual([]);
});

test("it listens on loopback only, and no more once it is closed", async () => {
  const catcher = await start();
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of others.filter(
    ({ internal, family }) => !internal && family === "IPv4",
  )) {
    const socket = createConnection({ host: address, port: Number(new URL(catcher.smtpUrl).port) });
    await expect(once(socket, "connect")).rejects.toThrow("ECONNREFUSED");
  }
  await catcher.stop();
  await expect(fetch(catcher.webUrl)).rejects.toThrow("fetch failed");
});
