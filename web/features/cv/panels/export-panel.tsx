import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import type { Finding } from "../../documents/edit/checks.ts";
import { usePathWords } from "../../documents/edit/path-words.ts";
import { lazyPart } from "../../lazy-part.tsx";
import { toaster } from "../../toaster.ts";
import { checkQuery, type CvDocument, type CvState } from "../cv-queries.ts";
import { download, type Format, formats } from "../download.ts";

const MachineCheck = lazyPart(async () => (await import("./machine-check.tsx")).MachineCheck);

type ExportPanelProps = {
  /** As it is saved, and as it is on the screen. */
  cv: CvState;
  document: CvDocument;
  findings: readonly Finding[];
  /** Saves what is not saved yet. @returns whether it is saved */
  saved: () => Promise<boolean>;
};

function Findings({ document, findings }: Pick<ExportPanelProps, "document" | "findings">) {
  const { t } = useTranslation(["cv", "cv-checks"]);
  const words = usePathWords(document);
  return (
    <section className="cv-panel__part" aria-labelledby="cv-findings">
      <h2 id="cv-findings">{t("export.findings", { count: findings.length })}</h2>
      {findings.length === 0 ? (
        <p>{t("export.noFindings")}</p>
      ) : (
        <ul className="cv-findings">
          {findings.map(({ path, code }) => (
            <li key={`${path} ${code}`}>
              <strong>
                <bdi>{words(path)}</bdi>
              </strong>
              <span>{t(`cv-checks:at.${code}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Files({
  cv,
  saved,
  recommended,
}: Pick<ExportPanelProps, "cv" | "saved"> & {
  recommended: Format | undefined;
}) {
  const { t } = useTranslation("cv");
  const [busy, setBusy] = useState<Format>();
  const get = async (format: Format): Promise<void> => {
    setBusy(format);
    const ready = await saved();
    const done = ready && (await download(cv.cvId, cv.title, format));
    setBusy(undefined);
    if (!done) toaster.show({ text: t(ready ? "export.failed" : "export.unsaved") });
  };
  return (
    <ul className="cv-files">
      {formats.map((format) => (
        <li key={format} className="cv-file" data-recommended={format === recommended}>
          <div>
            <h3 className="cv-file__name">
              {t(`formats.${format}.name`)}
              {format === recommended && (
                <span className="cv-file__mark">{t("export.recommended")}</span>
              )}
            </h3>
            <p className="cv-quiet">
              {t(`formats.${format}.for`)}
              {format === recommended && ` ${t(`export.why.${cv.language}`)}`}
            </p>
          </div>
          <Button
            variant={format === recommended ? "solid" : "outline"}
            disabled={busy !== undefined}
            onClick={() => void get(format)}
          >
            {t(busy === format ? "export.making" : "export.download")}{" "}
            <span className="visually-hidden">{t(`formats.${format}.name`)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The files, what may be worth a look before, and what programs read from them. */
export function ExportPanel({ cv, document, findings, saved }: ExportPanelProps) {
  const { t } = useTranslation("cv");
  const check = useQuery(checkQuery(cv.cvId, cv.version));
  return (
    <div className="cv-panel">
      <section className="cv-panel__part" aria-labelledby="cv-files">
        <h2 id="cv-files">{t("export.files")}</h2>
        <Files cv={cv} saved={saved} recommended={check.data?.recommended} />
      </section>
      <Findings document={document} findings={findings} />
      <section className="cv-panel__part" aria-labelledby="cv-check">
        <h2 id="cv-check">{t("check.title")}</h2>
        <p className="cv-quiet">{t("check.lead")}</p>
        <Suspense fallback={<Skeleton count={4} />}>
          <MachineCheck cv={cv} />
        </Suspense>
      </section>
    </div>
  );
}
