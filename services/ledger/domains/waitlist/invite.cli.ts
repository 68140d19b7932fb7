import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { discountPercentMax } from "@pro-talent/schemas/waitlist/events";

import { findKeyring, operatorCause, withDatabaseAs } from "../../kernel/operator.ts";
import { openSubjects } from "../../kernel/subjects.ts";
import { invitePlace, waitingPlaces } from "./invite.ts";

/**
 * Invites people of the waitlist to open an account; ends with 1 when none was invited. A place is invited
 * once for the beta and once for the launch, however often the command is run.
 *
 *     npm run invite -- <address>                      one of them, before the launch
 *     npm run invite -- --next 50                      those who have waited longest
 *     npm run invite -- --launch [--discount 20]       all: notice of the launch, with the discount in
 *                                                      per cent that their first invoice gets
 */
const usage = `Use: <address>, --next <number>, or --launch [--discount <0 to ${discountPercentMax}>]`;
const newsletterSubscriber = "newsletter.subscriber";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    next: { type: "string" },
    launch: { type: "boolean", default: false },
    discount: { type: "string", default: "0" },
  },
});

type Asked =
  | { readonly occasion: "beta"; readonly address: string }
  | { readonly occasion: "beta"; readonly next: number }
  | { readonly occasion: "launch" };

function readAsked(): Asked | undefined {
  const [address, ...more] = positionals;
  const next = Number(values.next);
  const ways = [address !== undefined, values.next !== undefined, values.launch];
  if (more.length > 0 || ways.filter(Boolean).length !== 1) return undefined;
  if (values.launch) return { occasion: "launch" };
  if (address !== undefined)
    return looksLikeEmail(address) ? { occasion: "beta", address } : undefined;
  return Number.isInteger(next) && next > 0 ? { occasion: "beta", next } : undefined;
}

async function placesOf(sql: Sql, asked: Asked): Promise<readonly string[]> {
  if ("address" in asked) {
    const subjects = openSubjects(sql, await findKeyring(process.env, sql));
    const id = await subjects.idOfAddress(newsletterSubscriber, asked.address);
    return id === undefined ? [] : [id];
  }
  return waitingPlaces({ sql }, asked.occasion, "next" in asked ? asked.next : null);
}

/** @returns how many were invited by this call */
async function invite(sql: Sql, asked: Asked, discountPercent: number): Promise<number> {
  const { occasion } = asked;
  let invited = 0;
  for (const subscriberId of await placesOf(sql, asked)) {
    const invitation = { invitationId: randomUUID(), occasion, discountPercent };
    const result = await invitePlace({ sql, readModels: [] }, subscriberId, invitation, {
      now: instantFromMs(operatorClock(process.env)()),
      cause: operatorCause(),
    });
    if (result === "invited") invited += 1;
    else printLine(`One is left out: ${result}.`);
  }
  return invited;
}

await runCommand(async () => {
  const asked = readAsked();
  const discount = Number(values.discount);
  if (
    asked === undefined ||
    !Number.isInteger(discount) ||
    discount < 0 ||
    discount > discountPercentMax
  ) {
    printLine(usage);
    return 1;
  }
  const options = { applicationName: "invite" };
  const invited = await withDatabaseAs("ledger_operator", process.env, options, (sql) =>
    invite(sql, asked, discount),
  );
  printLine(`${invited} invited. Their mails follow within a minute.`);
  return invited === 0 ? 1 : 0;
});
