import { parseArgs } from "node:util";

import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { dropStatement, grantStatement, groupStatements, userStatement } from "./server-users.ts";

/**
 * `npm run analysts -- <account id>`: prints the statements that give an analyst a user on a ClickHouse server, for
 * someone who may manage access there.
 *
 *     npm run analysts -- <account id> --days 90   until when the user is valid
 *     npm run analysts -- <account id> --drop      ends it
 */
const usage = "npm run analysts -- <account id> [--days 90 | --drop]";
const dayMs = 24 * 60 * 60 * 1000;

const environment = {
  CLICKHOUSE_ANALYSTS_KEY: key256,
  CLICKHOUSE_DATABASE: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
};

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { days: { type: "string", default: "90" }, drop: { type: "boolean", default: false } },
  });
  const analyst = Uuid.safeParse(positionals[0]);
  const days = z.coerce.number().int().min(1).max(365).safeParse(values.days);
  if (!analyst.success || !days.success) throw new OperatorError(usage);
  const env = parseEnv(environment, process.env);
  const until = instantFromMs(Date.now() + days.data * dayMs);
  const statements = values.drop
    ? [dropStatement(analyst.data)]
    : [
        ...groupStatements(env.CLICKHOUSE_DATABASE),
        userStatement(env.CLICKHOUSE_ANALYSTS_KEY, analyst.data, until),
        grantStatement(analyst.data),
      ];
  for (const statement of statements) printLine(`${statement};`);
  return 0;
});
