import { assign, createActor, fromPromise, setup } from "xstate";

import type { FormEvent } from "../../form-machine.ts";
import { type AccountFault, type Faults, hasFaults } from "../../submission.machine.ts";
import { emailFault, missing } from "../fields.tsx";
import { stopAsking } from "../passkey.ts";
import {
  type CodeMethod,
  type Factors,
  signIn,
  signInByAutofill,
  signInWithCode,
  signInWithPasskey,
  type StepResult,
} from "./sign-in-calls.ts";

export type SignInEvent =
  | FormEvent
  | { type: "passkey" }
  | { type: "method"; method: CodeMethod }
  | { type: "restart" };

type SignInContext = {
  data: FormData | undefined;
  /** Of a sign-in whose password was right. */
  factors: Factors | undefined;
  method: CodeMethod;
  faults: Faults;
  /** Number of refused submissions; what is shown takes focus at each. */
  refusals: number;
  trouble: AccountFault | undefined;
};

export const untouched: SignInContext = {
  data: undefined,
  factors: undefined,
  method: "totp",
  faults: {},
  refusals: 0,
  trouble: undefined,
};

/** What is missing in the form of the step: the password, or the code. */
export function faultsIn(data: FormData): Faults {
  if (data.has("code")) return { code: missing(data, "code", "codeRequired") };
  const password = data.get("password") === "" ? "passwordRequired" : undefined;
  return { email: emailFault(data), password };
}

/** What a call of the sign-in needs. */
export type Asked = Pick<SignInContext, "data" | "factors" | "method">;

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: SignInContext; events: SignInEvent },
  actors: {
    signIn: fromPromise<StepResult, Asked>(({ input: { data = new FormData() } }) => signIn(data)),
    code: fromPromise<StepResult, Asked>(({ input: { data, factors, method } }) =>
      data === undefined || factors === undefined
        ? Promise.resolve({ kind: "refused", refused: { fault: "challengeEnded" } })
        : signInWithCode(factors, method, data),
    ),
    passkey: fromPromise<StepResult, Asked>(({ input: { factors } }) => signInWithPasskey(factors)),
    autofill: fromPromise<StepResult>(({ signal }) => {
      signal.addEventListener("abort", () => void stopAsking());
      return signInByAutofill();
    }),
  },
  delays: {
    /** A challenge of the server expires after five minutes. */
    challengeTime: 4 * 60_000,
  },
  guards: {
    isComplete: (_, data: FormData) => !hasFaults(faultsIn(data)),
    isKind: (_, { result, kind }: { result: StepResult; kind: StepResult["kind"] }) =>
      result.kind === kind,
    hasEnded: (_, result: StepResult) =>
      result.kind === "refused" && result.refused.fault === "challengeEnded",
  },
  actions: {
    keep: assign((_, data: FormData) => ({ data, faults: {}, trouble: undefined })),
    calm: assign({ faults: {}, trouble: undefined }),
    forget: assign(untouched),
    findFaults: assign(({ context }, data: FormData) => ({
      faults: faultsIn(data),
      trouble: undefined,
      refusals: context.refusals + 1,
    })),
    forgetFault: assign(({ context }, field: string) => ({
      faults: { ...context.faults, [field]: undefined },
    })),
    takeFactors: assign((_, result: StepResult) =>
      result.kind === "factor-required"
        ? {
            data: undefined,
            factors: result.factors,
            method: result.factors.methods.includes("totp")
              ? ("totp" as const)
              : ("recovery" as const),
          }
        : {},
    ),
    choose: assign((_, method: CodeMethod) => ({ method, faults: {}, trouble: undefined })),
    say: assign(({ context }, result: StepResult) => {
      const refused =
        result.kind === "refused" ? result.refused : { fault: "passkeyCancelled" as const };
      return {
        data: undefined,
        refusals: context.refusals + 1,
        ...(refused.field === undefined
          ? { trouble: refused.fault }
          : { faults: { [refused.field]: refused.fault } }),
      };
    }),
    sayNetwork: assign(({ context }) => ({
      data: undefined,
      trouble: "network" as const,
      refusals: context.refusals + 1,
    })),
  },
});

