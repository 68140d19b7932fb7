import { missingDatabase } from "../postgres/missing-database.ts";
import { untilPostgresAnswers } from "../postgres/until-answering.ts";
import { createLogger } from "./logger.ts";
import { runCommand } from "./run-command.ts";

/** Longer than Postgres takes to recover after a crash, unless much was written. */
const answersWithinMs = 60_000;

/** One run of a service's migrations: the database as its owner, and what brings it up to date. */
export type MigrationRun = {
  readonly ownerUrl: string;
  /** @returns the names of what was applied now */
  readonly apply: () => Promise<readonly string[]>;
};

/**
 * Runs the migrations of a service as a program: waits a minute for a database that starts or recovers, prints what
 * was applied, and states in a sentence what is missing. Ends with 1 when it fails.
 * @param prepare reads the environment
 */
export async function runMigrations(service: string, prepare: () => MigrationRun): Promise<void> {
  await runCommand(async () => {
    const { ownerUrl, apply } = prepare();
    const log = createLogger({ service: `${service}-migrate`, level: "warn" });
    try {
      await untilPostgresAnswers(ownerUrl, { log, withinMs: answersWithinMs });
      const applied = await apply();
      const names = applied.length === 0 ? "nothing to do" : applied.join(", ");
      process.stdout.write(`${service} migrations: ${names}\n`);
    } catch (error) {
      throw missingDatabase(error, "DATABASE_OWNER_URL") ?? error;
    }
    return 0;
  });
}
