import { expect, test } from "vitest";

import { readProvisionOptions } from "./provision.ts";

const complete = {
  POSTGRES_ADMIN_URL: "postgres://postgres:secret@postgres:5432/postgres",
  POSTGRES_OWNER_PASSWORD: "owner-password-16+",
  LEDGER_APP_PASSWORD: "ledger-password-16+",
  LEDGER_KEEPER_PASSWORD: "keeper-password-16+",
  COLLECTOR_APP_PASSWORD: "collector-password-16+",
  ACCOUNTS_APP_PASSWORD: "accounts-password-16+",
  INSIGHTS_APP_PASSWORD: "insights-password-16+",
  STUDIO_APP_PASSWORD: "studio-password-16+",
  JOBS_APP_PASSWORD: "jobs-password-at-least-16",
};

test("passwords go to the roles that they are for", () => {
  const verifier = "verifier-password-16+";
  const source = { ...complete, LEDGER_VERIFIER_PASSWORD: verifier };
  expect(readProvisionOptions(source)).toEqual({
    adminUrl: complete.POSTGRES_ADMIN_URL,
    ownerPassword: complete.POSTGRES_OWNER_PASSWORD,
    servicePasswords: {
      ledger_app: complete.LEDGER_APP_PASSWORD,
      ledger_keeper: complete.LEDGER_KEEPER_PASSWORD,
      collector_app: complete.COLLECTOR_APP_PASSWORD,
      accounts_app: complete.ACCOUNTS_APP_PASSWORD,
      insights_app: complete.INSIGHTS_APP_PASSWORD,
      studio_app: complete.STUDIO_APP_PASSWORD,
      jobs_app: complete.JOBS_APP_PASSWORD,
    },
    operatorPasswords: { ledger_verifier: verifier },
  });
});

test("missing and wrong variables are named, their values are not", () => {
  const wrong = { ...complete, LEDGER_APP_PASSWORD: "short", POSTGRES_ADMIN_URL: undefined };
  expect(() => readProvisionOptions(wrong)).toThrow(/POSTGRES_ADMIN_URL[^]*LEDGER_APP_PASSWORD/);
  expect(() => readProvisionOptions(wrong)).not.toThrow("short\n");
});
