import { until } from "@pro-talent/platform/testing/until";
import { FormRequest } from "@pro-talent/schemas/privacy/form-calls";
import { z } from "zod";

import { subscribe, writeToSupport } from "./account-life.ts";
import type { FrontDoor } from "./front-door.ts";
import { type Instance, keyIds } from "./instance.ts";
import type { PersonalWords } from "./words.ts";

const Shown = z.object({ request: FormRequest });
const patienceMs = 180_000;

/** A mailbox without an account: what it was sent and has sent is erased by the public form. */
export type Mailbox = {
  readonly words: PersonalWords;
  readonly email: string;
  /** Of the keys that open what is held about it. */
  readonly ids: readonly string[];
};

/** A person without an account subscribes, joins the waitlist, writes to support, and asks for a copy. */
export async function useMailbox(instance: Instance, words: PersonalWords): Promise<Mailbox> {
  const { door, sql } = instance;
  const before = await keyIds(sql);
  const email = `${words.latin("mailbox")}.${words.upper("mailbox in upper case")}@example.com`;
  await subscribe(door, words, email);
  await writeToSupport(door, words, email);
  await ask(door, { words, email }, "access");
  const ids = [...(await keyIds(sql))].filter((id) => !before.has(id));
  return { words, email, ids };
}

/** Asks by the form, and enters the code that is mailed. @returns the right to see the request */
async function ask(
  door: FrontDoor,
  { words, email }: Omit<Mailbox, "ids">,
  type: "access" | "delete",
): Promise<string> {
  const text = words.mixed(`text of a form, ${type}`);
  const asked = { email, type, relation: "mailbox", text, language: "he" };
  const before = await door.mailedCodes(email);
  await door.ask("POST /api/privacy/form", asked);
  const mailed = await until(
    "a code is mailed",
    async () =>
      (await door.mailedCodes(email)).find(
        ({ token }) => !before.some((one) => one.token === token),
      ),
    patienceMs,
  );
  await door.ask("POST /api/privacy/form/verification", mailed);
  return mailed.token;
}

/** Asks for the erasure; it is scheduled once nothing else is to be verified. */
export async function askForErasure(door: FrontDoor, mailbox: Mailbox): Promise<void> {
  const token = await ask(door, mailbox, "delete");
  await until(
    "the erasure of the mailbox is scheduled",
    async () => (await shown(door, token)).status === "scheduled",
    patienceMs,
  );
}

const shown = async (door: FrontDoor, token: string): Promise<FormRequest> =>
  (await door.call(Shown, "POST /api/privacy/form/status", { token })).request;

/** Whether the product itself answers that nothing is held about the mailbox. */
export async function isEmpty(door: FrontDoor, mailbox: Mailbox): Promise<boolean> {
  const token = await ask(door, mailbox, "access");
  const outcome = await until(
    "the request of the empty mailbox has ended",
    async () => (await shown(door, token)).outcome ?? undefined,
    patienceMs,
  ).catch(() => undefined);
  return outcome === "nothing-held";
}
