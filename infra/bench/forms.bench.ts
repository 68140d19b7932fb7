import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { writeToken } from "@pro-talent/ledger/domains/newsletter/mail-tokens";
import { commandSubscriber } from "@pro-talent/ledger/domains/newsletter/subscribers";
import { readModels } from "@pro-talent/ledger/modules";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { contactPath } from "@pro-talent/schemas/contact/categories";
import {
  newsletterPaths,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import type { Preferences } from "@pro-talent/schemas/newsletter/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Runtime } from "../embedded/runtime-file.ts";
import { rememberedSecrets } from "../embedded/secrets.ts";
import type { ServiceDefinition } from "../embedded/services/service-definition.ts";
import { startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import { productServicesNamed } from "../embedded/testing/product-services-named.ts";
import { type BenchOptions, median } from "./figures.ts";
import { type NextRequest, readUntil, steadyLoad, warmUpSeconds } from "./load.ts";

const perSecond = 200;
const headers = { "content-type": "application/json" };

const names = ["mail", "payments-sandbox", "accounts", "ledger", "ledger-worker"];
/** Those that forms need, without their limit (the load comes from one address), and with that of reads. */
const limits = { FORMS_PER_MINUTE: "1000000", READS_PER_MINUTE: "60" };
const services = productServicesNamed(names).map((service): ServiceDefinition => ({
  ...service,
  environment: (...context) => ({ ...service.environment(...context), ...limits }),
}));

const contactMessage: NextRequest = () => ({
  path: contactPath,
  headers,
  body: JSON.stringify({
    name: "Noa Levi",
    email: `${randomUUID()}@example.com`,
    subject: "support",
    subjectCategory: "support",
    message: "The download of my CV stops at one half. What can I do about it?",
  }),
});

const subscribeRequest: NextRequest = () => ({
  path: subscribePath,
  headers,
  body: JSON.stringify({
    email: `${randomUUID()}@example.com`,
    language: "he",
    sourceContext: "signup_page",
    consentText: "I agree to receive newsletter updates.",
    ...subscriptionDefaults.signup_page,
  }),
});

const forms = [contactMessage, subscribeRequest];
/** Odd, so that a median is one of them; the forms take turns, since a shared machine varies. */
const roundsPerForm = 3;

/** With 16 readers: each asks for the preferences of one subscriber again and again. */
const readers = 16;
const changesOfSubscriber = 3000;

/**
 * Both forms at a steady rate through the gateway, while mails go out, without ClickHouse: alone, and
 * while readers load the ledger.
 */
export async function benchForms(options: BenchOptions): Promise<void> {
  await benchBeside(options, 0);
  await benchBeside(options, readers);
}

async function benchBeside(options: BenchOptions, readersBeside: number): Promise<void> {
  console.log(`\nforms, ${perSecond} a second, ClickHouse down, ${readersBeside} readers beside`);
  const dataDir = join(options.directory, `forms-${readersBeside}`);
  const platform = await startPlatform({
    dataDir,
    port: 0,
    logLevel: "error",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  try {
    await measure(platform.runtime, dataDir, readersBeside, options.seconds);
  } finally {
    await platform.stop();
  }
}

async function measure(
  { origin, postgres }: Runtime,
  dataDir: string,
  readersBeside: number,
  seconds: number,
): Promise<void> {
  const end = new AbortController();
  const token = await makeBusySubscriber(origin, postgres?.ownerUrl ?? "", dataDir);
  const url = `${origin}${newsletterPaths.preferences}?token=${token}`;
  for (const next of forms)
    await steadyLoad({ url: origin, perSecond, next, seconds: warmUpSeconds });
  const reading = readUntil(end.signal, { url, readers: readersBeside });
  const p99s = new Map(forms.map((next): [NextRequest, number[]] => [next, []]));
  for (let round = 0; round < roundsPerForm; round += 1) {
    for (const [next, measured] of p99s) {
      const result = await steadyLoad({ url: origin, perSecond, next, seconds });
      measured.push(result.p99Ms);
      console.log(
        `  p50 ${result.p50Ms} ms  p99 ${result.p99Ms} ms  accepted ${result.accepted}  refused ${result.refused}  POST ${next().path}`,
      );
    }
  }
  end.abort();
  const answers = [...(await reading)].map(([status, count]) => `${count} with ${status}`);
  const medians = [...p99s].map(([next, values]) => `${next().path} ${median(values)} ms`);
  console.log(
    `  median p99: ${medians.join(", ")}; reads answered: ${answers.join(", ") || "none"}`,
  );
}

/**
 * A subscriber who has changed the preferences very often.
 * @returns the token of the preferences
 */
async function makeBusySubscriber(
  origin: string,
  ownerUrl: string,
  dataDir: string,
): Promise<string> {
  const { path, body = "" } = subscribeRequest();
  const sent = await fetch(`${origin}${path}`, { method: "POST", headers, body });
  if (!sent.ok) throw new Error(`The subscription was refused with ${sent.status}`);
  const { ledgerLookupKey } = await rememberedSecrets(dataDir);
  const sql = openPool(ownerUrl, { applicationName: "bench" });
  try {
    const ledger = { sql, readModels };
    const [subject] = await sql<{ subject_id: string }[]>`select subject_id from ledger.subject`;
    const subscriberId = subject?.subject_id ?? "";
    const context = () => ({ now: instantFromMs(Date.now()), cause: testCause() });
    const confirm = { type: "ConfirmSubscription", mail: 1 } as const;
    await commandSubscriber(ledger, subscriberId, confirm, context());
    for (let change = 0; change < changesOfSubscriber; change += 1) {
      const language = change % 2 === 0 ? "en" : "he";
      const preferences: Preferences = { language, frequency: "weekly", topics: ["updates"] };
      const command = { type: "ChangePreferences", ...preferences } as const;
      await commandSubscriber(ledger, subscriberId, command, context());
    }
    const key = deriveKey(Buffer.from(ledgerLookupKey, "hex"), "newsletter-token");
    return writeToken(key, { purpose: "manage", subscriberId, mail: 0 });
  } finally {
    await sql.end();
  }
}
