import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import type { Note } from "../queries.ts";
import { usePartActs } from "./part-acts.ts";

const faultsIn = (data: FormData): Faults => ({
  text: textIn(data, "text").trim() === "" ? "applications:errors.textRequired" : undefined,
});

type NoteFormProps = { applicationId: string; note?: Note; onDone?: () => void };

/** Writes a note, or changes one. */
export function NoteForm({ applicationId, note, onDone }: NoteFormProps) {
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

/** A note with what can be done with it. */
export function NoteEntry({ applicationId, note, readOnly }: NoteEntryProps) {
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
