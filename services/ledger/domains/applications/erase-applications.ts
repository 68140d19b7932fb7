import { runCommand } from "../../kernel/commands.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { eachAtOnce } from "./acting.ts";
import { commandApplication } from "./applications.ts";
import { pipelines, pipelineSubjectOf } from "./pipeline/pipelines.ts";
import { applicationsOf } from "./read-models.ts";

/**
 * Erases the applications of an account, and destroys the keys of what was written about them. The files
 * follow by the timer of each fact.
 */
export const applicationsEraser: Eraser = {
  step: "applications",
  subjectsOf: async ({ ledger }, { accountId }) => [
    pipelineSubjectOf(accountId),
    ...(await applicationsOf(ledger.sql, accountId)).map(({ applicationId }) => applicationId),
  ],
  tracesOf: async ({ ledger }, { accountId }) => ({
    ids: (await applicationsOf(ledger.sql, accountId)).flatMap(({ fileIds }) => fileIds),
  }),
  erase: async ({ ledger, subjects }, { accountId }, why) => {
    const held = await applicationsOf(ledger.sql, accountId);
    await eachAtOnce(held, async ({ applicationId }) => {
      const command = { type: "EraseApplication" } as const;
      const result = await commandApplication({ ledger }, applicationId, command, why);
      if (result.kind === "refusal")
        throw new Error(`An application was not erased: ${result.code}`);
      await subjects.shred(applicationId);
    });
    const command = { type: "ErasePipeline" } as const;
    const erased = { ...why, id: accountId, command, body: command };
    const result = await runCommand(ledger, pipelines, erased);
    if (result.kind === "refusal") throw new Error(`A pipeline was not erased: ${result.code}`);
    await subjects.shred(pipelineSubjectOf(accountId));
    const pipeline = result.how === "recorded" ? 1 : 0;
    const left = (await applicationsOf(ledger.sql, accountId)).length;
    return { found: held.length + pipeline, left };
  },
};
