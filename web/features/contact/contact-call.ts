import { contactPath } from "@pro-talent/schemas/contact/categories";
import type { ContactRequest } from "@pro-talent/schemas/contact/calls";
import type { z } from "zod";

import type { ApiClient } from "../../api-client/request.ts";
import type { ContactLetter, ContactOutcome } from "./contact-form.machine.ts";

/** What the contract wants; the machine lets nothing pass whose category is still open. */
type Body = Omit<z.input<typeof ContactRequest>, "subjectCategory"> &
  Pick<ContactLetter["message"], "subjectCategory">;

/** The body of the call (specification §7). */
export function contactBody({ message, postmark }: ContactLetter): Body {
  const { language, sessionId, writingMs } = postmark;
  return {
    name: message.name.trim(),
    email: message.email.trim(),
    subject: message.subject.trim(),
    subjectCategory: message.subjectCategory,
    message: message.message.trim(),
    language,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(writingMs === undefined ? {} : { writingMs }),
    ...(message.website === "" ? {} : { website: message.website }),
  };
}

/**
 * Hands a letter to the platform, which says only whether it was taken.
 * @throws when nothing answered
 */
export async function sendLetter(api: ApiClient, letter: ContactLetter): Promise<ContactOutcome> {
  const answer = await api.post(contactPath, {
    body: contactBody(letter),
    headers: { "idempotency-key": letter.postmark.letterId },
  });
  return { taken: answer.ok };
}
