import type { Page } from "@pro-talent/schemas/studio/page";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import type { CvDocument } from "../cv-queries.ts";
import { useEditing } from "../edit/editing.ts";
import { put } from "../edit/edits.ts";
import { accentColours, TemplatePicture } from "../template-picture.tsx";
import { PhotoField } from "./photo-field.tsx";

const templates = [
  "classic",
  "rail",
  "compact",
  "editorial",
] as const satisfies readonly Page["template"][];
const accents = [
  "ink",
  "blue",
  "teal",
  "green",
  "burgundy",
  "plum",
  "rust",
] as const satisfies readonly Page["accent"][];
const densities = ["dense", "normal", "airy"] as const satisfies readonly Page["density"][];
const fonts = [
  "serif",
  "humanist",
  "grotesque",
  "mixed",
] as const satisfies readonly Page["fonts"][];
const sizes = ["a4", "us"] as const satisfies readonly Page["size"][];

type OptionsProps<Value extends string> = {
  name: string;
  legend: string;
  values: readonly Value[];
  chosen: Value;
  label: (value: Value) => string;
  renderPicture?: (value: Value) => ReactNode;
};

/** One of a few, each with a picture where it has one. */
function Options<Value extends string>(props: OptionsProps<Value>) {
  const { name, legend, values, chosen, label, renderPicture } = props;
  const { edit } = useEditing();
  return (
    <fieldset className={`cv-options cv-options--${name}`}>
      <legend className="field__label">{legend}</legend>
      <div className="cv-options__list">
        {values.map((value) => (
          <label key={value} className="cv-option" htmlFor={`cv-${name}-${value}`}>
            <input
              className="cv-option__box"
              type="radio"
              id={`cv-${name}-${value}`}
              name={`cv-${name}`}
              value={value}
              checked={value === chosen}
              onChange={() => edit(put(`page/${name}`, value))}
            />
            {renderPicture?.(value)}
            <span>{label(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A colour of paper, the same in both themes. */
function Swatch({ accent }: { accent: Page["accent"] }) {
  return (
    <svg className="cv-swatch" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="10" fill={accentColours[accent]} />
    </svg>
  );
}

/** How the CV is set. None of it changes what is written. */
export function LookPanel({ cvId, document }: { cvId: string; document: CvDocument }) {
  const { t } = useTranslation("cv");
  const { page, language, profile } = document;
  return (
    <div className="cv-look">
      <Options
        name="template"
        legend={t("look.template")}
        values={templates}
        chosen={page.template}
        label={(template) => t(`templates.${template}`)}
        renderPicture={(template) => (
          <TemplatePicture template={template} accent={page.accent} rtl={language === "he"} />
        )}
      />
      <Options
        name="accent"
        legend={t("look.accent")}
        values={accents}
        chosen={page.accent}
        label={(accent) => t(`accents.${accent}`)}
        renderPicture={(accent) => <Swatch accent={accent} />}
      />
      <Options
        name="fonts"
        legend={t("look.fonts")}
        values={fonts}
        chosen={page.fonts}
        label={(pair) => t(`fonts.${pair}`)}
      />
      <Options
        name="density"
        legend={t("look.density")}
        values={densities}
        chosen={page.density}
        label={(density) => t(`densities.${density}`)}
      />
      <Options
        name="size"
        legend={t("look.size")}
        values={sizes}
        chosen={page.size}
        label={(size) => t(`sizes.${size}`)}
      />
      <PhotoField cvId={cvId} photo={profile.photo} shown={page.showPhoto} />
    </div>
  );
}
