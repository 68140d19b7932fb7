import { isSubjectCategory, type SubjectCategory } from "@pro-talent/schemas/contact/categories";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

import { newEventId } from "../../analytics/event-id.ts";
import type { ApiClient, CallInput } from "../../api-client/request.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { textIn } from "../form-machine.ts";

/** A contact message without faults, trimmed. Only programs fill in `website`. */
export type ContactMessage = {
  name: string;
  email: string;
  subjectCategory: SubjectCategory;
  subject: string;
  message: string;
  website: string;
};

export type ContactSubmission = {
  message: ContactMessage;
  /** The platform accepts each key once. */
  idempotencyKey: string;
  language: string;
  /** The visit session, only with consent to analytics. */
  sessionId: string;
  /** From the first key to sending; empty if typing began before the application did. */
  writingMs: string;
};

/** Error codes by field (specification §5). */
export type ContactFaults = {
  name?: "nameRequired" | undefined;
  email?: "emailRequired" | "emailInvalid" | undefined;
  category?: "subjectRequired" | undefined;
  /** The writer's own, under the category `other`. */
  subject?: "subjectRequired" | undefined;
  message?: "messageRequired" | "messageTooShort" | undefined;
};

function emailFault(email: string): ContactFaults["email"] {
  if (email === "") return "emailRequired";
  return looksLikeEmail(email) ? undefined : "emailInvalid";
}

function messageFault(message: string): ContactFaults["message"] {
  if (message === "") return "messageRequired";
  return message.length < contactLimits.messageCharsMin ? "messageTooShort" : undefined;
}

/** The entered message, or what is wrong with it. A category other than `other` is the subject. */
export function readMessage(data: FormData): ContactMessage | { faults: ContactFaults } {
  const text = (field: string): string => textIn(data, field).trim();
  const chosen = text("subjectCategory");
  const subjectCategory = isSubjectCategory(chosen) ? chosen : "";
  const subject = subjectCategory === "other" ? text("subject") : subjectCategory;
  const [name, email, message] = [text("name"), text("email"), text("message")];
  const missing = subject === "" ? "subjectRequired" : undefined;
  const faults: ContactFaults = {
    name: name === "" ? "nameRequired" : undefined,
    email: emailFault(email),
    category: subjectCategory === "" ? missing : undefined,
    subject: subjectCategory === "" ? undefined : missing,
    message: messageFault(message),
  };
  const faulty = Object.values(faults).some((fault) => fault !== undefined);
  if (faulty || subjectCategory === "") return { faults };
  return { name, email, subjectCategory, subject, message, website: textIn(data, "website") };
}

const isSame = (one: ContactMessage, other: ContactMessage): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * What is sent. An unchanged message is sent as before, with the same key: the last try may have
 * arrived unanswered.
 */
export function submissionOf(
  data: FormData,
  last: ContactSubmission | undefined,
): ContactSubmission | undefined {
  const message = readMessage(data);
  if ("faults" in message) return undefined;
  if (last !== undefined && isSame(last.message, message)) return last;
  return {
    message,
    idempotencyKey: newEventId(Date.now()),
    language: textIn(data, "language"),
    sessionId: textIn(data, "sessionId"),
    writingMs: textIn(data, "writingMs"),
  };
}

/** The call of a submission (specification §7). */
export function contactCall(submission: ContactSubmission): CallInput<"POST /api/contact/send"> {
  const { message, idempotencyKey, language, sessionId, writingMs } = submission;
  const { website, ...details } = message;
  return {
    headers: { "idempotency-key": idempotencyKey },
    body: {
      ...details,
      ...(isLanguage(language) ? { language } : {}),
      ...(sessionId === "" ? {} : { sessionId }),
      ...(writingMs === "" ? {} : { writingMs: Number(writingMs) }),
      ...(website === "" ? {} : { website }),
    },
  };
}

/**
 * Sends a contact message.
 * @throws when there is no answer
 */
export async function sendContactMessage(
  api: ApiClient,
  submission: ContactSubmission | undefined,
): Promise<{ accepted: boolean }> {
  if (submission === undefined) return { accepted: false };
  const { ok } = await api.call("POST /api/contact/send", contactCall(submission));
  return { accepted: ok };
}
