import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { dataKeyPlace, readKeySettings } from "@pro-talent/accounts/key-settings";
import { openLedgerKeys } from "@pro-talent/ledger/kernel/keys/open-keys";
import { turnEpochs as turnLedgerEpochs } from "@pro-talent/ledger/kernel/keys/turn-epochs";
import { dataKeyTurn } from "@pro-talent/platform/keys/data-key-epochs";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { turnEpochs } from "@pro-talent/platform/keys/turn-epochs";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { readKeySettings as readStudioKeySettings } from "@pro-talent/studio/key-settings";

import { startPostgres } from "../../embedded/postgres/start-postgres.ts";
import { rememberedSecrets } from "../../embedded/secrets.ts";
import { accountsKeys } from "../../embedded/services/product-services.ts";
import { studioKeys } from "../../embedded/services/studio-services.ts";
import { DATABASE } from "../../postgres/roles.ts";

const dayMs = 24 * 60 * 60_000;
/** No copy opens on this day after an erasure, and later (specification §9). */
const promisedDays = 60;

/**
 * Lets the days pass that are stated for keys, on an instance that does not run: the test clock does not
 * move the epochs of keys. Epochs begin and end as the workers of the product do it.
 */
export async function passKeyTimes(dataDir: string): Promise<void> {
  const secrets = await rememberedSecrets(dataDir);
  const server = await startPostgres({
    dataDir: join(dataDir, "postgres"),
    password: secrets.postgresPassword,
  });
  const sql = openPool(server.url.replace(/\/postgres$/u, `/${DATABASE}`), {
    max: 2,
    applicationName: "drill",
  });
  const log = createLogger({ service: "drill", level: "warn" });
  const settings = readKeySettings(accountsKeys({ dataDir, secrets }));
  const cvKeys = readStudioKeySettings(studioKeys({ dataDir, secrets }));
  const keys = openLedgerKeys({
    LEDGER_KEY_STORE: pathToFileURL(join(dataDir, "ledger-keys.json")).href,
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
  });
  const startMs = Date.now();
  try {
    for (let day = 0; day <= promisedDays; day += 1) {
      const nowMs = startMs + day * dayMs;
      const periods = readKeyPeriods({}, "LEDGER");
      await turnLedgerEpochs({ keeper: sql, keys, periods, log, now: async () => nowMs });
      const accounts = { ...dataKeyPlace(settings), periods: readKeyPeriods({}, "ACCOUNTS") };
      const studio = { ...cvKeys, periods: readKeyPeriods({}, "STUDIO") };
      for (const place of [accounts, studio])
        await turnEpochs(dataKeyTurn({ sql, ...place, log, clock: () => nowMs }));
    }
  } finally {
    await sql.end();
    await server.stop();
  }
}
