import { isSubjectCategory, type SubjectCategory } from "@pro-talent/schemas/contact/categories";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

/** A message as far as it is written. `website` is filled in by programs only. */
export type ContactMessage = {
  name: string;
  email: string;
  subjectCategory: SubjectCategory | "";
  subject: string;
  message: string;
  website: string;
};
export type ContactField = keyof ContactMessage;

export const emptyMessage: ContactMessage = {
  name: "",
  email: "",
  subjectCategory: "",
  subject: "",
  message: "",
  website: "",
};

export function isSameMessage(one: ContactMessage, other: ContactMessage): boolean {
  return (
    one.name === other.name &&
    one.email === other.email &&
    one.subjectCategory === other.subjectCategory &&
    one.subject === other.subject &&
    one.message === other.message &&
    one.website === other.website
  );
}

/** What is wrong with a field, under the names of specification §5. */
export type ContactFaults = {
  name?: "nameRequired" | undefined;
  email?: "emailRequired" | "emailInvalid" | undefined;
  subject?: "subjectRequired" | undefined;
  message?: "messageRequired" | "messageTooShort" | undefined;
};

/** The message after one field was edited. A category other than `other` is the subject. */
export function edited(
  message: ContactMessage,
  field: ContactField,
  value: string,
): ContactMessage {
  if (field !== "subjectCategory") return { ...message, [field]: value };
  const category = isSubjectCategory(value) ? value : "";
  return { ...message, subjectCategory: category, subject: category === "other" ? "" : category };
}

/** The faults that remain after a field was edited: its own is gone. */
export function faultsWithout(faults: ContactFaults, field: ContactField): ContactFaults {
  const fault = field === "subjectCategory" ? "subject" : field;
  return { ...faults, [fault]: undefined };
}

function emailFault(email: string): ContactFaults["email"] {
  if (email === "") return "emailRequired";
  return looksLikeEmail(email) ? undefined : "emailInvalid";
}

function messageFault(message: string): ContactFaults["message"] {
  if (message === "") return "messageRequired";
  return message.length < contactLimits.messageCharsMin ? "messageTooShort" : undefined;
}

/** Everything that keeps a message from being sent. */
export function faultsOf(message: ContactMessage): ContactFaults {
  return {
    name: message.name.trim() === "" ? "nameRequired" : undefined,
    email: emailFault(message.email.trim()),
    subject: message.subject.trim() === "" ? "subjectRequired" : undefined,
    message: messageFault(message.message.trim()),
  };
}

export function hasFaults(faults: ContactFaults): boolean {
  return Object.values(faults).some((fault) => fault !== undefined);
}
