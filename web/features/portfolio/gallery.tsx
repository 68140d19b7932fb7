import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { idOf, useEditing } from "../documents/edit/editing.ts";
import { add, newId } from "../documents/edit/edits.ts";
import { LineField } from "../documents/edit/line-field.tsx";
import { OrderMenu } from "../documents/edit/order-menu.tsx";
import { useRemoval } from "../documents/edit/use-removal.ts";
import { PicturesButton, Thumbnail } from "./picture-parts.tsx";
import { usePictureUpload } from "./pictures.ts";
import type { Picture } from "./portfolio-queries.ts";

type PictureFieldsProps = {
  list: string;
  picture: Picture;
  index: number;
  count: number;
  previous: string | undefined;
};

function PictureFields({ list, picture, index, count, previous }: PictureFieldsProps) {
  const { t } = useTranslation("portfolio");
  const removeSafely = useRemoval();
  const path = `${list}/${picture.id}`;
  const name = picture.alt.slice(0, 40) || t("pictures.name", { place: index + 1 });
  return (
    <li className="pf-picture">
      <Thumbnail file={picture.file} />
      <div className="pf-picture__words">
        <LineField
          path={`${path}/alt`}
          label={t("pictures.alt")}
          value={picture.alt}
          input={{ maxLength: portfolioLimits.altCharsMax }}
        />
        <LineField
          path={`${path}/caption`}
          label={t("pictures.caption")}
          value={picture.caption}
          input={{ maxLength: portfolioLimits.captionCharsMax }}
        />
      </div>
      <OrderMenu
        list={list}
        id={picture.id}
        index={index}
        count={count}
        name={name}
        onRemove={() => removeSafely(list, picture, { previous, name })}
      />
    </li>
  );
}

type GalleryProps = { path: string; pictures: readonly Picture[] };

/** The pictures of a project in their order, each with what it shows. */
export function Gallery({ path, pictures }: GalleryProps) {
  const { t } = useTranslation("portfolio");
  const { edit } = useEditing();
  const first = useRef<string>(undefined);
  const space = portfolioLimits.picturesMax - pictures.length;
  const upload = usePictureUpload((file) => {
    const id = newId();
    first.current ??= id;
    edit(add(path, { id, file, alt: "", caption: "" }));
  });
  const { progress } = upload;
  // What a picture shows is asked for at once: the focus is in the first new field when all are there.
  useEffect(() => {
    if (progress !== undefined || first.current === undefined) return;
    document.getElementById(idOf(`${path}/${first.current}/alt`))?.focus();
    first.current = undefined;
  }, [path, progress]);
  return (
    <fieldset className="pf-gallery cv-field--wide">
      <legend className="field__label">{t("pictures.title")}</legend>
      <p className="cv-quiet">{t("pictures.hint", { max: portfolioLimits.picturesMax })}</p>
      {pictures.length > 0 && (
        <ul className="pf-gallery__list">
          {pictures.map((picture, index) => (
            <PictureFields
              key={picture.id}
              list={path}
              picture={picture}
              index={index}
              count={pictures.length}
              previous={pictures[index - 1]?.id}
            />
          ))}
        </ul>
      )}
      <PicturesButton
        label={t("pictures.add")}
        multiple
        max={space}
        disabled={space <= 0}
        upload={upload}
      />
    </fieldset>
  );
}
