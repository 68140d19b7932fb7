import { appendFileSync } from "node:fs";

/** A migration that notes in a file that it ran, or fails as `FAKE_MIGRATION=fail` says. */
if (process.env["FAKE_MIGRATION"] === "fail") {
  console.error("relation is missing");
  process.exit(1);
}
appendFileSync(process.env["FAKE_MIGRATION_LOG"] ?? "/dev/null", "migrated\n");
