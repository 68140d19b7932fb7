import type { Page } from "@pro-talent/schemas/studio/page";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { accentColours, accents } from "./accents.ts";
import { useEditing } from "./edit/editing.ts";
import { put } from "./edit/edits.ts";

type OptionsProps<Value extends string> = {
  name: string;
  /** Where the document has it. */
  path: string;
  legend: string;
  values: readonly Value[];
  chosen: Value;
  label: (value: Value) => string;
  renderPicture?: (value: Value) => ReactNode;
};

/** One of a few, each with a picture where it has one. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
  const { name, path, legend, values, chosen, label, renderPicture } = props;
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
              onChange={() => edit(put(path, value))}
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
export function AccentOptions({ path, chosen }: { path: string; chosen: Page["accent"] }) {
  const { t } = useTranslation("cv");
  return (
    <Options
      name="accent"
      path={path}
      legend={t("look.accent")}
      values={accents}
      chosen={chosen}
      label={(accent) => t(`accents.${accent}`)}
      renderPicture={(accent) => (
        <svg className="cv-swatch" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="10" fill={accentColours[accent]} />
        </svg>
      )}
    />
  );
}
