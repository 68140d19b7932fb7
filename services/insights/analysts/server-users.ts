import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { analystViews } from "@pro-talent/schemas/analysts/views";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { userNameOf, userPasswordHash } from "./engines.ts";
import { outputSettings, querySettings, storedView } from "./policy.ts";

/** Profile, role and quota have the same name. */
const group = "analysts";
const hour = "FOR INTERVAL 1 hour";

/**
 * What a ClickHouse server enforces of the policy, for all analysts: a profile whose settings cannot be changed, a
 * role that may select from the views, and a quota for each user. Run by a user who may manage access.
 */
export function groupStatements(database: string): readonly string[] {
  const settings = Object.entries(querySettings)
    .filter(([name]) => name !== "readonly" && !outputSettings.has(name))
    .map(([name, value]) => `${name} = '${value}' CONST`);
  const forms = [...outputSettings].map((name) => `${name} CHANGEABLE_IN_READONLY`);
  const own = `max_concurrent_queries_for_user = ${limit.runningEachMax} CONST`;
  return [
    `CREATE SETTINGS PROFILE OR REPLACE ${group} SETTINGS ${[...settings, ...forms, own].join(", ")}, readonly = 1 CONST`,
    `CREATE ROLE IF NOT EXISTS ${group}`,
    `REVOKE ALL ON *.* FROM ${group}`,
    ...Object.keys(analystViews).map(
      (view) => `GRANT SELECT ON \`${database}\`.${storedView(view)} TO ${group}`,
    ),
    `CREATE QUOTA OR REPLACE ${group} KEYED BY user_name ${hour} MAX queries = ${limit.queriesPerHour}, read_rows = ${limit.rowsReadPerHour} TO ${group}`,
  ];
}

/**
 * The user of one analyst, whose password the insights service derives.
 * @param until when it ends
 */
export function userStatement(secret: Buffer, analystId: string, until: Instant): string {
  const end = until.slice(0, 19).replace("T", " ");
  return `CREATE USER OR REPLACE ${userNameOf(analystId)} IDENTIFIED WITH sha256_hash BY '${userPasswordHash(secret, analystId)}' VALID UNTIL '${end} UTC' DEFAULT ROLE ${group} SETTINGS PROFILE '${group}'`;
}

/** Gives the role to the user; it may be no one's before the user exists. */
export const grantStatement = (analystId: string): string =>
  `GRANT ${group} TO ${userNameOf(analystId)}`;

/** Ends the access of an analyst. */
export const dropStatement = (analystId: string): string =>
  `DROP USER IF EXISTS ${userNameOf(analystId)}`;
