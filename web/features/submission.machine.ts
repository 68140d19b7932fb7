import { assign, createActor, fromPromise, setup } from "xstate";

import type { CallResult, CallName } from "../api-client/request.ts";
import type { Translations } from "../i18n/translations.ts";
import type { FormEvent } from "./form-machine.ts";

type TextsOfPages =
  | "account-api"
  | "account-entry"
  | "account-privacy"
  | "account-profile"
  | "account-security"
  | "breaches"
  | "links"
  | "privacy-console";
/** Faults that belong to a page, with whose texts theirs are loaded. */
type PageFault = {
  [Name in TextsOfPages]: `${Name}:errors.${keyof Translations[Name]["errors"] & string}`;
}[TextsOfPages];
/** Why a form was not accepted; each has a text. */
export type AccountFault = keyof Translations["account"]["errors"] | PageFault;
export const isOfPage = (fault: AccountFault): fault is PageFault => fault.includes(":");
/** Faults by the name of their field. */
export type Faults = Readonly<Record<string, AccountFault | undefined>>;
/** Why the server did not accept; without a field the form as a whole is meant. */
export type Refused = { fault: AccountFault; field?: string | undefined };

/** What a form of the account checks and sends. */
export type Submission = {
  faultsIn: (data: FormData) => Faults;
  /**
   * Sends the values; what follows an acceptance is part of it.
   * @returns why they were refused
   * @throws TypeError when there is no answer
   */
  send: (data: FormData) => Promise<Refused | undefined>;
};

const faultOfCode: Readonly<Record<string, AccountFault>> = {
  sign_in_refused: "refused",
  sign_in_delayed: "delayed",
  rate_limited: "delayed",
  challenge_ended: "challengeEnded",
  code_wrong: "codeWrong",
  passkey_refused: "passkeyRefused",
  password_weak: "passwordWeak",
  handle_taken: "account-profile:errors.handleTaken",
  email_unchanged: "account-security:errors.emailUnchanged",
  photo_unreadable: "account-profile:errors.photoUnreadable",
  body_too_large: "account-profile:errors.photoLarge",
  factor_exists: "account-security:errors.factorExists",
  factor_missing: "account-security:errors.factorMissing",
  last_factor: "account-security:errors.lastFactor",
  step_up_required: "notConfirmed",
  mail_token_unknown: "account-entry:errors.linkEnded",
  mail_token_ended: "account-entry:errors.linkEnded",
  registration_closed: "account-entry:errors.closed",
  code_taken: "links:errors.codeTaken",
  links_full: "links:errors.full",
  expiry_past: "links:errors.expiryPast",
  file_unreadable: "links:errors.fileUnreadable",
  file_protected: "links:errors.fileProtected",
  file_too_large: "links:errors.fileLarge",
};

/**
 * Why a call was refused; undefined when it was accepted.
 * @param fields which field a code is about
 */
export function refusalIn<Name extends CallName>(
  result: CallResult<Name>,
  fields: Readonly<Record<string, string>> = {},
): Refused | undefined {
  if (result.ok) return result.answer === undefined ? { fault: "failed" } : undefined;
  const code = result.code ?? "";
  return { fault: faultOfCode[code] ?? "failed", field: fields[code] };
}

export const hasFaults = (faults: Faults): boolean =>
  Object.values(faults).some((fault) => fault !== undefined);

type SubmissionContext = {
  submission: Submission;
  data: FormData | undefined;
  faults: Faults;
  /** Number of refused submissions; the summary takes focus at each. */
  refusals: number;
  /** Why the form as a whole was not accepted. */
  trouble: AccountFault | undefined;
};

type Sent = { submission: Submission; data: FormData | undefined };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: SubmissionContext; events: FormEvent; input: Submission },
  actors: {
    send: fromPromise<Refused | undefined, Sent>(async ({ input: { submission, data } }) =>
      data === undefined ? { fault: "failed" } : submission.send(data),
    ),
  },
  guards: {
    isComplete: ({ context }, data: FormData) => !hasFaults(context.submission.faultsIn(data)),
    isAccepted: (_, refused: Refused | undefined) => refused === undefined,
  },
  actions: {
    keep: assign((_, data: FormData) => ({ data, faults: {}, trouble: undefined })),
    forget: assign({ data: undefined, faults: {}, trouble: undefined, refusals: 0 }),
    findFaults: assign(({ context }, data: FormData) => ({
      faults: context.submission.faultsIn(data),
      refusals: context.refusals + 1,
      trouble: undefined,
    })),
    forgetFault: assign(({ context }, field: string) => ({
      faults: { ...context.faults, [field]: undefined },
    })),
    sayRefused: assign(({ context }, refused: Refused | undefined) => ({
      data: undefined,
      refusals: context.refusals + 1,
      ...(refused?.field === undefined
        ? { trouble: refused?.fault }
        : { faults: { [refused.field]: refused.fault } }),
    })),
    sayNetwork: assign(({ context }) => ({
      data: undefined,
      trouble: "network" as const,
      refusals: context.refusals + 1,
    })),
  },
});

/** A form of the account area: checked here, sent once, accepted or refused. */
export const submissionMachine = machine.createMachine({
  id: "submission",
  context: ({ input }) => ({
    submission: input,
    data: undefined,
    faults: {},
    refusals: 0,
    trouble: undefined,
  }),
  initial: "editing",
  on: {
    submit: [
      {
        guard: { type: "isComplete", params: ({ event }) => event.data },
        target: ".sending",
        actions: { type: "keep", params: ({ event }) => event.data },
      },
      { target: ".editing", actions: { type: "findFaults", params: ({ event }) => event.data } },
    ],
    edited: { actions: { type: "forgetFault", params: ({ event }) => event.field } },
  },
  states: {
    editing: {},
    sending: {
      // What is being sent is sent once and unchanged.
      on: { submit: {}, edited: {} },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context: { submission, data } }) => ({ submission, data }),
        onDone: [
          {
            guard: { type: "isAccepted", params: ({ event }) => event.output },
            target: "accepted",
            actions: "forget",
          },
          {
            target: "editing",
            actions: { type: "sayRefused", params: ({ event }) => event.output },
          },
        ],
        onError: { target: "editing", actions: "sayNetwork" },
      },
    },
    // Editing again begins a new submission.
    accepted: { on: { edited: "editing" } },
  },
});

export const createSubmissionActor = (submission: Submission) =>
  createActor(submissionMachine, { input: submission });
