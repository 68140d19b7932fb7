import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { daysOf, todayIn } from "../../days-in-query.ts";
import { textIn } from "../../form-machine.ts";
import { isolated } from "../../isolated.ts";
import { isNotIncluded, linksQuery, opensQuery } from "../../links/link-queries.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import type { Application, Note, Stage, Whole } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePartActs } from "./part-acts.ts";
import { type TimelineEntry, timelineOf } from "./timeline-of.ts";

const faultsIn = (data: FormData): Faults => ({
  text: textIn(data, "text").trim() === "" ? "applications:errors.textRequired" : undefined,
});

type NoteFormProps = { applicationId: string; note?: Note; onDone?: () => void };

/** Writes a note, or changes one. */
function NoteForm({ applicationId, note, onDone }: NoteFormProps) {
  const { t } = useTranslation("application");
  const { send: call } = usePartActs(applicationId);
  const form = useRef<HTMLFormElement>(null);
  const send = async (data: FormData) => {
    const body = { text: textIn(data, "text").trim() };
    const params = { applicationId };
    const result =
      note === undefined
        ? await call("POST /api/applications/:applicationId/notes", { params, body })
        : await call("PUT /api/applications/:applicationId/notes/:noteId", {
            params: { ...params, noteId: note.noteId },
            body,
          });
    const refused = refusalIn(result);
    if (refused === undefined) {
      form.current?.reset();
      onDone?.();
    }
    return refused;
  };
  return (
    <SubmissionForm
      form={form}
      variant={note === undefined ? "solid" : "outline"}
      submission={{ faultsIn, send }}
      submit={t(note === undefined ? "notes.add" : "save")}
      sending={t("saving")}
      actions={onDone && <Button onClick={onDone}>{t("cancel")}</Button>}
    >
      {(field) => (
        <Field {...field("text")} label={t(note === undefined ? "notes.new" : "notes.edit")}>
          {(control) => (
            <textarea
              {...control}
              name="text"
              dir="auto"
              rows={3}
              maxLength={limit.noteCharsMax}
              defaultValue={note?.text}
            />
          )}
        </Field>
      )}
    </SubmissionForm>
  );
}

type NoteEntryProps = { applicationId: string; note: Note; readOnly: boolean };

function NoteEntry({ applicationId, note, readOnly }: NoteEntryProps) {
  const { t } = useTranslation("application");
  const { act } = usePartActs(applicationId);
  const [state, setState] = useState<"shown" | "edited" | "asked">("shown");
  const params = { applicationId, noteId: note.noteId };
  const show = (): void => setState("shown");
  if (state === "edited")
    return <NoteForm applicationId={applicationId} note={note} onDone={show} />;
  return (
    <>
      <p className="timeline__note" dir="auto">
        {note.text}
      </p>
      {!readOnly && (
        <p className="tracker__acts">
          <Button variant="text" onClick={() => setState("edited")}>
            {t("edit")}
          </Button>
          <Button variant="text" onClick={() => setState("asked")}>
            {t("remove")}
          </Button>
        </p>
      )}
      {state === "asked" && (
        <ConfirmDialog
          title={t("notes.delete")}
          texts={{ confirm: t("notes.confirm"), keep: t("notes.keep"), close: t("close") }}
          onConfirm={() => {
            show();
            void act("DELETE /api/applications/:applicationId/notes/:noteId", { params });
          }}
          onClose={show}
        >
          <p>{t("notes.body")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Opens of the links that were sent with an application, and why some are missing. */
function useOpens({ sent }: Application) {
  const { timeZone: zone } = useTrackerTexts();
  const asked = { ...daysOf({ preset: "12m" }, todayIn(zone)), zone };
  return useQueries({
    queries: sent.linkIds.map((linkId) => opensQuery(linkId, asked, false)),
    combine: (results) => {
      const error = results.find((result) => result.error !== null)?.error ?? null;
      return {
        opens: results.flatMap(({ data }) => data?.opens ?? []),
        missing: error && (isNotIncluded(error) ? ("notIncluded" as const) : ("failed" as const)),
      };
    },
  });
}

function useHistoryText(stages: readonly Stage[]) {
  const { t } = useTranslation("application");
  const { stage: nameOf } = useTrackerTexts();
  const named = (id: string): string => {
    const stage = stages.find(({ stageId }) => stageId === id);
    return stage === undefined ? t("timeline.goneStage") : isolated(nameOf(stage));
  };
  return (entry: Whole["history"][number]): string => {
    switch (entry.kind) {
      case "added":
        return t("timeline.added", { stage: named(entry.stageId) });
      case "moved":
        return t("timeline.moved", { from: named(entry.from), to: named(entry.to) });
      case "archived":
        return t("timeline.archived");
      case "restored":
        return t("timeline.restored");
      case "reminded":
        return t("timeline.reminded");
    }
  };
}

type TimelineProps = {
  application: Application;
  whole: Whole;
  stages: readonly Stage[];
  readOnly: boolean;
};

/** What happened, the newest first: moves, notes, reminders, and opens of the links that were sent. */
export function Timeline({ application, whole, stages, readOnly }: TimelineProps) {
  const { t } = useTranslation("application");
  const { fullTime } = useTrackerTexts();
  const { applicationId } = application;
  const historyText = useHistoryText(stages);
  const { opens, missing } = useOpens(application);
  const { data } = useQuery(linksQuery);
  const labelOf = (id: string): string =>
    data?.links.find(({ linkId }) => linkId === id)?.label ?? t("sent.link");
  const contentOf = (entry: TimelineEntry) => {
    switch (entry.kind) {
      case "history":
        return <p>{historyText(entry.entry)}</p>;
      case "open":
        return (
          <p>
            <Link to={`/links/${entry.open.linkId}`}>
              {t("timeline.opened", { link: isolated(labelOf(entry.open.linkId)) })}
            </Link>
          </p>
        );
      case "note":
        return <NoteEntry applicationId={applicationId} note={entry.note} readOnly={readOnly} />;
    }
  };
  return (
    <section className="application__timeline" aria-labelledby="timeline">
      <h2 id="timeline">{t("timeline.title")}</h2>
      {!readOnly && <NoteForm applicationId={applicationId} />}
      {missing !== null && <p className="tracker__quiet">{t(`timeline.opens.${missing}`)}</p>}
      <ol className="timeline">
        {timelineOf(whole, opens).map((entry) => (
          <li key={entry.id} className="timeline__entry" data-kind={entry.kind}>
            <time dateTime={entry.at}>{fullTime(entry.at)}</time>
            <div>{contentOf(entry)}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}
