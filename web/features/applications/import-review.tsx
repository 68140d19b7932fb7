import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import type { Column, TableView } from "../../ui/data-table/table-model.ts";
import { Notice } from "../../ui/notice/notice.tsx";
import { isolated } from "../isolated.ts";
import { toaster } from "../toaster.ts";
import { useTrackerCache } from "./acts.ts";
import type { Application, Imported, Stage } from "./queries.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

/** A row of the file; `known`: the same company and role are in the list already. */
type Row = Imported["applications"][number] & { id: string; known: boolean };

const keyOf = ({ company, role }: { company: string; role: string }): string =>
  `${company}\n${role}`.toLocaleLowerCase();

function rowsOf(imported: Imported, applications: readonly Application[]): Row[] {
  const known = new Set(applications.map(({ details }) => keyOf(details)));
  return imported.applications.map((row, index) => ({
    ...row,
    id: String(index),
    known: known.has(keyOf(row.details)),
  }));
}

function useColumns(stages: readonly Stage[]): readonly Column<Row>[] {
  const { t } = useTranslation("applications");
  const texts = useTrackerTexts();
  return useMemo(() => {
    const names = new Map(stages.map((stage) => [stage.stageId, texts.stage(stage)]));
    const first = stages[0] === undefined ? "" : texts.stage(stages[0]);
    return [
      { id: "company", header: t("columns.company"), value: ({ details }) => details.company },
      { id: "role", header: t("columns.role"), value: ({ details }) => details.role },
      {
        id: "stage",
        header: t("columns.stage"),
        value: ({ stageId }) => (stageId === undefined ? first : (names.get(stageId) ?? first)),
      },
      {
        id: "deadline",
        header: t("columns.deadline"),
        value: ({ details }) => details.deadline ?? "",
        cell: ({ details }) => details.deadline && texts.day(details.deadline),
      },
      {
        id: "known",
        header: t("import.note"),
        value: ({ known }) => (known ? t("import.known") : ""),
      },
    ];
  }, [stages, t, texts]);
}

const findingsShown = 50;

/** What the file had that was not taken over as it was. */
function FindingList({ findings }: Pick<Imported, "findings">) {
  const { t } = useTranslation("applications");
  if (findings.length === 0) return <p>{t("import.noFindings")}</p>;
  return (
    <section aria-labelledby="import-findings" className="import-review__findings">
      <h2 id="import-findings">{t("import.findings", { count: findings.length })}</h2>
      <ul>
        {findings.slice(0, findingsShown).map(({ row, column, code, text }) => (
          <li key={`${row} ${column} ${code} ${text}`}>
            {t("import.row", { row })} <bdi>{column}</bdi>: {t(`import.codes.${code}`)}{" "}
            {text !== "" && <q dir="auto">{text}</q>}
          </li>
        ))}
      </ul>
      {findings.length > findingsShown && (
        <p>{t("import.more", { count: findings.length - findingsShown })}</p>
      )}
    </section>
  );
}

type ReviewProps = {
  imported: Imported;
  applications: readonly Application[];
  stages: readonly Stage[];
  onLeave: () => void;
};

/** Adds rows in calls of bounded size; those that were added leave the list. */
function useAdding(initial: () => readonly Row[], onLeave: () => void) {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const [rows, setRows] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const add = async (ids: ReadonlySet<string>): Promise<void> => {
    setBusy(true);
    setFailed(false);
    const taken = rows.filter(({ id }) => ids.has(id));
    for (let from = 0; from < taken.length; from += limit.bulkMax) {
      const part = taken.slice(from, from + limit.bulkMax);
      const applications = part.map(({ id: _id, known: _known, ...row }) => row);
      const result = await accountApi()
        .call("POST /api/applications", { body: { applications } })
        .catch(() => undefined);
      if (result?.ok !== true || result.answer === undefined) {
        setFailed(true);
        setBusy(false);
        return;
      }
      cache.upsert(result.answer.applications);
      setRows((left) => left.filter((row) => !part.includes(row)));
    }
    cache.refreshDerived();
    toaster.show({ text: t("import.done", { count: taken.length }) });
    onLeave();
  };
  return { rows, busy, failed, add };
}

/** Every row of a file before it is added: taken or left out. */
export function ImportReview({ imported, applications, stages, onLeave }: ReviewProps) {
  const { t } = useTranslation("applications");
  const { rows, busy, failed, add } = useAdding(() => rowsOf(imported, applications), onLeave);
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(rows.flatMap(({ id, known }) => (known ? [] : [id]))),
  );
  const [view, setView] = useState<TableView>({ filter: "", sort: undefined });
  const columns = useColumns(stages);
  const count = rows.filter(({ id }) => taken.has(id)).length;
  return (
    <div className="import-review">
      <PageHeader
        title={t("import.review")}
        lead={t(`import.lead.${imported.source}`, { count: rows.length })}
      />
      <FindingList findings={imported.findings} />
      <DataTable
        texts={{
          caption: t("import.review"),
          filter: t("filters.text"),
          clearFilter: t("filters.clear"),
          noMatch: t("filters.noMatch"),
          count: (shown, all) => t("import.shown", { count: all, shown }),
        }}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        view={view}
        onView={setView}
        selection={{
          ids: taken,
          onChange: setTaken,
          allLabel: t("bulk.all"),
          rowLabel: ({ details }) => t("import.take", { name: isolated(details.company) }),
          bar: <strong>{t("import.taken", { count })}</strong>,
        }}
      />
      <Notice kind="error">{failed && t("import.failed")}</Notice>
      <div className="tracker__acts">
        <Button variant="solid" disabled={busy || count === 0} onClick={() => void add(taken)}>
          {busy ? t("import.adding") : t("import.add", { count })}
        </Button>
        <Button disabled={busy} onClick={onLeave}>
          {t("import.leave")}
        </Button>
      </div>
    </div>
  );
}
