import { assign, createActor, fromPromise, setup } from "xstate";

import { accountApi } from "../../../api-client/account-api.ts";
import { storeToken } from "../../../api-client/token.ts";
import { type FormEvent, textIn } from "../../form-machine.ts";
import {
  type AccountFault,
  type Faults,
  hasFaults,
  type Refused,
  refusalIn,
} from "../../submission.machine.ts";
import { missing } from "../fields.tsx";

export type AuthenticatorEvent =
  | FormEvent
  | { type: "begin" }
  | { type: "newCodes" }
  | { type: "remove" }
  | { type: "cancel" }
  | { type: "kept" };

type Secret = { secret: string; uri: string };
type Result<Value> = { kind: "done"; value: Value } | { kind: "refused"; refused: Refused };

const refusedWith = (refused: Refused | undefined): { kind: "refused"; refused: Refused } => ({
  kind: "refused",
  refused: refused ?? { fault: "failed" },
});

async function begin(): Promise<Result<Secret>> {
  const result = await accountApi().call("POST /api/account/factors/totp", {});
  if (!result.ok || result.answer === undefined) return refusedWith(refusalIn(result));
  return { kind: "done", value: result.answer };
}

async function confirm(data: FormData | undefined): Promise<Result<readonly string[]>> {
  const body = { code: data === undefined ? "" : textIn(data, "code").trim() };
  const result = await accountApi().call("POST /api/account/factors/totp/confirm", { body });
  if (!result.ok || result.answer === undefined)
    return refusedWith(refusalIn(result, { code_wrong: "code" }));
  const { token, codes } = result.answer;
  // Codes that were made are shown even if the new token cannot be kept.
  storeToken(token);
  return { kind: "done", value: codes };
}

async function newCodes(): Promise<Result<readonly string[]>> {
  const result = await accountApi().call("POST /api/account/factors/recovery-codes", {});
  if (!result.ok || result.answer === undefined) return refusedWith(refusalIn(result));
  return { kind: "done", value: result.answer.codes };
}

async function remove(): Promise<Result<null>> {
  const refused = refusalIn(await accountApi().call("DELETE /api/account/factors/totp", {}));
  return refused === undefined ? { kind: "done", value: null } : refusedWith(refused);
}

type AuthenticatorContext = {
  data: FormData | undefined;
  secret: Secret | undefined;
  /** Shown once, and forgotten when the account holder has kept them. */
  codes: readonly string[];
  faults: Faults;
  refusals: number;
  trouble: AccountFault | undefined;
};

export const untouched: AuthenticatorContext = {
  data: undefined,
  secret: undefined,
  codes: [],
  faults: {},
  refusals: 0,
  trouble: undefined,
};

const codeFaults = (data: FormData): Faults => ({ code: missing(data, "code", "codeRequired") });

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: AuthenticatorContext; events: AuthenticatorEvent },
  actors: {
    begin: fromPromise<Result<Secret>>(begin),
    confirm: fromPromise<Result<readonly string[]>, FormData | undefined>(({ input }) =>
      confirm(input),
    ),
    newCodes: fromPromise<Result<readonly string[]>>(newCodes),
    remove: fromPromise<Result<null>>(remove),
  },
  guards: {
    isComplete: (_, data: FormData) => !hasFaults(codeFaults(data)),
    isDone: (_, result: Result<unknown>) => result.kind === "done",
    hasEnded: (_, result: Result<unknown>) =>
      result.kind === "refused" && result.refused.fault === "challengeEnded",
  },
  actions: {
    keep: assign((_, data: FormData) => ({ data, faults: {}, trouble: undefined })),
    calm: assign({ faults: {}, trouble: undefined }),
    forget: assign(untouched),
    takeSecret: assign((_, result: Result<Secret>) =>
      result.kind === "done" ? { secret: result.value } : {},
    ),
    takeCodes: assign((_, result: Result<readonly string[]>) =>
      result.kind === "done" ? { codes: result.value, secret: undefined, data: undefined } : {},
    ),
    findFaults: assign(({ context }, data: FormData) => ({
      faults: codeFaults(data),
      trouble: undefined,
      refusals: context.refusals + 1,
    })),
    forgetFault: assign(({ context }, field: string) => ({
      faults: { ...context.faults, [field]: undefined },
    })),
    say: assign(({ context }, result: Result<unknown>) => {
      const refused = result.kind === "refused" ? result.refused : undefined;
      return {
        data: undefined,
        refusals: context.refusals + 1,
        ...(refused?.field === undefined
          ? { trouble: refused?.fault }
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

type Done<Value> = { event: { output: Result<Value> } };
const done = {
  type: "isDone",
  params: ({ event }: Done<unknown>) => event.output,
} as const;
const say = { type: "say", params: ({ event }: Done<unknown>) => event.output } as const;
const takeCodes = {
  type: "takeCodes",
  params: ({ event }: Done<readonly string[]>) => event.output,
} as const;
const data = ({ event }: { event: { data: FormData } }): FormData => event.data;

/**
 * The authenticator: set up with its first code, its recovery codes shown once, new ones made, or
 * removed. What the account has is known to the server's answer, not to this machine.
 */
export const authenticatorMachine = machine.createMachine({
  id: "authenticator",
  context: untouched,
  initial: "idle",
  states: {
    idle: {
      on: {
        begin: { target: "beginning", actions: "calm" },
        newCodes: { target: "makingCodes", actions: "calm" },
        remove: { target: "removing", actions: "calm" },
      },
    },
    beginning: {
      invoke: {
        id: "begin",
        src: "begin",
        onDone: [
          {
            guard: done,
            target: "scanning",
            actions: { type: "takeSecret", params: ({ event }) => event.output },
          },
          { target: "idle", actions: say },
        ],
        onError: { target: "idle", actions: "sayNetwork" },
      },
    },
    scanning: {
      on: {
        submit: [
          {
            guard: { type: "isComplete", params: data },
            target: "confirming",
            actions: { type: "keep", params: data },
          },
          { actions: { type: "findFaults", params: data } },
        ],
        edited: { actions: { type: "forgetFault", params: ({ event }) => event.field } },
        cancel: { target: "idle", actions: "forget" },
      },
    },
    confirming: {
      invoke: {
        id: "confirm",
        src: "confirm",
        input: ({ context }) => context.data,
        onDone: [
          { guard: done, target: "showingCodes", actions: takeCodes },
          {
            guard: { type: "hasEnded", params: ({ event }) => event.output },
            target: "idle",
            actions: ["forget", say],
          },
          { target: "scanning", actions: say },
        ],
        onError: { target: "scanning", actions: "sayNetwork" },
      },
    },
    showingCodes: { on: { kept: { target: "idle", actions: "forget" } } },
    makingCodes: {
      invoke: {
        id: "newCodes",
        src: "newCodes",
        onDone: [
          { guard: done, target: "showingCodes", actions: takeCodes },
          { target: "idle", actions: say },
        ],
        onError: { target: "idle", actions: "sayNetwork" },
      },
    },
    removing: {
      invoke: {
        id: "remove",
        src: "remove",
        onDone: [
          { guard: done, target: "idle", actions: "forget" },
          { target: "idle", actions: say },
        ],
        onError: { target: "idle", actions: "sayNetwork" },
      },
    },
  },
});

export const createAuthenticatorActor = () => createActor(authenticatorMachine);
