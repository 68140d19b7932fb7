import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** What reading the inbox needs: a database and its keys, or the instance that is running. */
export function readInboxEnv() {
  return parseEnv(
    {
      DATABASE_OWNER_URL: z
        .string()
        .regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address")
        .optional(),
      /** Where the running instance keeps its data, `runtime.json` and `secrets.json`. */
      DATA_DIR: z.string().min(1).default(".data"),
      LEDGER_WRAPPING_KEY: key256.optional(),
      LEDGER_LOOKUP_KEY: key256.optional(),
    },
    process.env,
  );
}
