import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { migrateCollectorPostgres } from "@pro-talent/collector/migrate";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { modules } from "@pro-talent/ledger/modules";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { createTestPostgres } from "@pro-talent/platform/testing/engines";
import { migrateStudio } from "@pro-talent/studio/migrate";
import { z } from "zod";

import type { ReleaseContracts } from "./compare-releases.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);

const sorted = <Value>(pairs: readonly (readonly [string, Value])[]): Record<string, Value> =>
  Object.fromEntries(pairs.toSorted(([a], [b]) => a.localeCompare(b, "en")));

/** What this tree shares with another version beside it: read from migrated stores, events and code. */
export async function readContracts(): Promise<ReleaseContracts> {
  return {
    migrations: migrationsHere(),
    columns: await columnsOfMigrated(),
    events: eventsHere(),
    jobs: jobsHere(),
  };
}

function migrationsHere(): ReleaseContracts["migrations"] {
  const files = globSync("services/*/migrations/**/*.sql", { cwd: root });
  return sorted(files.map((file) => [file, hashOf(readFileSync(root + file, "utf8"))] as const));
}

const Column = z.object({ name: z.string(), type: z.string(), required: z.boolean() });

async function columnsOfMigrated(): Promise<ReleaseContracts["columns"]> {
  const database = await createTestPostgres();
  const sql = connectPostgres(database.ownerUrl, { max: 1, applicationName: "test-contracts" });
  try {
    await migrateLedger(database.ownerUrl);
    await migrateAccounts(database.ownerUrl);
    await migrateStudio(database.ownerUrl);
    await migrateCollectorPostgres(database.ownerUrl);
    const rows = z.array(Column).parse(
      await sql`
      select n.nspname || '.' || c.relname || '.' || a.attname as name,
             format_type(a.atttypid, a.atttypmod) as type,
             c.relkind in ('r', 'p') and a.attnotnull and not a.atthasdef
               and a.attidentity = '' as required
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p', 'v')
         and n.nspname in ('accounts', 'collector', 'ledger', 'studio')`,
    );
    return sorted(rows.map(({ name, type, required }) => [name, { type, required }] as const));
  } finally {
    await sql.end();
    await database.drop();
  }
}

const Contract = z.object({ options: z.array(z.instanceof(z.ZodObject)) });

function eventsHere(): ReleaseContracts["events"] {
  const families = modules.flatMap(({ events }) => events);
  return sorted(
    families.flatMap(({ category, contract, upcasts }) =>
      Contract.parse(contract).options.map((option) => {
        const [type = ""] = z.object({ type: z.instanceof(z.ZodLiteral) }).parse(option.shape)
          .type.values;
        const text = JSON.stringify(z.toJSONSchema(option, { unrepresentable: "any" }));
        const version = (upcasts.get(String(type))?.length ?? 0) + 1;
        return [`${category}/${String(type)}`, { version, contract: hashOf(text) }] as const;
      }),
    ),
  );
}

const job = /defineJob\(\{\s*name: "([^"]+)",\s*payload: z\.strictObject\(\{([^}]*)\}\)/gu;

/** Payloads as they are written; the check of the data map fails when a job is written in another form. */
function jobsHere(): ReleaseContracts["jobs"] {
  const files = globSync("services/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/*.test.ts", "services/.types/**"],
  });
  return sorted(
    files.flatMap((file) =>
      [...readFileSync(root + file, "utf8").matchAll(job)].map(([, name = "", fields = ""]) => {
        const parts = fields.split(",").filter((part) => part.trim() !== "");
        return [name, sorted(parts.map(fieldOf))] as const;
      }),
    ),
  );
}

function fieldOf(text: string): readonly [string, string] {
  const at = text.indexOf(":");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
