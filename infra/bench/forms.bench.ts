import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { contactPath } from "@pro-talent/schemas/contact/categories";
import { subscribePath, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";

import { productServices } from "../embedded/services/product-services.ts";
import type { ServiceDefinition } from "../embedded/services/service-definition.ts";
import { startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import type { BenchOptions } from "./figures.ts";
import { type NextRequest, steadyLoad, warmUpSeconds } from "./load.ts";

const perSecond = 200;
const headers = { "content-type": "application/json" };

const names = new Set(["mail", "ledger", "ledger-worker"]);
/** Those that forms need, without their limit: the load comes from one address. */
const services = productServices
  .filter(({ name }) => names.has(name))
  .map((service): ServiceDefinition => ({
    ...service,
    environment: (...context) => ({
      ...service.environment(...context),
      FORMS_PER_MINUTE: "1000000",
    }),
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

/** In turn, since a shared machine changes its speed between them. */
const rounds = Array.from({ length: 3 }, () => [contactMessage, subscribeRequest]).flat();

/** Both forms at a steady rate through the gateway, while mails go out, without ClickHouse. */
export async function benchForms({ directory, seconds }: BenchOptions): Promise<void> {
  console.log(`\nforms, ${perSecond} a second, ClickHouse down`);
  const platform = await startPlatform({
    dataDir: join(directory, "forms"),
    port: 0,
    logLevel: "error",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  try {
    for (const [n, next] of rounds.entries()) {
      const target = { url: platform.runtime.origin, perSecond, next };
      if (n < 2) await steadyLoad({ ...target, seconds: warmUpSeconds });
      const { p50Ms, p99Ms, accepted, refused } = await steadyLoad({ ...target, seconds });
      console.log(
        `  p50 ${p50Ms} ms  p99 ${p99Ms} ms  accepted ${accepted}  refused ${refused}  POST ${next().path}`,
      );
    }
  } finally {
    await platform.stop();
  }
}
