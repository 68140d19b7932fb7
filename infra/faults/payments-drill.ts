import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { type AccountKeys, openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import { modules } from "@pro-talent/ledger/modules";
import { definitionsOf } from "@pro-talent/ledger/verifier/definitions";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { signWebhook } from "@pro-talent/platform/crypto/webhook-signature";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { readClock } from "@pro-talent/platform/runtime/clock";
import { testClockFile } from "@pro-talent/platform/runtime/operator";
import { pause } from "@pro-talent/platform/runtime/wait";
import { until } from "@pro-talent/platform/testing/until";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import {
  SandboxPayment,
  sandboxSignatureHeader,
} from "@pro-talent/schemas/payments-sandbox/objects";
import { z } from "zod";

import { readRuntime } from "../embedded/runtime-file.ts";
import { rememberedSecrets, type Secrets } from "../embedded/secrets.ts";
import { accountsKeys } from "../embedded/services/product-services.ts";
import { type Platform, startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import { moveClock } from "../embedded/test-clock.ts";
import { productServicesNamed } from "../embedded/testing/product-services-named.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";

const dayMs = 24 * 60 * 60_000;
const hosted = [
  "ledger",
  "accounts",
  "payments-sandbox",
  "ledger-worker",
  "accounts-worker",
  "mail",
];
const cards = ["slow", "success", "answer-lost", "no-funds-later", "disputed"] as const;

const Quoted = z.object({ hash: z.string() });
const Opened = z.object({ url: z.url() });

type Stack = { platform: Platform; owner: Sql; secrets: Secrets; keys: AccountKeys };

/** The services of payments as processes, with short waits for what a killed worker had. */
async function startStack({ directory }: DrillOptions): Promise<Stack> {
  const waits = {
    BILLING: "open",
    OUTBOX_FIRST_WAIT_MS: "1500",
    TIMERS_SWEEP_MS: "200",
    SANDBOX_SLOW_MS: "600",
    // Longer than a slow answer; one that is lost is waited for in vain.
    PAYMENTS_ANSWER_MS: "1500",
  };
  const services = productServicesNamed(hosted).map((service) => ({
    ...service,
    environment: (...given: Parameters<typeof service.environment>) => ({
      ...service.environment(...given),
      ...waits,
    }),
  }));
  const platform = await startPlatform({
    dataDir: join(directory, "data"),
    port: 0,
    logLevel: "warn",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  const secrets = await rememberedSecrets(platform.dataDir);
  const ownerUrl = platform.runtime.postgres?.ownerUrl ?? "";
  const owner = openPool(ownerUrl, { max: 2, applicationName: "drill" });
  const settings = readKeySettings(accountsKeys({ dataDir: platform.dataDir, secrets }));
  const keys = await openAccountKeys(owner, settings, Date.now());
  return {
    platform,
    owner,
    secrets,
    keys,
  };
}

async function requestJson(url: string, token: string, body: object): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return await answer.json();
}

/** Opens an account and pays a monthly plan for it with this card. */
async function subscribe({ platform, owner, keys }: Stack, card: string): Promise<void> {
  const { origin } = platform.runtime;
  const [accountId, nowMs] = [randomUUID(), Date.now()];
  const profile = { fullName: "Dana Levi", language: "en", timeZone: "UTC" } as const;
  const email = `${accountId}@example.com`;
  const account = { accountId, email, profile, passwordHash: "", nowMs };
  await owner.begin((tx) => insertAccount(tx, keys, account));
  const session = { accountId, factor: false, userAgent: undefined, nowMs };
  const { token } = await openSession(owner, session);
  const choice = { plan: "essential", cycle: "monthly" };
  const { hash } = Quoted.parse(await requestJson(`${origin}/api/checkout/quote`, token, choice));
  const version = checkoutTextsVersion;
  const consents = checkoutDocuments.map((document) => ({ document, version, language: "en" }));
  const order = { ...choice, hash, consents, language: "en" };
  const { url } = Opened.parse(await requestJson(`${origin}/api/checkout`, token, order));
  const body = new URLSearchParams({ card });
  await fetch(url, { method: "POST", body, redirect: "manual" });
}

/** A call of the sandbox's controls, at the sandbox itself. */
async function control({ platform, secrets }: Stack, path: string, body: object): Promise<void> {
  const url = `${platform.runtime.services["payments-sandbox"]}/sandbox-payments/test/${path}`;
  await requestJson(url, secrets.sandboxKey, body);
}

/**
 * Kills the process of the workers (`kill -9`) while a charge is intended whose result is not recorded,
 * once for each charge, until stopped.
 */
function startKilling({ platform, owner }: Stack, killsMax: number) {
  const stopping = new AbortController();
  const disturbed = new Set<string>();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted && disturbed.size < killsMax) {
      await pause(20, stopping.signal);
      const [open] = await owner<{ charge: string }[]>`
        select i.data::jsonb->>'charge' as charge from ledger.event i
         where i.type = 'ChargeIntended' and i.data::jsonb->>'charge' <> all (${[...disturbed]}::text[])
           and not exists (select from ledger.event r where r.stream = i.stream
             and r.type in ('ChargeSucceeded', 'ChargeFailed', 'ChargeHeld')
             and r.data::jsonb->>'charge' = i.data::jsonb->>'charge') limit 1`;
      const runtime = open && (await readRuntime(platform.dataDir));
      const pid = runtime?.processes.find(({ name }) => name === "workers")?.pid;
      if (open === undefined || pid === undefined || !isRunning(pid)) continue;
      process.kill(pid, "SIGKILL");
      disturbed.add(open.charge);
    }
  };
  const running = loop();
  return async (): Promise<number> => {
    stopping.abort();
    await running;
    return disturbed.size;
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends webhooks that the provider did not send now. @returns the statuses of the answers */
async function forge({ platform, secrets }: Stack, nowMs: number): Promise<number[]> {
  const url = `${platform.runtime.origin}/api/payments/webhooks/sandbox`;
  const body = JSON.stringify({ eventId: "evt_forged", type: "payment.succeeded" });
  const seconds = Math.floor(nowMs / 1000);
  const signatures = [
    signWebhook("a secret of another sender, long enough", body, seconds),
    signWebhook(secrets.sandboxWebhookSecret, body, seconds - 24 * 3600),
    signWebhook(secrets.sandboxWebhookSecret, body, seconds + 3600),
    "",
  ];
  const answers = signatures.map((signature) => {
    const headers = { "content-type": "application/json", [sandboxSignatureHeader]: signature };
    return fetch(url, { method: "POST", headers, body });
  });
  return (await Promise.all(answers)).map(({ status }) => status);
}

const Book = z.object({ payments: z.array(SandboxPayment) });

/** The provider's book beside the ledger's events. */
async function compareBooks({ platform, owner, secrets }: Stack): Promise<Finding[]> {
  const url = `${platform.runtime.services["payments-sandbox"]}/sandbox-payments/test/payments`;
  const headers = { authorization: `Bearer ${secrets.sandboxKey}` };
  const { payments } = Book.parse(await (await fetch(url, { headers })).json());
  const succeeded = payments.filter(({ status }) => status === "succeeded");
  const recorded = await owner<
    { payment: string; total: number; stream: string; period: string }[]
  >`
    select s.data::jsonb->>'payment' as payment, s.stream,
           (i.data::jsonb->'terms'->>'total')::int as total,
           i.data::jsonb->'cover'->>'from' as period
      from ledger.event s join ledger.event i on i.stream = s.stream
       and i.type in ('ChargeIntended', 'CheckoutOpened')
       and coalesce(i.data::jsonb->>'charge', i.data::jsonb->>'checkout') = s.data::jsonb->>'charge'
     where s.type = 'ChargeSucceeded'`;
  const paid = succeeded.reduce((sum, { amount }) => sum + amount.amount, 0);
  const booked = recorded.reduce((sum, { total }) => sum + total, 0);
  const ids = (list: readonly string[]): string => list.toSorted().join();
  const same =
    ids(succeeded.map(({ paymentId }) => paymentId)) ===
    ids(recorded.map(({ payment }) => payment));
  const periods = new Set(recorded.map(({ stream, period }) => `${stream} ${period}`));
  return [
    {
      statement: "each payment at the provider is recorded once, and no other",
      holds: same && paid === booked,
      figures: `${succeeded.length} payments of ${paid}, ${recorded.length} recorded of ${booked}`,
    },
    {
      statement: "no period is charged twice",
      holds: periods.size === recorded.length,
      figures: `${recorded.length} charges of ${periods.size} periods`,
    },
  ];
}

/**
 * Plans are paid and renewed over a moved clock while the workers are killed (`kill -9`), answers of the
 * provider are lost, and its webhooks come late, in reverse, three times, or from another sender. In the
 * end the ledger and the provider's book agree to the minor unit.
 * @param options.holders accounts with a plan
 * @param options.days by which the clock moves
 * @param options.kills at most
 */
export async function paymentsDrill(
  options: DrillOptions & { holders: number; days: number; kills: number },
): Promise<Finding[]> {
  const { seed, report, holders, days, kills } = options;
  const first = Math.floor(seededRandom(seed)() * cards.length);
  const stack = await startStack(options);
  const { owner, platform } = stack;
  try {
    const file = join(platform.dataDir, testClockFile);
    const clock = readClock({ TEST_CLOCK_FILE: file });
    const paying = Array.from({ length: holders }, (_, n) => cards[(n + first) % cards.length]);
    await Promise.all(paying.map((card = "slow") => subscribe(stack, card)));
    const started = async (): Promise<boolean> => {
      const [row] = await owner<{ count: number }[]>`
        select count(*) from ledger.event where type = 'SubscriptionStarted'`;
      return row?.count === holders;
    };
    await until("every plan has begun", started, 30_000);
    const refused: number[] = [];
    const stopKilling = startKilling(stack, kills);
    for (let moved = 0; moved < days; moved += 8) {
      await control(stack, "webhooks", { hold: true });
      const byMs = Math.min(8, days - moved) * dayMs;
      await moveClock({ owner, file, byMs, report: () => undefined });
      await control(stack, "webhooks", { hold: false, reverse: true, copies: 3 });
      refused.push(...(await forge(stack, clock())));
    }
    const killed = await stopKilling();
    await control(stack, "webhooks", { hold: false });
    report(`${holders} plans over ${days} days, ${killed} kills between charge and record`);
    // Whatever the last webhooks and a killed worker left is done by the reconcilers of the next hours.
    await moveClock({ owner, file, byMs: dayMs, report: () => undefined });
    const definitions = definitionsOf(modules);
    const { findings, findingCount } = await verifyLedger(owner, { definitions, clock });
    return [
      ...(await compareBooks(stack)),
      {
        statement: "workers were killed between charge and record",
        holds: killed > 0,
        figures: `${killed} kills`,
      },
      {
        statement: "webhooks of another sender or time are refused",
        holds: refused.every((status) => status >= 400 && status < 500),
        figures: `${refused.length} refused`,
      },
      {
        statement: "the ledger holds",
        holds: findingCount === 0,
        figures: `${findingCount} findings ${findings[0]?.why ?? ""}`.trim(),
      },
    ];
  } finally {
    await owner.end();
    await platform.stop();
  }
}
