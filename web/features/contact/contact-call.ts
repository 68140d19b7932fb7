import type { ContactRequest } from "@pro-talent/schemas/contact/calls";
import { contactPath } from "@pro-talent/schemas/contact/categories";
import type { z } from "zod";

import type { ApiClient } from "../../api-client/request.ts";
import type { ContactResult, ContactSubmission } from "./contact-form.machine.ts";

/** The contract's body, with a category that may be empty: only the machine excludes that. */
type Body = Omit<z.input<typeof ContactRequest>, "subjectCategory"> &
  Pick<ContactSubmission["message"], "subjectCategory">;

/** The body of the call (specification §7). */
export function contactBody({ message, metadata }: ContactSubmission): Body {
  const { language, sessionId, writingMs } = metadata;
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
 * Sends a contact message.
 * @throws when there is no answer
 */
export async function sendContactMessage(
  api: ApiClient,
  submission: ContactSubmission,
): Promise<ContactResult> {
  const { subjectCategory } = submission.message;
  // The machine submits only complete messages.
  if (subjectCategory === "") return { accepted: false };
  const answer = await api.post(contactPath, {
    body: { ...contactBody(submission), subjectCategory },
    headers: { "idempotency-key": submission.metadata.idempotencyKey },
  });
  return { accepted: answer.ok };
}
