import type { Page } from "@pro-talent/schemas/studio/page";
import { useTranslation } from "react-i18next";

import { AccentOptions, Options } from "../../documents/options.tsx";
import type { CvDocument } from "../cv-queries.ts";
import { TemplatePicture } from "../template-picture.tsx";
import { PhotoField } from "./photo-field.tsx";

const templates = [
  "classic",
  "rail",
  "compact",
  "editorial",
] as const satisfies readonly Page["template"][];
const densities = ["dense", "normal", "airy"] as const satisfies readonly Page["density"][];
const fonts = [
  "serif",
  "humanist",
  "grotesque",
  "mixed",
] as const satisfies readonly Page["fonts"][];
const sizes = ["a4", "us"] as const satisfies readonly Page["size"][];

/** How the CV is set. None of it changes what is written. */
export function LookPanel({ cvId, document }: { cvId: string; document: CvDocument }) {
  const { t } = useTranslation("cv");
  const { page, language, profile } = document;
  return (
    <div className="cv-look">
      <Options
        name="template"
        path="page/template"
        legend={t("look.template")}
        values={templates}
        chosen={page.template}
        label={(template) => t(`templates.${template}`)}
        renderPicture={(template) => (
          <TemplatePicture template={template} accent={page.accent} rtl={language === "he"} />
        )}
      />
      <AccentOptions path="page/accent" chosen={page.accent} />
      <Options
        name="fonts"
        path="page/fonts"
        legend={t("look.fonts")}
        values={fonts}
        chosen={page.fonts}
        label={(pair) => t(`fonts.${pair}`)}
      />
      <Options
        name="density"
        path="page/density"
        legend={t("look.density")}
        values={densities}
        chosen={page.density}
        label={(density) => t(`densities.${density}`)}
      />
      <Options
        name="size"
        path="page/size"
        legend={t("look.size")}
        values={sizes}
        chosen={page.size}
        label={(size) => t(`sizes.${size}`)}
      />
      <PhotoField cvId={cvId} photo={profile.photo} shown={page.showPhoto} />
    </div>
  );
}
