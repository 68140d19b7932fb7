import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import {
  formRelations,
  type FormRelation,
  formTypes,
  type FormType,
} from "@pro-talent/schemas/privacy/form";

import { newEventId } from "../../analytics/event-id.ts";
import { type CallInput, siteApi } from "../../api-client/request.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { textIn } from "../form-machine.ts";

type EmailFault<Name extends string> = `${Name}Required` | `${Name}Invalid`;

/** Error codes by field. */
export type PrivacyFormFaults = {
  type?: "typeRequired" | undefined;
  relation?: "relationRequired" | undefined;
  email?: EmailFault<"email"> | undefined;
  about?: EmailFault<"about"> | undefined;
};

/** What is asked for, without faults. Only programs fill in `website`. */
export type PrivacyForm = {
  readonly type: FormType;
  readonly relation: FormRelation;
  readonly email: string;
  readonly about: string;
  readonly text: string;
  readonly language: string;
  readonly website: string;
};

function emailFault<Name extends string>(
  name: Name,
  address: string,
): EmailFault<Name> | undefined {
  if (address === "") return `${name}Required`;
  return looksLikeEmail(address) ? undefined : `${name}Invalid`;
}

/** What was entered, or what is wrong with it. */
export function readForm(data: FormData): PrivacyForm | { faults: PrivacyFormFaults } {
  const text = (field: string): string => textIn(data, field).trim();
  const type = formTypes.find((one) => one === text("type"));
  const relation = formRelations.find((one) => one === text("relation"));
  const faults: PrivacyFormFaults = {
    type: type === undefined ? "typeRequired" : undefined,
    relation: relation === undefined ? "relationRequired" : undefined,
    email: emailFault("email", text("email")),
    about: relation === "authorised" ? emailFault("about", text("about")) : undefined,
  };
  const isFaulty = Object.values(faults).some((fault) => fault !== undefined);
  if (isFaulty || type === undefined || relation === undefined) return { faults };
  return {
    type,
    relation,
    email: text("email"),
    about: relation === "authorised" ? text("about") : "",
    text: text("text"),
    language: text("language"),
    website: textIn(data, "website"),
  };
}

/** A form with the key under which the platform accepts it once. */
export type PrivacySubmission = { readonly form: PrivacyForm; readonly idempotencyKey: string };

/** An unchanged form is sent as before: the last try may have arrived unanswered. */
export function submissionOf(
  data: FormData,
  last: PrivacySubmission | undefined,
): PrivacySubmission | undefined {
  const form = readForm(data);
  if ("faults" in form) return undefined;
  if (last !== undefined && JSON.stringify(last.form) === JSON.stringify(form)) return last;
  return { form, idempotencyKey: newEventId(Date.now()) };
}

/** The call of a submission. */
export function privacyFormCall({
  form,
  idempotencyKey,
}: PrivacySubmission): CallInput<"POST /api/privacy/form"> {
  const { language, website, ...asked } = form;
  return {
    headers: { "idempotency-key": idempotencyKey },
    body: {
      ...asked,
      ...(isLanguage(language) ? { language } : {}),
      ...(website === "" ? {} : { website }),
    },
  };
}

export type PrivacyFormResult = "sent" | "tooMany" | "failed";

/** @throws when there is no answer */
export async function sendPrivacyForm(
  submission: PrivacySubmission | undefined,
): Promise<PrivacyFormResult> {
  if (submission === undefined) return "failed";
  const result = await siteApi().call("POST /api/privacy/form", privacyFormCall(submission));
  if (result.ok) return "sent";
  return result.code === "rate_limited" ? "tooMany" : "failed";
}