type Done = { event: { output: StepResult } };
const output = ({ event }: Done): StepResult => event.output;
const when = <Kind extends StepResult["kind"]>(kind: Kind) =>
  ({ type: "isKind", params: ({ event }: Done) => ({ result: event.output, kind }) }) as const;
const data = ({ event }: { event: { data: FormData } }): FormData => event.data;
const asked = ({
  context: { data: given, factors, method },
}: {
  context: SignInContext;
}): Asked => ({
  data: given,
  factors,
  method,
});

const password = machine.createStateConfig({
  // Passkeys are offered in the address field until one of the buttons is pressed.
  invoke: {
    id: "autofill",
    src: "autofill",
    onDone: [
      { guard: when("signed-in"), target: "signedIn" },
      { guard: when("refused"), actions: { type: "say", params: output } },
    ],
    onError: {},
  },
  after: { challengeTime: { target: "password", reenter: true } },
  on: {
    submit: [
      {
        guard: { type: "isComplete", params: data },
        target: "checkingPassword",
        actions: { type: "keep", params: data },
      },
      { actions: { type: "findFaults", params: data } },
    ],
    passkey: { target: "waitingForPasskey", actions: "calm" },
  },
});

const factor = machine.createStateConfig({
  on: {
    submit: [
      {
        guard: { type: "isComplete", params: data },
        target: "checkingCode",
        actions: { type: "keep", params: data },
      },
      { actions: { type: "findFaults", params: data } },
    ],
    method: { actions: { type: "choose", params: ({ event }) => event.method } },
    passkey: { target: "waitingForSecondPasskey", actions: "calm" },
    restart: { target: "password", actions: "forget" },
  },
});

/**
 * A sign-in: address and password, then the second factor if the account has one; or a passkey, which
 * is both. The token is kept before the last state.
 */
export const signInMachine = machine.createMachine({
  id: "sign-in",
  context: untouched,
  initial: "password",
  on: { edited: { actions: { type: "forgetFault", params: ({ event }) => event.field } } },
  states: {
    password,
    checkingPassword: {
      invoke: {
        id: "signIn",
        src: "signIn",
        input: asked,
        onDone: [
          { guard: when("signed-in"), target: "signedIn" },
          {
            guard: when("factor-required"),
            target: "factor",
            actions: { type: "takeFactors", params: output },
          },
          { target: "password", actions: { type: "say", params: output } },
        ],
        onError: { target: "password", actions: "sayNetwork" },
      },
    },
    waitingForPasskey: {
      invoke: {
        id: "passkey",
        src: "passkey",
        input: asked,
        onDone: [
          { guard: when("signed-in"), target: "signedIn" },
          { target: "password", actions: { type: "say", params: output } },
        ],
        onError: { target: "password", actions: "sayNetwork" },
      },
    },
    factor,
    checkingCode: {
      invoke: {
        id: "code",
        src: "code",
        input: asked,
        onDone: [
          { guard: when("signed-in"), target: "signedIn" },
          {
            guard: { type: "hasEnded", params: output },
            target: "password",
            actions: ["forget", { type: "say", params: output }],
          },
          { target: "factor", actions: { type: "say", params: output } },
        ],
        onError: { target: "factor", actions: "sayNetwork" },
      },
    },
    waitingForSecondPasskey: {
      invoke: {
        id: "secondPasskey",
        src: "passkey",
        input: asked,
        onDone: [
          { guard: when("signed-in"), target: "signedIn" },
          {
            guard: { type: "hasEnded", params: output },
            target: "password",
            actions: ["forget", { type: "say", params: output }],
          },
          { target: "factor", actions: { type: "say", params: output } },
        ],
        onError: { target: "factor", actions: "sayNetwork" },
      },
    },
    signedIn: { type: "final" },
  },
});

export const createSignInActor = () => createActor(signInMachine);
