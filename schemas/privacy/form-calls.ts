import { z } from "zod";

import { Email } from "../accounts/calls.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import { OwnRequest, privacyProblems } from "./calls.ts";
import {
  formRelations,
  formTypes,
  privacyCodePath,
  privacyEndPath,
  privacyFormLimits as limit,
  privacyFormPath,
} from "./form.ts";

export const privacyFormProblems = defineProblems({
  token_unknown: [404, "This link leads to no request."],
  code_wrong: [422, "This is not the code of the newest mail."],
  code_ended: [410, "No code is waited for: it has ended, or too many were wrong."],
});
const problems = privacyFormProblems;

const Text = z.string().trim().max(limit.textCharsMax);
/** A select without a choice sends an empty text. */
const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** A request by the public form. */
export const PrivacyFormRequest = z
  .object({
    email: Email,
    type: z.enum(formTypes),
    relation: z.enum(formRelations),
    /** The address of the person who authorised the sender. */
    about: unlessEmpty(Email),
    text: Text.default(""),
    /** Of the page; without it the language is that of the request's cookie and headers. */
    language: Locale.optional(),
    /** Honeypot, filled in by programs only: such a request is answered like any other and dropped. */
    website: z.string().max(limit.honeypotCharsMax).optional(),
  })
  .refine(({ relation, about }) => relation !== "authorised" || about !== undefined, {
    path: ["about"],
    message: "the address of the person",
  });
export type PrivacyFormRequest = z.output<typeof PrivacyFormRequest>;

/** The right to see a request; it stands in the address's fragment, which no server receives. */
const Token = z.string().trim().min(1).max(limit.tokenCharsMax);
/** As it is typed from the mail, perhaps in groups. */
const Code = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/gu, ""))
  .pipe(z.string().regex(new RegExp(`^\\d{${limit.codeDigits}}$`)));

/** A request as the sender of the form sees it. */
export const FormRequest = OwnRequest.extend({
  relation: z.enum(formRelations),
  identity: z.enum(["open", "verified", "ended"]),
  /** Wrong codes that are still permitted. */
  attemptsLeft: z.int().nonnegative(),
  /** Codes that can still be sent today. */
  codesLeft: z.int().nonnegative(),
  /** Whether the sender may end it: cancel the deletion, or withdraw the request. */
  canEnd: z.boolean(),
});
export type FormRequest = z.infer<typeof FormRequest>;
const FormRequestAnswer = z.object({ request: FormRequest });

/** For people without access to an account. */
export const privacyFormCalls = defineCalls({
  [`POST ${privacyFormPath}` as const]: {
    summary: "Asks for a copy or a deletion; the answer is the same for every address",
    access: "public",
    plainForm: true,
    bodyBytesMax: limit.bodyBytesMax,
    body: PrivacyFormRequest,
    answer: z.object({ status: z.literal("code_sent") }),
    status: 202,
  },
  "POST /api/privacy/form/status": {
    summary: "The request behind the link of a mail",
    access: "public",
    body: z.object({ token: Token }),
    answer: FormRequestAnswer,
    problems: [problems.token_unknown],
  },
  "POST /api/privacy/form/code": {
    summary: "Mails a new code: to verify the address, or to download the package",
    access: "public",
    body: z.object({ token: Token }),
    answer: FormRequestAnswer,
    problems: [problems.token_unknown, problems.code_ended],
  },
  [`POST ${privacyCodePath}` as const]: {
    summary: "Verifies the address by the mailed code",
    access: "public",
    plainForm: true,
    body: z.object({ token: Token, code: Code }),
    answer: FormRequestAnswer,
    problems: [problems.token_unknown, problems.code_wrong, problems.code_ended],
  },
  [`POST ${privacyEndPath}` as const]: {
    summary: "Cancels a scheduled deletion, or withdraws a request that is not fulfilled yet",
    access: "public",
    plainForm: true,
    body: z.object({ token: Token }),
    answer: FormRequestAnswer,
    problems: [
      problems.token_unknown,
      privacyProblems.not_possible_now,
      privacyProblems.erasing_already,
    ],
  },
  "POST /api/privacy/form/package": {
    summary: "The package of a request by form, with a code that was mailed for it",
    access: "public",
    body: z.object({ token: Token, code: Code }),
    file: "application/zip",
    answer: z.never(),
    problems: [
      problems.token_unknown,
      problems.code_wrong,
      problems.code_ended,
      privacyProblems.package_ended,
      privacyProblems.not_possible_now,
    ],
  },
});
