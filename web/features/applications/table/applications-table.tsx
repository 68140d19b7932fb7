import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { DataTable } from "../../../ui/data-table/data-table.tsx";
import type { TableView } from "../../../ui/data-table/table-model.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { isolated } from "../../isolated.ts";
import { useApplicationActs } from "../acts.ts";
import type { Application, Stage } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { type ColumnsProps, useColumns } from "./columns.tsx";

import "./applications-table.css";

/** More rows than fit on a screen are rendered as they come into sight. */
const renderedRowsMax = 100;

type BulkProps = {
  ids: ReadonlySet<string>;
  stages: readonly Stage[];
  archived: boolean;
  /** Without the plan's tracker, applications can be deleted alone. */
  included: boolean;
  onDone: () => void;
};

function MoveTo({ ids, stages, onDone }: Pick<BulkProps, "ids" | "stages" | "onDone">) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const { move } = useApplicationActs();
  const id = useId();
  const moveTo = (stageId: string): void => {
    const stage = stages.find((one) => one.stageId === stageId);
    if (stage === undefined) return;
    move({ ids: [...ids], stageId, before: null }, nameOf(stage));
    onDone();
  };
  return (
    <label className="applications-table__move" htmlFor={id}>
      {t("card.moveTo")}
      <Select
        id={id}
        className="field__control"
        value=""
        onChange={({ target }) => moveTo(target.value)}
      >
        <option value="">{t("bulk.choose")}</option>
        {stages.map((stage) => (
          <option key={stage.stageId} value={stage.stageId}>
            {nameOf(stage)}
          </option>
        ))}
      </Select>
    </label>
  );
}

/** What is done with the selected rows. */
function BulkBar({ ids, stages, archived, included, onDone }: BulkProps) {
  const { t } = useTranslation("applications");
  const { archive, remove } = useApplicationActs();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const chosen = [...ids];
  const confirm = async (): Promise<void> => {
    setBusy(true);
    const isGone = await remove(chosen);
    setBusy(false);
    setAsked(false);
    if (isGone) onDone();
  };
  return (
    <>
      <strong>{t("bulk.selected", { count: ids.size })}</strong>
      {included && (
        <>
          <MoveTo ids={ids} stages={stages} onDone={onDone} />
          <Button onClick={() => void archive(chosen, !archived).then(onDone)}>
            {t(archived ? "archive.restore" : "archive.action")}
          </Button>
        </>
      )}
      <Button onClick={() => setAsked(true)}>{t("delete.action")}</Button>
      {asked && (
        <ConfirmDialog
          title={t("delete.many", { count: ids.size })}
          texts={{ confirm: t("delete.confirm"), keep: t("delete.keep"), close: t("close") }}
          busy={busy}
          onConfirm={() => void confirm()}
          onClose={() => setAsked(false)}
        >
          <p>{t("delete.body")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type TableProps = ColumnsProps & {
  applications: readonly Application[];
  archived: boolean;
  included: boolean;
  sort: TableView["sort"];
  onSort: (sort: TableView["sort"]) => void;
};

/** All applications as rows: sorted, selected, and changed many at a time. */
export function ApplicationsTable(props: TableProps) {
  const { applications, stages, archived, included, sort, onSort } = props;
  const { t } = useTranslation("applications");
  const columns = useColumns(props);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // What a filter hides is not changed with what is seen.
  const ids = useMemo(
    () =>
      new Set(
        applications.flatMap(({ applicationId }) =>
          selected.has(applicationId) ? [applicationId] : [],
        ),
      ),
    [applications, selected],
  );
  const leave = (): void => {
    setSelected(new Set());
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  return (
    <div className="applications-table">
      <DataTable
        texts={{
          caption: t("title"),
          clearFilter: "",
          noMatch: "",
          count: () => "",
        }}
        columns={columns}
        rows={applications}
        rowId={({ applicationId }) => applicationId}
        view={{ filter: "", sort }}
        onView={(view) => onSort(view.sort)}
        renderedRowsMax={renderedRowsMax}
        selection={{
          ids,
          onChange: setSelected,
          allLabel: t("bulk.all"),
          rowLabel: ({ details }) => t("bulk.row", { name: isolated(details.company) }),
          bar: <BulkBar {...{ ids, stages, archived, included }} onDone={leave} />,
        }}
      />
    </div>
  );
}
