import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { isolated } from "../isolated.ts";
import { toaster } from "../toaster.ts";
import { useTrackerCache } from "./acts.ts";
import type { Application, Stage, StageKind } from "./queries.ts";
import { useTrackerTexts } from "./tracker-texts.ts";
import { type Pipeline, usePipeline } from "./use-pipeline.ts";

/** In the order in which an application passes them. */
const stageKinds: readonly StageKind[] = [
  "saved",
  "applied",
  "interviewing",
  "offered",
  "accepted",
  "rejected",
  "withdrawn",
];

/** The button that adds a stage; it takes the focus of one that is gone. */
const addId = "pipeline-add";

type RowProps = { pipeline: Pipeline; stage: Stage; index: number; onSay: (text: string) => void };

function StageActs({ pipeline, stage, index, onSay }: RowProps) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const { length } = pipeline.stages;
  const name = isolated(nameOf(stage));
  const id = (act: "earlier" | "later"): string => `${act}-${stage.stageId}`;
  const move = (to: number): void => {
    pipeline.moveTo(index, to);
    const [pressed, other] =
      to < index ? (["earlier", "later"] as const) : (["later", "earlier"] as const);
    // Moved in the document, a button loses the focus; at an end it can be pressed no more.
    requestAnimationFrame(() => {
      const isAtEnd = to === 0 || to === length - 1;
      document.getElementById(id(isAtEnd ? other : pressed))?.focus();
    });
    onSay(t("pipeline.moved", { name, place: to + 1, all: length }));
  };
  return (
    <div className="pipeline__acts">
      <Button
        id={id("earlier")}
        aria-label={t("pipeline.earlier", { name })}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      >
        <AppIcon name="up" />
      </Button>
      <Button
        id={id("later")}
        aria-label={t("pipeline.later", { name })}
        disabled={index === length - 1}
        onClick={() => move(index + 1)}
      >
        <AppIcon name="down" />
      </Button>
      <Button
        aria-label={t("pipeline.remove", { name })}
        disabled={length <= 2}
        onClick={() => {
          pipeline.remove(stage, index);
          document.getElementById(addId)?.focus();
        }}
      >
        <AppIcon name="close" />
      </Button>
    </div>
  );
}

function StageRow({ pipeline, stage, index, onSay }: RowProps) {
  const { t } = useTranslation("applications");
  const { kind: kindName } = useTrackerTexts();
  const id = useId();
  return (
    <li className="pipeline__stage">
      <Field id={`${id}-name`} label={t("pipeline.name")}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={limit.lineCharsMax}
            placeholder={kindName(stage.kind)}
            value={stage.name}
            onChange={({ target }) => pipeline.put({ ...stage, name: target.value })}
          />
        )}
      </Field>
      <Field id={`${id}-kind`} label={t("pipeline.kind")}>
        {(control) => (
          <Select
            {...control}
            value={stage.kind}
            onChange={({ target }) => {
              const kind = stageKinds.find((one) => one === target.value) ?? stage.kind;
              pipeline.put({ ...stage, kind });
            }}
          >
            {stageKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindName(kind)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <StageActs pipeline={pipeline} stage={stage} index={index} onSay={onSay} />
    </li>
  );
}

/** Where the applications of removed stages go. */
function RemovedStages({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  return pipeline.removed.map(({ stage, count, to }) => (
    <Field
      key={stage.stageId}
      id={`moved-${stage.stageId}`}
      label={t("pipeline.goTo", { name: isolated(nameOf(stage)), count })}
    >
      {(control) => (
        <Select
          {...control}
          value={to}
          onChange={({ target }) => pipeline.send(stage.stageId, target.value)}
        >
          {pipeline.stages.map((other) => (
            <option key={other.stageId} value={other.stageId}>
              {nameOf(other)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  ));
}

type EditorProps = {
  stages: readonly Stage[];
  applications: readonly Application[];
  onClose: () => void;
};

/** Names, orders, adds and removes the stages of the board. */
export function PipelineEditor({ stages, applications, onClose }: EditorProps) {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const pipeline = usePipeline(stages, applications);
  const [said, setSaid] = useState("");
  const [state, setState] = useState<"editing" | "saving" | "failed">("editing");
  const save = async (): Promise<void> => {
    setState("saving");
    const body = { stages: [...pipeline.stages], moved: pipeline.moved };
    const result = await accountApi()
      .call("PUT /api/applications/stages", { body })
      .catch(() => undefined);
    if (result?.ok !== true || result.answer === undefined) return setState("failed");
    const { stages: saved } = result.answer;
    cache.change((known) => ({ ...known, stages: saved }));
    await cache.refreshAll();
    toaster.show({ text: t("pipeline.saved") });
    return onClose();
  };
  return (
    <Dialog
      title={t("pipeline.title")}
      closeLabel={t("close")}
      onClose={onClose}
      // A press beside it would lose what was changed.
      onBackdrop={() => undefined}
    >
      <div className="pipeline">
        <p className="tracker__quiet">{t("pipeline.lead")}</p>
        <output className="visually-hidden">{said}</output>
        <ol className="pipeline__stages">
          {pipeline.stages.map((stage, index) => (
            <StageRow
              key={stage.stageId}
              pipeline={pipeline}
              stage={stage}
              index={index}
              onSay={setSaid}
            />
          ))}
        </ol>
        <RemovedStages pipeline={pipeline} />
        <Notice kind="error">{state === "failed" && t("failed")}</Notice>
        <div className="tracker__acts">
          <Button variant="solid" disabled={state === "saving"} onClick={() => void save()}>
            {t("pipeline.save")}
          </Button>
          <Button
            id={addId}
            disabled={pipeline.stages.length >= limit.stagesMax}
            onClick={pipeline.add}
          >
            {t("pipeline.add")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
