import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Stage } from "@pro-talent/schemas/applications/application";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";

import type { Acting } from "../../../acting.ts";
import { storeProblem } from "../../../kernel/http.ts";
import { type ApplicationRoutes, inTurnOf, requireContact, requireTracker } from "../acting.ts";
import { applicationsOf } from "../read-models.ts";
import { changePipeline, pipelineOf } from "./pipelines.ts";

type NewStages = {
  readonly stages: readonly Stage[];
  readonly moved: Readonly<Record<string, string>>;
};

/** Changes the pipeline of an account. @throws ProblemError */
export async function changeStages(
  routes: ApplicationRoutes,
  acting: Acting,
  { stages, moved }: NewStages,
) {
  const { context } = routes;
  const { accountId, issued, commandId } = acting;
  await requireTracker(context, acting);
  if (new Set(stages.map(({ stageId }) => stageId)).size < stages.length)
    throw new ProblemError("bad_request");
  const { email } = await requireContact(routes, acting);
  const result = await inTurnOf(context, acting, async () => {
    const rows = await applicationsOf(context.ledger.sql, accountId);
    const { now } = await pipelineOf(context, accountId);
    const inUse = new Set(rows.map(({ stageId }) => now(stageId)));
    const pipeline = { accountId, email, stages, moved, inUse };
    return await changePipeline(context, pipeline, { ...issued, commandId });
  });
  if (result.kind === "refusal") {
    switch (result.code) {
      case "stage_in_use":
      case "stage_not_found":
        throw new ProblemError(problems[result.code]);
      default:
        throw storeProblem(result.code);
    }
  }
  return { stages: [...(await pipelineOf(context, accountId)).stages] };
}
