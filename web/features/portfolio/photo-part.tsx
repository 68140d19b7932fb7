import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { useEditing } from "../documents/edit/editing.ts";
import { put } from "../documents/edit/edits.ts";
import { LineField } from "../documents/edit/line-field.tsx";
import { PicturesButton, Thumbnail } from "./picture-parts.tsx";
import { usePictureUpload } from "./pictures.ts";
import type { PortfolioDocument } from "./portfolio-queries.ts";

/** An optional photo of the owner. */
export function PhotoPart({ photo }: { photo: PortfolioDocument["profile"]["photo"] }) {
  const { t } = useTranslation("portfolio");
  const { edit } = useEditing();
  const upload = usePictureUpload((file) =>
    edit(put("profile/photo", { file, alt: photo?.alt ?? "" })),
  );
  return (
    <fieldset className="pf-photo cv-field--wide">
      <legend className="field__label">{t("photo.title")}</legend>
      {photo !== null && (
        <div className="pf-photo__shown">
          <Thumbnail file={photo.file} />
          <LineField
            path="profile/photo/alt"
            label={t("photo.alt")}
            hint={t("photo.altHint")}
            value={photo.alt}
          />
        </div>
      )}
      <div className="pf-photo__acts">
        <PicturesButton
          label={t(photo === null ? "photo.choose" : "photo.another")}
          multiple={false}
          upload={upload}
        />
        {photo !== null && (
          <Button variant="text" onClick={() => edit(put("profile/photo", null))}>
            {t("photo.remove")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
