import {
  type Stage,
  type StageKind,
  stageKinds,
} from "@pro-talent/schemas/applications/application";
import { PipelineEvent, StageNames } from "@pro-talent/schemas/applications/events";
import { v5 as uuidV5 } from "uuid";

import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import type { LedgerContext, Reading } from "../../../kernel/module.ts";
import { loadState, readSealed } from "../../../kernel/streams.ts";
import type { SubjectKind } from "../../../kernel/subjects.ts";
import {
  type PipelineCommand,
  pipelineDecider,
  type PipelineRefusalCode,
  type PipelineState,
  type PlainStage,
  stageNow,
} from "./decider.ts";

/** The events of the pipeline of one account; the stream has the account's id. */
export const pipelineEvents = defineEvents("pipeline", PipelineEvent);

/** Names of stages are sealed for a data subject of their own. */
export const pipelineOwner: SubjectKind = "applications.pipeline";

export const pipelines: StreamDefinition<
  PipelineState,
  PipelineCommand,
  PipelineEvent,
  PipelineRefusalCode
> = {
  events: pipelineEvents,
  decider: pipelineDecider,
  durableWith: "each append",
  reply: ({ erased }) => ({ erased }),
  erasure: { events: ["PipelineErased"], timers: [] },
};

/** Namespace of ids that follow from an account's: drawn at random once, fixed for ever. */
const namespace = "7b0e5d0c-5d5c-4f0e-9a43-2f8c1c5e6a71";

/** The data subject of the names of an account's stages. */
export const pipelineSubjectOf = (accountId: string): string =>
  uuidV5(`${accountId} pipeline`, namespace);

/** The pipeline of an account until it is changed: nothing is stored for it. */
export const usualStages = (accountId: string): readonly PlainStage[] =>
  stageKinds.map((kind) => ({ stageId: uuidV5(`${accountId} ${kind}`, namespace), kind }));

export type Pipeline = {
  /** In the order of the board. */
  readonly stages: readonly Stage[];
  /** The stage in which applications of a stage are now. */
  readonly now: (stageId: string) => string;
  /** Also of a stage that was left out. */
  readonly kindOf: (stageId: string) => StageKind;
};

type Parts = Pick<LedgerContext, "ledger" | "subjects">;

/** The pipeline of an account. */
export async function pipelineOf(context: Reading, accountId: string): Promise<Pipeline> {
  const usual = usualStages(accountId);
  const { state } = await loadState(context.ledger.sql, pipelines, accountId);
  const plain = state.stages ?? usual;
  const names = state.stages === undefined ? {} : await namesOf(context, accountId);
  const kinds = new Map([...usual, ...state.known].map(({ stageId, kind }) => [stageId, kind]));
  // Asked for each of thousands of applications.
  const now = new Map(
    [...usual, ...state.known, ...plain].map(({ stageId }) => [
      stageId,
      stageNow(stageId, plain, state.moved),
    ]),
  );
  return {
    stages: plain.map((stage) => ({ ...stage, name: names[stage.stageId] ?? "" })),
    now: (stageId) => now.get(stageId) ?? plain[0]?.stageId ?? stageId,
    kindOf: (stageId) => kinds.get(stageId) ?? "saved",
  };
}

async function namesOf({ ledger, subjects }: Reading, accountId: string): Promise<StageNames> {
  const stream = pipelineEvents.streamOf(accountId);
  const sealed = await readSealed(ledger.sql, stream, "PipelineChanged");
  const subject = sealed && (await subjects.find(sealed.keyId));
  return sealed === undefined || subject === undefined
    ? {}
    : subject.open(sealed.bytes, StageNames);
}

type NewPipeline = {
  readonly accountId: string;
  readonly email: string;
  readonly stages: readonly Stage[];
  readonly moved: Readonly<Record<string, string>>;
  readonly inUse: ReadonlySet<string>;
};

/** Changes the pipeline of an account. */
export async function changePipeline(
  { ledger, subjects }: Parts,
  { accountId, email, stages, moved, inUse }: NewPipeline,
  issued: CommandContext,
): Promise<CommandResult<PipelineRefusalCode>> {
  const subject = await subjects.ofOccasion(pipelineOwner, pipelineSubjectOf(accountId), email);
  const names = Object.fromEntries(stages.map(({ stageId, name }) => [stageId, name]));
  return await runCommand(ledger, pipelines, {
    ...issued,
    id: accountId,
    command: {
      type: "ChangePipeline",
      stages: stages.map(({ stageId, kind }) => ({ stageId, kind })),
      moved,
      usual: usualStages(accountId),
      inUse,
    },
    body: { type: "ChangePipeline", accountId },
    sealed: { ...subject.seal(names), type: "PipelineChanged" },
  });
}
