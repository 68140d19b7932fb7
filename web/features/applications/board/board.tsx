import { useCallback, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { useApplicationActs } from "../acts.ts";
import type { Application, OpenedOf, Stage } from "../queries.ts";
import { type TrackerTexts, useTrackerTexts } from "../tracker-texts.ts";
import { usePhone } from "../use-phone.ts";
import { type Columns, columnsOf } from "./board-order.ts";
import { Column, type ColumnHandle } from "./column.tsx";
import { useCarry } from "./use-carry.ts";
import { usePointerDrag } from "./use-pointer-drag.ts";

import "./board.css";

type StageChoiceProps = {
  stages: readonly Stage[];
  columns: Columns;
  chosen: string | undefined;
  onChoose: (stageId: string) => void;
  id: string;
};

/** On phones: which stage is shown. */
function StageChoice({ id, stages, columns, chosen, onChoose }: StageChoiceProps) {
  const { t } = useTranslation("applications");
  const { stage: nameOf, number } = useTrackerTexts();
  return (
    <Field id={id} label={t("board.stage")}>
      {(control) => (
        <Select {...control} value={chosen} onChange={({ target }) => onChoose(target.value)}>
          {stages.map((stage) => (
            <option key={stage.stageId} value={stage.stageId}>
              {`${nameOf(stage)} (${number(columns.get(stage.stageId)?.length ?? 0)})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** The handles of the columns that are shown, by stage. */
function useHandles() {
  const handles = useRef(new Map<string, ColumnHandle>());
  const refs = useRef(new Map<string, (handle: ColumnHandle | null) => void>());
  const refOf = useCallback((stageId: string) => {
    const known = refs.current.get(stageId);
    if (known !== undefined) return known;
    const ref = (handle: ColumnHandle | null): void => {
      if (handle === null) handles.current.delete(stageId);
      else handles.current.set(stageId, handle);
    };
    refs.current.set(stageId, ref);
    return ref;
  }, []);
  return { handles, refOf };
}

type BoardProps = {
  applications: readonly Application[];
  stages: readonly Stage[];
  openedOf: OpenedOf;
  now: number;
};

type ShownColumnsProps = BoardProps & {
  columns: Columns;
  carry: ReturnType<typeof useCarry>;
  refOf: ReturnType<typeof useHandles>["refOf"];
  shown: readonly Stage[];
  texts: TrackerTexts;
};

function ShownColumns({ columns, carry, refOf, shown, ...props }: ShownColumnsProps) {
  const { carried, focus, acts } = carry;
  return shown.map((stage) => {
    const { stageId } = stage;
    const cards = columns.get(stageId) ?? [];
    const has = (id: string | undefined): boolean =>
      id !== undefined && cards.some(({ applicationId }) => applicationId === id);
    return (
      <Column
        key={stageId}
        ref={refOf(stageId)}
        stage={stage}
        stages={props.stages}
        cards={cards}
        openedOf={props.openedOf}
        now={props.now}
        carried={has(carried?.id) ? carried?.id : undefined}
        target={carried?.to.stageId === stageId ? carried.to.index : undefined}
        followed={carried?.by === "keys"}
        focus={has(focus?.applicationId) ? focus : undefined}
        acts={acts}
        texts={props.texts}
      />
    );
  });
}

/** On phones the stage that was chosen, at first one with cards; else all of them. */
function useShownStages(stages: readonly Stage[], columns: Columns) {
  const isPhone = usePhone();
  const [chosen, setChosen] = useState<string>();
  const filled = stages.find(({ stageId }) => (columns.get(stageId)?.length ?? 0) > 0) ?? stages[0];
  const shownId = chosen ?? filled?.stageId;
  const shown = isPhone ? stages.filter(({ stageId }) => stageId === shownId) : stages;
  return { isPhone, shown, shownId, setChosen };
}

/** The pipeline: a column for each stage, in which applications are moved. */
export function Board(props: BoardProps) {
  const { applications, stages } = props;
  const { t } = useTranslation("applications");
  const texts = useTrackerTexts();
  const { move, archive } = useApplicationActs();
  const columns = useMemo(() => columnsOf(applications, stages), [applications, stages]);
  const board = useRef<HTMLDivElement>(null);
  const { handles, refOf } = useHandles();
  const { isPhone, shown, shownId, setChosen } = useShownStages(stages, columns);
  const choiceId = useId();
  /** What had the focus is shown no more. */
  const leave = (): void =>
    (document.getElementById(choiceId) ?? document.querySelector("main"))?.focus({
      preventScroll: true,
    });
  const carry = useCarry({
    columns,
    stages,
    onMove: (ids, stage, before) => {
      move({ ids, stageId: stage.stageId, before }, texts.stage(stage));
      if (isPhone) leave();
    },
    onArchive: ({ applicationId, archivedAt }) =>
      void archive([applicationId], archivedAt === null).then(leave),
  });
  const drag = usePointerDrag({
    board,
    columns: handles,
    onPick: (id) => carry.pick(id, "pointer"),
    onOver: carry.over,
    onDrop: carry.drop,
    onCancel: carry.cancel,
  });
  return (
    <>
      {isPhone && (
        <StageChoice
          id={choiceId}
          stages={stages}
          columns={columns}
          chosen={shownId}
          onChoose={setChosen}
        />
      )}
      <p id="board-keys" className="visually-hidden">
        {t("board.keys")}
      </p>
      <output className="visually-hidden">{carry.said}</output>
      <div ref={board} className="board" data-carrying={carry.carried !== undefined} {...drag}>
        <ShownColumns
          {...props}
          columns={columns}
          carry={carry}
          refOf={refOf}
          shown={shown}
          texts={texts}
        />
      </div>
    </>
  );
}
