import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import type { CallName, CallResult } from "../../../api-client/request.ts";
import {
  type Action,
  newKey,
  type ShownAction,
  type Trouble,
  troubleIn,
} from "../billing-calls.ts";

export type ActResult =
  /** `at`: when the server received it, where its answer says so. */
  | { kind: "applied"; at?: string | undefined }
  /** The provider has not answered yet; it follows. */
  | { kind: "pending" }
  | { kind: "leave"; url: string }
  /** What was shown no longer holds. */
  | { kind: "changed" }
  /** There is nothing left to do it to. */
  | { kind: "obsolete" }
  | { kind: "refused"; trouble: Trouble; key: string };

const obsoleteCodes: ReadonlySet<string> = new Set([
  "subscription_none",
  "subscription_ended",
  "already_cancelled",
  "not_cancelled",
  "nothing_scheduled",
  "plan_unchanged",
]);

function refusal<Name extends CallName>(result: CallResult<Name>): ActResult {
  const code = result.ok ? "" : (result.code ?? "");
  if (code === "quote_changed") return { kind: "changed" };
  return obsoleteCodes.has(code)
    ? { kind: "obsolete" }
    : { kind: "refused", trouble: troubleIn(result), key: newKey() };
}

async function change({ choice, hash, key }: ShownAction): Promise<ActResult> {
  if (choice === null) return { kind: "refused", trouble: "failed", key: newKey() };
  const result = await accountApi().call("POST /api/subscription/change", {
    body: { ...choice, hash },
    headers: { "idempotency-key": key },
  });
  if (!result.ok || result.answer === undefined) return refusal(result);
  const { answer } = result;
  if ("url" in answer) return { kind: "leave", url: answer.url };
  return { kind: answer.status };
}

const callOf = {
  withdraw: "POST /api/subscription/cancel",
  cancel: "POST /api/subscription/cancel",
  resume: "POST /api/subscription/resume",
  "drop-downgrade": "POST /api/subscription/drop-downgrade",
} as const;

/** Does what a button showed. @throws TypeError when there is no answer */
export async function apply(action: ShownAction): Promise<ActResult> {
  const { act } = action.quote;
  if (act === "start") return { kind: "obsolete" };
  if (act === "upgrade" || act === "downgrade") return change(action);
  const result = await accountApi().call(callOf[act], {
    body: { hash: action.hash },
    headers: { "idempotency-key": action.key },
  });
  if (!result.ok) return refusal(result);
  const { answer } = result;
  return { kind: "applied", at: answer !== undefined && "at" in answer ? answer.at : undefined };
}

type Act = Action["quote"]["act"];
/** The window of withdrawal may close while a page is open: cancelling then does something else. */
const sameAct = (one: Act, other: Act): boolean => {
  const kind = (act: Act): Act => (act === "withdraw" ? "cancel" : act);
  return kind(one) === kind(other);
};

/** The button of another reading that is the same one. */
function sameAction(actions: readonly Action[], { quote, choice }: Action): Action | undefined {
  return actions.find(
    (other) =>
      sameAct(other.quote.act, quote.act) &&
      other.choice?.plan === choice?.plan &&
      other.choice?.cycle === choice?.cycle,
  );
}

/**
 * The same button as it is now; undefined if there is none any more.
 * @throws CallFailure, TypeError when there is no answer
 */
export async function findAgain(action: Action): Promise<ShownAction | undefined> {
  const { actions } = await queryAnswer(accountApi().call("GET /api/subscription", {}));
  const found = sameAction(actions, action);
  return found && { ...found, key: newKey() };
}
