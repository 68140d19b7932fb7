import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { choosePort } from "../ports.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { openMailCatcher } from "./mail-catcher.ts";
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
  const entered = await fetch(catcher.webUrl, { redirect: "manual" });
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/"]);
  const [cookie = "", ...attributes] = entered.headers.get("set-cookie")?.split("; ") ?? [];
  expect(attributes).toEqual(["Path=/", "HttpOnly", "SameSite=Strict"]);
  const list = await (await fetch(new URL("/", catcher.webUrl), { headers: { cookie } })).text();
  expect(list).toContain("Welcome &lt;b&gt;");
  const [, path = ""] = /href="(\/mails\/[^"]+)"/.exec(list) ?? [];
  const page = await fetch(new URL(path, catcher.webUrl), { headers: { cookie } });
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(await page.text()).toContain("שלום");
});

const bearerOf = ({ webUrl }: TestMailbox): string =>
  `Bearer ${new URL(webUrl).searchParams.get("token")}`;

describe("what is not the browser of this machine's user", () => {
  const reads = ["GET /", "GET /api/email", "GET /mails/0", "GET /mails/0/html"];
  const calls = [...reads, "GET /api/email/0/source", "DELETE /api/email/all"];

  /** The status of each call, and whether any site but the catcher's own may read the answer. */
  async function statuses(catcher: TestMailbox, headers: Record<string, string>) {
    const answers = await Promise.all(
      calls.map((call) => {
        const [method = "", path = ""] = call.split(" ");
        return ask(new URL(path, catcher.webUrl), method, headers);
      }),
    );
    const shared = answers.filter((answer) => answer.headers["access-control-allow-origin"]);
    expect(shared).toEqual([]);
    return [...new Set(answers.map(({ statusCode }) => statusCode))];
  }

  test("reads and deletes nothing without the token, or with a wrong one", async () => {
    const catcher = await start();
    await send(catcher.smtpUrl, "Kept");
    const wrong = "x".repeat(64);
    const port = new URL(catcher.webUrl).port;
    expect(await statuses(catcher, {})).toEqual([401]);
    expect(await statuses(catcher, { authorization: `Bearer ${wrong}` })).toEqual([401]);
    expect(await statuses(catcher, { cookie: `caught_mails_${port}=${wrong}` })).toEqual([401]);
    const guessed = await ask(new URL(`/?token=${wrong}`, catcher.webUrl), "GET", {});
    expect([guessed.statusCode, guessed.headers["set-cookie"]]).toEqual([401, undefined]);
    expect(await subjects(catcher)).toEqual(["Kept"]);
  });

  test("is refused when it is another site, also one whose name leads to this machine", async () => {
    const catcher = await start();
    await send(catcher.smtpUrl, "Kept");
    const authorization = bearerOf(catcher);
    const { port } = new URL(catcher.webUrl);
    for (const host of ["evil.example", `evil.example:${port}`, `localhost:${port}`, "127.0.0.1"]) {
      expect([host, await statuses(catcher, { authorization, host })]).toEqual([host, [403]]);
    }
    for (const origin of ["https://evil.example", `http://localhost:${port}`, "null"]) {
      expect([origin, await statuses(catcher, { authorization, origin })]).toEqual([origin, [403]]);
    }
    expect(await subjects(catcher)).toEqual(["Kept"]);
  });
});

/** A request with headers that `fetch` would not send. */
async function ask(
  { hostname, port, pathname, search }: URL,
  method: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const sent = request({ host: hostname, port, path: pathname + search, method, headers }).end();
  const [answer] = await once(sent, "response");
  if (!(answer instanceof IncomingMessage)) throw new TypeError("no answer");
  answer.resume();
  return answer;
}

test("the HTML of a mail can neither run scripts nor fetch anything", async () => {
  const catcher = await start();
  const body = "<script>alert(1)</script>";
  await send(catcher.smtpUrl, "Page", { type: "text/html", body });
  const { id, html } = await catcher.mailTo("to@example.org");
  const page = await fetch(new URL(`/mails/${id}/html`, catcher.webUrl), {
    headers: { authorization: bearerOf(catcher) },
  });
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

describe("the mails of a site on the internet", () => {
  const variables = (change: Record<string, string>) => ({
    MAIL_DIR: join(directory.path, "mail"),
    SMTP_PORT: "1025",
    WEB_ORIGIN: "http://127.0.0.1:1080",
    MAIL_TOKEN: "m".repeat(32),
    ...change,
  });
  const log = createLogger({ service: "mail", level: "silent" });

  test.each(["https://talent.example", "http://10.0.0.5:3000", "https://localhost.example"])(
    "are not caught: %s",
    async (site) => {
      const opening = openMailCatcher(variables({ PUBLIC_ORIGIN: site }), log);
      await expect(opening).rejects.toThrow(`The mails of ${site} would be caught here`);
    },
  );

  test.each([
    { PUBLIC_ORIGIN: "http://localhost:3000" },
    { PUBLIC_ORIGIN: "http://127.0.0.1:3000" },
    { PUBLIC_ORIGIN: "https://talent.example", MAIL_CATCHER_FOR: "any" },
  ])("unless it is on this machine, or that is asked for: %o", async (site) => {
    const catcher = await openMailCatcher(
      variables({ ...site, SMTP_PORT: String(await choosePort()) }),
      log,
    );
    expect((await catcher.app.inject("/readyz")).statusCode).toBe(200);
    await catcher.close();
  });
});
