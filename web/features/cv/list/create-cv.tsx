import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { languages } from "../../../i18n/languages.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { base64Of } from "../../base64-of.ts";
import type { Import } from "../cv-queries.ts";
import { useCvActs } from "./cv-acts.ts";

type Fault = "titleMissing" | "fileMissing" | "fileLarge" | "fileUnreadable" | "failed";

/** What a file says. @returns why it cannot be read */
async function read(file: File, language: Locale): Promise<Import | Fault> {
  if (file.size > cvLimits.importBytesMax) return "fileLarge";
  const content = await base64Of(file);
  const result = await accountApi().call("POST /api/cvs/import", { body: { content, language } });
  if (result.ok) return result.answer ?? "failed";
  if (result.code === "import_too_large" || result.status === 413) return "fileLarge";
  return result.code === "import_unreadable" ? "fileUnreadable" : "failed";
}

type CreateCvProps = {
  onClose: () => void;
  onMade: (cvId: string) => void;
  /** A file was read, to be reviewed. */
  onRead: (read: Import) => void;
};

/** What the form makes: an empty CV, or what a file says. */
function useCreation({ onMade, onRead }: CreateCvProps) {
  const acts = useCvActs();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const make = async (data: FormData, fromFile: boolean, language: Locale): Promise<void> => {
    const [title, file] = [data.get("title"), data.get("file")];
    const hasFile = file instanceof File && file.size > 0;
    const isNamed = typeof title === "string" && title.trim() !== "";
    if (fromFile ? !hasFile : !isNamed) {
      setFault(fromFile ? "fileMissing" : "titleMissing");
      return;
    }
    setBusy(true);
    setFault(undefined);
    if (hasFile && fromFile) {
      const found = await read(file, language).catch((): Fault => "failed");
      if (typeof found === "string") setFault(found);
      else onRead(found);
    } else if (isNamed) {
      const made = await acts.create({ title: title.trim(), language });
      if (made !== undefined) onMade(made.cvId);
    }
    setBusy(false);
  };
  return { busy, fault, make };
}

const languageOf = (data: FormData): Locale =>
  languages.find((one) => one === data.get("language")) ?? "en";

function BeginWith({
  fromFile,
  onChoose,
}: {
  fromFile: boolean;
  onChoose: (fromFile: boolean) => void;
}) {
  const { t } = useTranslation("cv");
  const id = useId();
  return (
    <fieldset className="cv-choices">
      <legend className="field__label">{t("create.from")}</legend>
      {([false, true] as const).map((file) => (
        <Choice
          key={String(file)}
          type="radio"
          id={`${id}-${String(file)}`}
          name="from"
          value={String(file)}
          label={t(file ? "create.fromFile" : "create.fromNothing")}
          hint={t(file ? "create.fromFileHint" : "create.fromNothingHint")}
          checked={fromFile === file}
          onChange={() => onChoose(file)}
        />
      ))}
    </fieldset>
  );
}

type ErrorProps = { error: string | undefined };

function FileField({ error }: ErrorProps) {
  const { t } = useTranslation("cv");
  const id = useId();
  return (
    <Field
      id={`${id}-file`}
      label={t("create.file")}
      hint={t("create.fileHint", { size: cvLimits.importBytesMax / 1024 / 1024 })}
      error={error}
    >
      {(control) => <input {...control} name="file" type="file" accept=".pdf,.docx,.json,.zip" />}
    </Field>
  );
}

function TitleField({ error }: ErrorProps) {
  const { t } = useTranslation("cv");
  const id = useId();
  return (
    <Field id={`${id}-title`} label={t("name.label")} hint={t("name.hint")} error={error}>
      {(control) => (
        <input
          {...control}
          name="title"
          dir="auto"
          autoComplete="off"
          maxLength={cvLimits.lineCharsMax}
        />
      )}
    </Field>
  );
}

/** The language of the CV: first that of the page. */
function LanguageChoice() {
  const { t } = useTranslation("cv");
  const id = useId();
  const language = useLanguage();
  return (
    <fieldset className="cv-choices cv-choices--row">
      <legend className="field__label">{t("create.language")}</legend>
      {languages.map((one) => (
        <Choice
          key={one}
          type="radio"
          id={`${id}-${one}`}
          name="language"
          value={one}
          label={t(`languages.${one}`)}
          defaultChecked={one === language}
        />
      ))}
    </fieldset>
  );
}

/** Begins a CV: empty in one of the languages, or from a file. */
export function CreateCv(props: CreateCvProps) {
  const { onClose } = props;
  const { t } = useTranslation("cv");
  const [fromFile, setFromFile] = useState(false);
  const { busy, fault, make } = useCreation(props);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void make(data, fromFile, languageOf(data));
  };
  const ofField = (one: Fault): string | undefined =>
    fault === one ? t(`errors.${one}`) : undefined;
  const formFault = fault === "titleMissing" || fault === "fileMissing" ? undefined : fault;
  return (
    <Dialog
      title={t("create.title")}
      closeLabel={t("close")}
      onClose={onClose}
      // A press beside the form would lose what was typed.
      onBackdrop={() => undefined}
    >
      <form className="cv-dialog" noValidate onSubmit={submit}>
        <BeginWith fromFile={fromFile} onChoose={setFromFile} />
        {fromFile ? (
          <FileField error={ofField("fileMissing")} />
        ) : (
          <TitleField error={ofField("titleMissing")} />
        )}
        <LanguageChoice />
        <Notice kind="error">{formFault && t(`errors.${formFault}`)}</Notice>
        <div className="cv-actions">
          <Button type="submit" variant="solid" disabled={busy}>
            {t(fromFile ? (busy ? "create.reading" : "create.read") : "create.submit")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
