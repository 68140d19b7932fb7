import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { base64Of } from "../../base64-of.ts";
import { useEditing } from "../../documents/edit/editing.ts";
import { put } from "../../documents/edit/edits.ts";
import { LineField } from "../../documents/edit/line-field.tsx";
import type { CvDocument } from "../cv-queries.ts";

type Photo = CvDocument["profile"]["photo"];
type Fault = "photoLarge" | "photoUnreadable" | "failed";

async function store(cvId: string, picture: File): Promise<{ file: string } | { fault: Fault }> {
  if (picture.size > cvLimits.photoBytesMax) return { fault: "photoLarge" };
  const body = { content: await base64Of(picture) };
  const result = await accountApi().call("POST /api/cvs/:cvId/photo", { params: { cvId }, body });
  if (result.ok) return result.answer ?? { fault: "failed" };
  return { fault: result.code === "photo_unreadable" ? "photoUnreadable" : "failed" };
}

/** Stores a chosen picture and names it in the document. */
function usePhotoUpload(cvId: string, photo: Photo) {
  const { edit } = useEditing();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const choose = async (picture: File | undefined): Promise<void> => {
    if (picture === undefined) return;
    setBusy(true);
    const stored = await store(cvId, picture).catch(() => ({ fault: "failed" as const }));
    setBusy(false);
    setFault("fault" in stored ? stored.fault : undefined);
    if ("fault" in stored) return;
    edit(put("profile/photo", { file: stored.file, alt: photo?.alt ?? "" }));
    edit(put("page/showPhoto", true));
  };
  return { busy, fault, choose };
}

type PhotoFieldProps = { cvId: string; photo: Photo; shown: boolean };

/** An optional photo, what it shows, and whether it is printed. */
export function PhotoField({ cvId, photo, shown }: PhotoFieldProps) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { busy, fault, choose } = usePhotoUpload(cvId, photo);
  return (
    <fieldset className="cv-options cv-photo">
      <legend className="field__label">{t("photo.title")}</legend>
      <p className="cv-quiet">{t("photo.hint")}</p>
      <Notice kind="error">{fault && t(`photo.${fault}`)}</Notice>
      {photo !== null && (
        <>
          <label className="cv-check" htmlFor={`${id}-shown`}>
            <input
              id={`${id}-shown`}
              type="checkbox"
              checked={shown}
              onChange={({ target }) => edit(put("page/showPhoto", target.checked))}
            />
            {t("photo.show")}
          </label>
          <LineField
            path="profile/photo/alt"
            label={t("photo.alt")}
            hint={t("photo.altHint")}
            value={photo.alt}
          />
        </>
      )}
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        tabIndex={-1}
        aria-label={t("photo.choose")}
        onChange={({ target }) => {
          void choose(target.files?.[0]);
          target.value = "";
        }}
      />
      <div className="cv-actions">
        <Button disabled={busy} onClick={() => input.current?.click()}>
          {t(busy ? "photo.sending" : photo === null ? "photo.choose" : "photo.another")}
        </Button>
        {photo !== null && (
          <Button variant="text" onClick={() => edit(put("profile/photo", null))}>
            {t("photo.remove")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
