import { defineProblems } from "../primitives/problem.ts";

/** Refusals of the analytics calls. */
export const analyticsProblems = defineProblems({
  unknown_session: [404, "This session is not known. Start a new one."],
  consent_unavailable: [503, "Consent cannot be checked right now. Try again shortly."],
  spool_full: [503, "Reports cannot be taken right now. Try again later."],
});
