import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { AccentOptions, Options } from "../documents/options.tsx";
import { type PortfolioDocument, themeQuery } from "./portfolio-queries.ts";
import { PreviewFrame } from "./preview-frame.tsx";

type Theme = PortfolioDocument["look"]["theme"];
const themes = [
  "folio",
  "index",
  "atelier",
  "margin",
  "poster",
] as const satisfies readonly Theme[];

/** The own page in a theme. Decorative: its name stands below it. */
function ThemePicture({ document, theme }: { document: PortfolioDocument; theme: Theme }) {
  const cache = useQueryClient();
  const page = useQuery(themeQuery(cache, document, theme));
  return (
    <span className="pf-theme" inert aria-hidden="true">
      {page.data !== undefined && <PreviewFrame html={page.data} title="" device="desktop" />}
    </span>
  );
}

type LookPanelProps = { document: PortfolioDocument; mayCustomize: boolean };

/** How the page is set. None of it changes what is written. */
export function LookPanel({ document, mayCustomize }: LookPanelProps) {
  const { t } = useTranslation("portfolio");
  const { look } = document;
  return (
    <div className="cv-panel">
      {!mayCustomize && (
        <p className="pf-plan">
          {t("look.plan")} <Link to="/account/subscription">{t("look.planAction")}</Link>
        </p>
      )}
      <Options
        name="theme"
        path="look/theme"
        legend={t("look.theme")}
        values={themes}
        chosen={look.theme}
        label={(theme) => t(`themes.${theme}`)}
        renderPicture={(theme) => <ThemePicture document={document} theme={theme} />}
      />
      <AccentOptions path="look/accent" chosen={look.accent} />
      <p className="cv-quiet">{t("look.schemes")}</p>
    </div>
  );
}
