import type { Conflict } from "@pro-talent/schemas/studio/merge";

import { accountApi } from "../../../api-client/account-api.ts";
import type { CallResult } from "../../../api-client/request.ts";
import type { CvDocument, CvState } from "../cv-queries.ts";

/** A document on its way, and the version that it was made from. */
export type Sending = { cvId: string; basedOn: number; document: CvDocument };
export type Step = "undo" | "redo";
/** A step, and the version from which it goes: sent again, it is done once. */
export type Stepping = { cvId: string; version: number; step: Step };

/** What came of a call about an edited CV. */
export type Outcome =
  | { kind: "answered"; cv: CvState; conflicts: readonly Conflict[] }
  /** The version that the edit started from is no longer kept. */
  | { kind: "not-kept" }
  /** It is not accepted as it is; sent again it would not be either. */
  | { kind: "refused"; tooLong: boolean }
  /** The CV was deleted. */
  | { kind: "deleted" }
  /** It may be accepted later. */
  | { kind: "unreached" };

type EditCall =
  | "GET /api/cvs/:cvId"
  | "POST /api/cvs/:cvId/edits"
  | "POST /api/cvs/:cvId/undo"
  | "POST /api/cvs/:cvId/redo";

const mayRecover = (status: number): boolean => status >= 500 || [401, 408, 429].includes(status);

function outcomeOf(result: CallResult<EditCall>): Outcome {
  if (result.ok) {
    const { answer } = result;
    if (answer === undefined) return { kind: "unreached" };
    const conflicts = "conflicts" in answer ? answer.conflicts : [];
    return { kind: "answered", cv: answer.cv, conflicts };
  }
  if (result.code === "version_not_kept") return { kind: "not-kept" };
  if (result.status === 404) return { kind: "deleted" };
  if (mayRecover(result.status)) return { kind: "unreached" };
  const tooLong = result.code === "cv_too_long" || result.status === 413;
  return { kind: "refused", tooLong };
}

/** @throws TypeError when there is no answer */
export async function saveEdit({ cvId, ...body }: Sending): Promise<Outcome> {
  const call = accountApi().call("POST /api/cvs/:cvId/edits", { params: { cvId }, body });
  return outcomeOf(await call);
}

/** @throws TypeError when there is no answer */
export async function loadCv(cvId: string): Promise<Outcome> {
  return outcomeOf(await accountApi().call("GET /api/cvs/:cvId", { params: { cvId } }));
}

/** @throws TypeError when there is no answer */
export async function stepCv({ cvId, version, step }: Stepping): Promise<Outcome> {
  const input = { params: { cvId }, body: { version } };
  return outcomeOf(await accountApi().call(`POST /api/cvs/:cvId/${step}`, input));
}
