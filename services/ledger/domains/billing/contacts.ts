import { internalAccountCalls } from "@pro-talent/schemas/accounts/calls";
import type { z } from "zod";

const contact = internalAccountCalls["GET /internal/accounts/:accountId/contact"];
export type Contact = z.output<typeof contact.answer>;

/** How account holders are addressed: asked when something is sent, never stored here. */
export type Contacts = {
  /** @returns undefined when the account is gone @throws when the accounts service does not answer */
  readonly find: (accountId: string) => Promise<Contact | undefined>;
};

const answerWithinMs = 3_000;

/** Asks the accounts service. @param url as in `http://127.0.0.1:4000` */
export function contactsOver({ url, token }: { url: string; token: string }): Contacts {
  return {
    find: async (accountId) => {
      const response = await fetch(new URL(`/internal/accounts/${accountId}/contact`, url), {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(answerWithinMs),
        redirect: "error",
      });
      if (response.ok) return contact.answer.parse(await response.json());
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new Error(`The accounts service answered ${response.status}`);
    },
  };
}
