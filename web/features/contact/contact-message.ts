import { isSubjectCategory, type SubjectCategory } from "@pro-talent/schemas/contact/categories";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

/** A contact message being written. Only programs fill in `website`. */
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

/** Error codes by field (specification §5). */
export type ContactFaults = {
  name?: "nameRequired" | undefined;
  email?: "emailRequired" | "emailInvalid" | undefined;
  subject?: "subjectRequired" | undefined;
  message?: "messageRequired" | "messageTooShort" | undefined;
};

/** The message after an edit. A category other than `other` is also the subject. */
export function edited(
  message: ContactMessage,
  field: ContactField,
  value: string,
): ContactMessage {
  if (field !== "subjectCategory") return { ...message, [field]: value };
  const category = isSubjectCategory(value) ? value : "";
  return { ...message, subjectCategory: category, subject: category === "other" ? "" : category };
}

/** Removes the fault of an edited field. */
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
