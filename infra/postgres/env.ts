import { z } from "zod";

import type { ProvisionOptions } from "./roles.ts";

const password = z.string().min(16);

const Environment = z.object({
  /** Superuser, as in `postgres://postgres:secret@postgres:5432/postgres`. */
  POSTGRES_ADMIN_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  POSTGRES_OWNER_PASSWORD: password,
  LEDGER_APP_PASSWORD: password,
  COLLECTOR_APP_PASSWORD: password,
  JOBS_APP_PASSWORD: password,
});

/**
 * What to provision, from the environment.
 * @throws naming every variable that is missing or wrong, never its value
 */
export function readProvisionOptions(source: NodeJS.ProcessEnv = process.env): ProvisionOptions {
  const parsed = Environment.safeParse(source);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not complete:\n${wrong.join("\n")}`);
  }
  return {
    adminUrl: parsed.data.POSTGRES_ADMIN_URL,
    ownerPassword: parsed.data.POSTGRES_OWNER_PASSWORD,
    servicePasswords: {
      ledger_app: parsed.data.LEDGER_APP_PASSWORD,
      collector_app: parsed.data.COLLECTOR_APP_PASSWORD,
      jobs_app: parsed.data.JOBS_APP_PASSWORD,
    },
  };
}
