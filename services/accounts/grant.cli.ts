import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  operatorClock,
  operatorName,
  printLine,
  withOwnerDatabase,
} from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { staffRoles } from "@pro-talent/schemas/primitives/access";
import { z } from "zod";

import { findCredentials, readHolder } from "./accounts.ts";
import { type AccountKeys, openAccountKeys } from "./keys.ts";
import { findKeySettings } from "./operator-keys.ts";
import { changeRole, listStaff } from "./roles/roles.ts";

/**
 * Roles of staff, for operators. A change ends all sign-ins of the account; the next one needs a second
 * factor. Ends with 1 when nothing was done.
 *
 *     npm run grant -- <address> <role>            grants officer, analyst or administrator
 *     npm run grant -- --revoke <address> <role>   takes it back
 *     npm run grant -- --list                      who has which role
 */
const usage = `Use: <address> <role>, --revoke <address> <role>, or --list; roles: ${staffRoles.join(", ")}`;

async function list(sql: Sql, keys: AccountKeys): Promise<number> {
  const staff = await listStaff(sql);
  for (const { accountId, roles } of staff) {
    const holder = await readHolder(sql, keys, accountId);
    printLine(`${holder?.email ?? `${accountId} (closed)`}: ${roles.join(", ")}`);
  }
  if (staff.length === 0) printLine("No account has a role of staff.");
  return 0;
}

type Change = { readonly email: string; readonly role: (typeof staffRoles)[number] };

async function change(sql: Sql, keys: AccountKeys, { email, role }: Change, granted: boolean) {
  const account = await findCredentials(sql, keys.addressHash(email));
  if (account === undefined) {
    printLine("No account has this address.");
    return 1;
  }
  const { accountId } = account;
  const by = { operator: operatorName(), nowMs: operatorClock(process.env)() };
  const isChanged = await changeRole(sql, { accountId, role, granted, ...by });
  if (isChanged) printLine(granted ? `It is ${role} now.` : `It is not ${role} any more.`);
  else printLine(granted ? `It was ${role} before.` : `It was not ${role}.`);
  return isChanged ? 0 : 1;
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { revoke: { type: "boolean" }, list: { type: "boolean" } },
  });
  const [email, role, ...more] = positionals;
  const given = z.object({ email: z.string(), role: z.enum(staffRoles) });
  const { data } = given.safeParse({ email, role });
  const isList = values.list === true && positionals.length === 0 && values.revoke !== true;
  if (!isList && (data === undefined || more.length > 0 || values.list === true)) {
    printLine(usage);
    return 1;
  }
  const settings = await findKeySettings(process.env);
  return withOwnerDatabase(process.env, { applicationName: "grant" }, async (sql) => {
    const keys = await openAccountKeys(sql, settings, operatorClock(process.env)());
    return data === undefined ? list(sql, keys) : change(sql, keys, data, values.revoke !== true);
  });
});
