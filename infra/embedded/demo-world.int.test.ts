import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { demoCode } from "@pro-talent/accounts/demo";
import { runProgram } from "@pro-talent/platform/testing/run-program";
import { until } from "@pro-talent/platform/testing/until";
import { sandboxControls } from "@pro-talent/schemas/payments-sandbox/calls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";

import { type Demo, makeDemo, readDemo, removeDemo } from "./demo-world.ts";
import { rememberedSecrets } from "./secrets.ts";
import { type Platform, startPlatform } from "./start-platform.ts";
import { createTerminal } from "./terminal.ts";
import { productServicesNamed } from "./testing/product-services-named.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const Answer = z.object({
  token: z.string().optional(),
  challenge: z.string().optional(),
});
const Payments = z.object({
  payments: z.array(z.object({ status: z.string(), returned: z.int(), terms: z.unknown() })),
  refunds: z.array(z.object({ amount: z.int(), status: z.string() })),
});

/** Without analytics and pages, which the demo has no part in. */
const services = productServicesNamed([
  "mail",
  "payments-sandbox",
  "accounts",
  "ledger",
  "ledger-worker",
  "accounts-worker",
]);

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let platform: Platform;
let demo: Demo;

beforeAll(async () => {
  directory = await temporaryDirectory();
  platform = await startPlatform({
    dataDir: join(directory.path, "data"),
    port: 0,
    logLevel: "warn",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  demo = await makeDemo(platform.dataDir, services);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await directory.remove();
});

async function call(path: string, { body, token }: { body?: object; token?: string } = {}) {
  const answer = await fetch(platform.runtime.origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  return { status: answer.status, json };
}

/** As a person does it who has read the sign-ins. @returns the bearer token */
async function signIn({ password, people }: Demo, name: string): Promise<string> {
  const person = people.find((one) => one.name === name);
  const given = { email: person?.email ?? "", password };
  const first = Answer.parse((await call("/api/account/sign-in", { body: given })).json);
  const secret = person?.totpSecret ?? null;
  if (secret === null) return first.token ?? "";
  const { code } = demoCode(secret, Date.now());
  const body = { challenge: first.challenge, method: "totp", code };
  const second = Answer.parse((await call("/api/account/sign-in/code", { body })).json);
  return second.token ?? "";
}

test("of the past only the notice of the new phone is mailed", async () => {
  const { mail } = platform.runtime;
  const { origin, searchParams } = new URL(mail?.webUrl ?? "");
  const headers = { authorization: `Bearer ${searchParams.get("token")}` };
  const caught = async () =>
    z
      .array(z.object({ text: z.string(), to: z.array(z.object({ address: z.string() })) }))
      .parse(await (await fetch(`${origin}/api/email`, { headers })).json());
  await until("the phone is reported", async () => (await caught()).length > 0);
  const mails = await caught();
  expect(mails.map(({ to }) => to[0]?.address)).toEqual(["premium@demo.example"]);
  expect(mails[0]?.text).toContain("iOS");
});

test("every sign-in that is shown works, for staff with the code of the authenticator", async () => {
  const roles = await Promise.all(
    demo.people.map(async ({ name }) => {
      const { json } = await call("/api/account", { token: await signIn(demo, name) });
      return z.object({ roles: z.array(z.string()), factor: z.boolean() }).parse(json);
    }),
  );
  const holder = { roles: ["holder"], factor: false };
  const staff = ["officer", "analyst", "administrator"].map((role) => {
    return { roles: ["holder", role], factor: true };
  });
  expect(roles).toEqual([holder, holder, ...staff]);
});

test("the premium owner has six months of payments: one failed and recovered, one was returned", async () => {
  const token = await signIn(demo, "premium");
  const subscription = await call("/api/subscription", { token });
  expect(subscription.json).toMatchObject({ plan: "premium", status: "active", attention: null });
  const { payments, refunds } = Payments.parse((await call("/api/payments", { token })).json);
  const statuses = payments.map(({ status }) => status);
  expect(statuses.filter((status) => status === "failed")).toHaveLength(2);
  expect(statuses.filter((status) => status === "succeeded")).toHaveLength(8);
  expect(refunds).toEqual([expect.objectContaining({ amount: 9600, status: "succeeded" })]);
  const { sandboxKey } = await rememberedSecrets(platform.dataDir);
  const held = await fetch(
    `${platform.runtime.services["payments-sandbox"]}/sandbox-payments/test/payments`,
    { headers: { authorization: `Bearer ${sandboxKey}` } },
  );
  const { answer } = sandboxControls["GET /sandbox-payments/test/payments"];
  const atProvider = answer.parse(await held.json()).payments;
  const total = z.object({ total: z.int() });
  const paid = payments
    .filter(({ status }) => status === "succeeded")
    .reduce((sum, { terms, returned }) => sum + total.parse(terms).total - returned, 0);
  const received = atProvider
    .filter(({ status }) => status === "succeeded")
    .reduce((sum, { amount, refunded }) => sum + amount.amount - refunded, 0);
  expect(received).toBe(paid);
  expect(paid).toBeGreaterThan(0);
});

test("profile, photo and the sign-ins of two devices belong to the owner", async () => {
  const token = await signIn(demo, "premium");
  const account = await call("/api/account", { token });
  expect(account.json).toMatchObject({ hasPhoto: true, profile: { handle: "noa-levi" } });
  const { json } = await call("/api/account/sessions", { token });
  const { sessions } = z
    .object({ sessions: z.array(z.object({ system: z.string().nullable() })) })
    .parse(json);
  expect(sessions.map(({ system }) => system)).toEqual(expect.arrayContaining(["iOS", "Windows"]));
});

test("the ledger with its invented past verifies", async () => {
  const file = new URL("../../services/ledger/verifier/verify.cli.ts", import.meta.url);
  const ended = await runProgram(file, [], { DATA_DIR: platform.dataDir });
  expect([ended.output, ended.code]).toEqual([expect.stringContaining("The ledger holds"), 0]);
});

test("made again it is the same; after a reset others sign in", async () => {
  expect(await makeDemo(platform.dataDir, services)).toEqual(demo);
  const stays = await removeDemo(platform.dataDir, services);
  expect(stays.join(" ")).toContain("The ledger keeps what was recorded");
  expect(await readDemo(platform.dataDir)).toBeUndefined();
  const anew = await makeDemo(platform.dataDir, services);
  expect(anew.password).not.toBe(demo.password);
  expect(await signIn(demo, "free")).toBe("");
  expect(await signIn(anew, "free")).not.toBe("");
  demo = anew;
  const log = await readFile(join(platform.dataDir, "logs", "services.log"), "utf8");
  const errors = log.split("\n").filter((line) => line.includes('"level":50'));
  // Insights do not run here.
  expect(errors.filter((line) => !line.includes('"job":"mails about opens"'))).toEqual([]);
}, 60_000);

test("it is refused in production, and where no embedded instance runs", async () => {
  vi.stubEnv("NODE_ENV", "production");
  await expect(makeDemo(platform.dataDir, services)).rejects.toThrow("refused in production");
  await expect(removeDemo(platform.dataDir, services)).rejects.toThrow("refused in production");
  vi.unstubAllEnvs();
  await expect(makeDemo(directory.path, services)).rejects.toThrow("Nothing is running");
  for (const service of services) {
    const part = await service.demo?.();
    await expect(part?.remove({}, []) ?? Promise.reject(new Error("Only the"))).rejects.toThrow(
      "Only the",
    );
  }
});
