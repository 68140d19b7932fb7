import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useNarrow } from "../documents/use-narrow.ts";
import { usePreview } from "../documents/use-preview.ts";
import { drawnPage, type PortfolioDocument, versionQuery } from "./portfolio-queries.ts";
import { type Device, PreviewFrame } from "./preview-frame.tsx";

const devices = ["desktop", "phone"] as const satisfies readonly Device[];

type SheetProps = { html: string | undefined; trouble?: "offline" | "not-drawn" | undefined };

/** The page at the width of a device. */
function Sheet({ html, trouble }: SheetProps) {
  const { t } = useTranslation("portfolio");
  const narrow = useNarrow();
  const [chosen, setChosen] = useState<Device>();
  const device = chosen ?? (narrow ? "phone" : "desktop");
  return (
    <>
      <div className="pf-preview__head">
        <p className="cv-page__note" aria-live="polite">
          {trouble === undefined ? t("preview.note") : t(`preview.${trouble}`)}
        </p>
        <div className="cv-actions">
          {devices.map((one) => (
            <Button
              key={one}
              variant="text"
              aria-pressed={one === device}
              onClick={() => setChosen(one)}
            >
              {t(`preview.${one}`)}
            </Button>
          ))}
        </div>
      </div>
      <div className="pf-preview__sheet" aria-busy={html === undefined}>
        {html === undefined ? (
          <Skeleton shape="block" count={3} />
        ) : (
          <PreviewFrame html={html} title={t("preview.title")} device={device} />
        )}
      </div>
    </>
  );
}

type EarlierProps = { document: PortfolioDocument; version: number };

function EarlierVersion({ document: { language }, version }: EarlierProps) {
  const cache = useQueryClient();
  const earlier = useQuery({
    queryKey: ["portfolio-versions", language, version, "drawn"],
    queryFn: async () => {
      const { document } = await cache.query(versionQuery(language, version));
      return drawnPage(cache, document);
    },
    staleTime: Infinity,
  });
  return <Sheet html={earlier.data} trouble={earlier.isError ? "offline" : undefined} />;
}

function Current({ document }: { document: PortfolioDocument }) {
  const cache = useQueryClient();
  const draw = useCallback((one: PortfolioDocument) => drawnPage(cache, one), [cache]);
  const { shown, trouble } = usePreview(document, draw);
  return <Sheet html={shown} trouble={trouble} />;
}

type PreviewPaneProps = {
  document: PortfolioDocument;
  /** An earlier version that is looked at. */
  version: number | undefined;
};

/** The page as readers will see it: of what is typed, or of an earlier version. */
export function PreviewPane({ document, version }: PreviewPaneProps) {
  const { t } = useTranslation("portfolio");
  return (
    <section className="pf-preview" aria-label={t("preview.title")}>
      {version === undefined ? (
        <Current document={document} />
      ) : (
        <EarlierVersion document={document} version={version} />
      )}
    </section>
  );
}
