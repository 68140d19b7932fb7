import { httpServiceEnv, parseEnv } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address");
const queueUrl = z
  .string()
  .regex(/^(?:postgres(?:ql)?|rediss?):\/\//, "must be a postgres:// or redis:// address");

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** Where jobs wait: Postgres as the role `jobs_app`, or Redis. */
      QUEUE_URL: queueUrl,
      /** The database that jobs work on, as the role `jobs_app`. */
      DATABASE_URL: postgresUrl,
    },
    process.env,
  );
}

/** What migrations need: where jobs wait, and the database as its owner. */
export function readMigrationEnv() {
  return parseEnv({ QUEUE_URL: queueUrl, DATABASE_OWNER_URL: postgresUrl }, process.env);
}
