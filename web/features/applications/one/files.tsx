import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { fetchFile } from "../../../api-client/account-api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { base64Of } from "../../base64-of.ts";
import { saveFile } from "../../save-file.ts";
import { toaster } from "../../toaster.ts";
import type { Whole } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePartActs } from "./part-acts.ts";

type StoredFile = Whole["files"][number];
type Fault = "fileLarge" | "filesFull" | "failed";

function Upload({ applicationId }: { applicationId: string }) {
  const { t } = useTranslation("application");
  const { send } = usePartActs(applicationId);
  const id = useId();
  const [state, setState] = useState<"idle" | "sending" | Fault>("idle");
  const upload = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (file === undefined) return;
    if (file.size > limit.fileBytesMax) return setState("fileLarge");
    setState("sending");
    try {
      const body = { name: file.name.slice(-limit.lineCharsMax), content: await base64Of(file) };
      const params = { applicationId };
      const result = await send("POST /api/applications/:applicationId/files", { params, body });
      if (result.ok) setState("idle");
      else if (result.code === "application_full") setState("filesFull");
      else setState(result.status === 413 ? "fileLarge" : "failed");
    } catch {
      setState("failed");
    }
    input.value = "";
  };
  const isFault = state !== "idle" && state !== "sending";
  return (
    <Field
      id={id}
      label={t("files.add")}
      hint={
        state === "sending"
          ? t("files.sending")
          : t("files.hint", { size: limit.fileBytesMax / 1024 / 1024 })
      }
      error={isFault ? t(`files.faults.${state}`) : undefined}
    >
      {(control) => (
        <input
          {...control}
          type="file"
          disabled={state === "sending"}
          onChange={({ target }) => void upload(target)}
        />
      )}
    </Field>
  );
}

type EntryProps = { applicationId: string; file: StoredFile; readOnly: boolean };

function Entry({ applicationId, file, readOnly }: EntryProps) {
  const { t } = useTranslation("application");
  const { number } = useTrackerTexts();
  const { act } = usePartActs(applicationId);
  const { fileId, name, bytes } = file;
  const save = async (): Promise<void> => {
    const path = `/api/applications/${applicationId}/files/${fileId}` as const;
    const content = await fetchFile(path).catch(() => undefined);
    if (content === undefined) toaster.show({ text: t("files.unavailable") });
    else saveFile(content, name);
  };
  const params = { applicationId, fileId };
  return (
    <li className="stored-file">
      <span>
        <bdi>{name}</bdi>{" "}
        <span className="tracker__quiet">
          {t("files.size", { size: number(Math.max(1, Math.round(bytes / 1024))) })}
        </span>
      </span>
      <span className="tracker__acts">
        <Button variant="text" onClick={() => void save()}>
          {t("files.save")} <span className="visually-hidden">{name}</span>
        </Button>
        {!readOnly && (
          <Button
            variant="text"
            onClick={() =>
              void act("DELETE /api/applications/:applicationId/files/:fileId", { params })
            }
          >
            {t("remove")} <span className="visually-hidden">{name}</span>
          </Button>
        )}
      </span>
    </li>
  );
}

type FilesProps = { applicationId: string; files: readonly StoredFile[]; readOnly: boolean };

/** Files that are kept with an application. */
export function Files({ applicationId, files, readOnly }: FilesProps) {
  const { t } = useTranslation("application");
  return (
    <section className="application__part" aria-labelledby="files">
      <h2 id="files">{t("files.title")}</h2>
      {files.length === 0 && <p className="tracker__quiet">{t("files.none")}</p>}
      <ul className="application__list">
        {files.map((file) => (
          <Entry key={file.fileId} applicationId={applicationId} file={file} readOnly={readOnly} />
        ))}
      </ul>
      {!readOnly && files.length < limit.filesMax && <Upload applicationId={applicationId} />}
    </section>
  );
}
