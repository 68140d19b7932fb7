import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { type RefObject, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { textIn } from "../form-machine.ts";
import { isolated } from "../isolated.ts";
import { type FieldState, SubmissionForm } from "../submission-form.tsx";
import { refusalIn } from "../submission.machine.ts";
import { toaster } from "../toaster.ts";
import { useTrackerCache } from "./acts.ts";
import { DayField, detailFaults, detailsIn, SalaryFields, TextField } from "./detail-fields.tsx";
import type { Stage } from "./queries.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

const readable = ["company", "role", "place"] as const;

/** What a page says of a posting goes into the fields that are empty. @returns their names */
function fill(form: HTMLFormElement, found: Readonly<Record<(typeof readable)[number], string>>) {
  return readable.filter((name) => {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement) || found[name] === "") return false;
    if (input.value.trim() !== "") return false;
    input.value = found[name];
    return true;
  });
}

type AddressProps = { field: FieldState; form: RefObject<HTMLFormElement | null> };

/** The address of a posting, from whose page the other fields are filled. */
function AddressField({ field, form }: AddressProps) {
  const { t } = useTranslation("applications");
  const language = useLanguage();
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const read = async (): Promise<void> => {
    const { current } = form;
    const url = current === null ? "" : textIn(new FormData(current), "jobUrl").trim();
    if (current === null || url === "") return setSaid(t("add.noAddress"));
    setBusy(true);
    setSaid(t("add.reading"));
    const result = await accountApi()
      .call("POST /api/applications/posting", { body: { url } })
      .catch(() => undefined);
    setBusy(false);
    if (result?.ok !== true || result.answer === undefined) return setSaid(t("add.unreadable"));
    const names = fill(current, result.answer).map((name) => t(`fields.${name}`));
    const list = new Intl.ListFormat(language, { type: "conjunction" });
    return setSaid(
      names.length === 0 ? t("add.nothingNew") : t("add.read", { fields: list.format(names) }),
    );
  };
  return (
    <div className="tracker-fields__address">
      <Field {...field("jobUrl")} label={t("fields.jobUrl")} hint={t("add.addressHint")}>
        {(control) => (
          <input
            {...control}
            name="jobUrl"
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            maxLength={limit.urlCharsMax}
          />
        )}
      </Field>
      <Button disabled={busy} onClick={() => void read()}>
        {t("add.readAddress")}
      </Button>
      <output className="tracker__quiet">{said}</output>
    </div>
  );
}

function StageField({ field, stages }: { field: FieldState; stages: readonly Stage[] }) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  return (
    <Field {...field("stageId")} label={t("fields.stage")}>
      {(control) => (
        <Select {...control} name="stageId">
          {stages.map((stage) => (
            <option key={stage.stageId} value={stage.stageId}>
              {nameOf(stage)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type MoreProps = { field: FieldState; sources: readonly string[] };

/** What can also be said later. */
function MoreFields({ field, sources }: MoreProps) {
  const { t } = useTranslation("applications");
  const listId = useId();
  return (
    <details className="tracker-fields__more">
      <summary>{t("add.more")}</summary>
      <div className="tracker-fields">
        <TextField field={field} name="place" />
        <TextField field={field} name="source" list={listId} />
        <datalist id={listId}>
          {sources.map((source) => (
            <option key={source}>{source}</option>
          ))}
        </datalist>
        <DayField field={field} name="deadline" />
        <DayField field={field} name="appliedOn" />
        <SalaryFields field={field} />
        <Field {...field("note")} label={t("fields.note")}>
          {(control) => (
            <textarea {...control} name="note" dir="auto" rows={3} maxLength={limit.noteCharsMax} />
          )}
        </Field>
      </div>
    </details>
  );
}

type AddProps = { stages: readonly Stage[]; sources: readonly string[]; onClose: () => void };

/** Adds an application by hand, or from the address of its posting. */
export function AddApplication({ stages, sources, onClose }: AddProps) {
  const { t } = useTranslation("applications");
  const cache = useTrackerCache();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const send = async (data: FormData) => {
    const note = textIn(data, "note").trim();
    const application = {
      details: detailsIn(data),
      stageId: textIn(data, "stageId"),
      ...(note === "" ? {} : { note }),
    };
    const body = { applications: [application] };
    const result = await accountApi().call("POST /api/applications", { body });
    const refused = refusalIn(result);
    const [added] = result.ok ? (result.answer?.applications ?? []) : [];
    if (refused !== undefined || added === undefined) return refused;
    cache.upsert([added]);
    cache.refreshDerived();
    const open = () => void navigate(`/applications/${added.applicationId}`);
    const text = t("add.done", { name: isolated(added.details.company) });
    toaster.show({ text, action: { label: t("add.open"), onAction: open } });
    onClose();
    return undefined;
  };
  return (
    // A press beside the form would lose what was typed.
    <Dialog
      title={t("add.title")}
      closeLabel={t("close")}
      onClose={onClose}
      onBackdrop={() => undefined}
    >
      <SubmissionForm
        form={form}
        submission={{ faultsIn: detailFaults, send }}
        submit={t("add.submit")}
        sending={t("add.sending")}
      >
        {(field) => (
          <>
            <AddressField field={field} form={form} />
            <TextField field={field} name="company" />
            <TextField field={field} name="role" />
            <StageField field={field} stages={stages} />
            <MoreFields field={field} sources={sources} />
          </>
        )}
      </SubmissionForm>
    </Dialog>
  );
}
