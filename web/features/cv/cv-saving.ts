import { accountApi } from "../../api-client/account-api.ts";
import type { CallResult } from "../../api-client/request.ts";
import {
  type Outcome,
  outcomeOfRefusal,
  type SavingCalls,
} from "../documents/save/saving-calls.ts";
import type { CvState } from "./cv-queries.ts";

type EditCall =
  | "GET /api/cvs/:cvId"
  | "POST /api/cvs/:cvId/edits"
  | "POST /api/cvs/:cvId/undo"
  | "POST /api/cvs/:cvId/redo";

function outcomeOf(result: CallResult<EditCall>): Outcome<CvState> {
  if (!result.ok) return outcomeOfRefusal(result.status, result.code);
  const { answer } = result;
  if (answer === undefined) return { kind: "unreached" };
  const conflicts = "conflicts" in answer ? answer.conflicts : [];
  return { kind: "answered", saved: answer.cv, conflicts };
}

/** How a CV is saved. */
export const cvSaving: SavingCalls<CvState> = {
  save: async ({ base: { cvId, version }, document }) => {
    const body = { basedOn: version, document };
    const call = accountApi().call("POST /api/cvs/:cvId/edits", { params: { cvId }, body });
    return outcomeOf(await call);
  },
  load: async ({ cvId }) =>
    outcomeOf(await accountApi().call("GET /api/cvs/:cvId", { params: { cvId } })),
  step: async ({ base: { cvId }, step }) =>
    outcomeOf(await accountApi().call(`POST /api/cvs/:cvId/${step}`, { params: { cvId } })),
};
