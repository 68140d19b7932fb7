import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { contactPath } from "@pro-talent/schemas/contact/categories";
import { subscribePath, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";

import { productServices } from "../embedded/services/product-services.ts";
import type { ServiceDefinition } from "../embedded/services/service-definition.ts";
import { startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import type { LoadResult, NextRequest } from "./load.ts";
import { steadyLoad } from "./steady-load.ts";

export const formsPerSecond = 200;
/** Until the engine has compiled what is hot. */
const warmUpSeconds = 6;
const headers = { "content-type": "application/json" };

/** Everybody of the load has one address. */
function withoutLimit(service: ServiceDefinition): ServiceDefinition {
  if (service.name !== "ledger") return service;
  const environment: ServiceDefinition["environment"] = (...around) => ({
    ...service.environment(...around),
    FORMS_PER_MINUTE: "1000000",
  });
  return { ...service, environment };
}

const letter: NextRequest = () => ({
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

const wish: NextRequest = () => ({
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

export type FormRound = { path: string; result: LoadResult };

/** In turns, since a shared machine changes its speed between them. */
const rounds = [letter, wish, letter, wish, letter, wish];

/**
 * Both forms at a steady rate through the gateway, with the jobs host at work on the mails that
 * follow, and without ClickHouse.
 */
export async function benchForms(directory: string, seconds: number): Promise<FormRound[]> {
  const platform = await startPlatform({
    dataDir: join(directory, "forms"),
    port: 0,
    logLevel: "error",
    services: productServices
      .filter(({ name }) => ["mail", "ledger", "jobs"].includes(name))
      .map(withoutLimit),
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  try {
    const results: FormRound[] = [];
    for (const next of rounds) {
      const { path } = next();
      const around = {
        url: platform.runtime.origin,
        perSecond: formsPerSecond,
        status: 200,
        next,
      };
      if (results.length < 2) await steadyLoad({ ...around, seconds: warmUpSeconds });
      results.push({ path, result: await steadyLoad({ ...around, seconds }) });
    }
    return results;
  } finally {
    await platform.stop();
  }
}
