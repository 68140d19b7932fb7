import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { type PreviewTrouble, usePreview } from "../documents/use-preview.ts";
import { type CvDocument, drawnPages, type Preview, versionQuery } from "./cv-queries.ts";
import { Pages } from "./pages.tsx";

type SheetProps = { preview: Preview | undefined; trouble?: PreviewTrouble | undefined };

/** The pages, and what cannot be printed on them. */
function Sheet({ preview, trouble }: SheetProps) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const without = preview?.charactersWithoutGlyph ?? [];
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  return (
    <>
      <p className="cv-page__note" aria-live="polite">
        {trouble !== undefined && t(`page.${trouble}`)}
        {trouble === undefined &&
          preview !== undefined &&
          t("page.count", { count: preview.pages })}
      </p>
      {without.length > 0 && (
        <p className="cv-advice">
          {t("page.withoutGlyph", { characters: list.format(without), count: without.length })}
        </p>
      )}
      <div className="cv-page__sheet" aria-busy={preview === undefined}>
        {preview === undefined ? (
          <Skeleton shape="block" count={3} />
        ) : (
          <Pages drawing={preview.drawing} alt={t("page.alt", { count: preview.pages })} />
        )}
      </div>
    </>
  );
}

function EarlierVersion({ cvId, version }: { cvId: string; version: number }) {
  const earlier = useQuery(versionQuery(cvId, version));
  return <Sheet preview={earlier.data} trouble={earlier.isError ? "offline" : undefined} />;
}

function Current({ document }: { document: CvDocument }) {
  const { shown, trouble } = usePreview(document, drawnPages);
  return <Sheet preview={shown} trouble={trouble} />;
}

type PagePaneProps = {
  cvId: string;
  document: CvDocument;
  /** An earlier version that is looked at. */
  version: number | undefined;
};

/** The page as it will be printed: of what is typed, or of an earlier version. */
export function PagePane({ cvId, document, version }: PagePaneProps) {
  const { t } = useTranslation("cv");
  return (
    <section className="cv-page" aria-label={t("page.title")}>
      {version === undefined ? (
        <Current document={document} />
      ) : (
        <EarlierVersion cvId={cvId} version={version} />
      )}
    </section>
  );
}
