import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../../i18n/use-language.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import { Menu } from "../../../ui/menu/menu.tsx";
import { useAccount } from "../../account-query.ts";
import { CvLinkLine } from "../../cv-links.tsx";
import type { CvSummary } from "../../cvs-query.ts";
import { isolated } from "../../isolated.ts";
import { pagesQuery } from "../cv-queries.ts";
import { formats } from "../download.ts";
import { Pages } from "../pages.tsx";
import { TemplatePicture } from "../template-picture.tsx";
import { useCvActs } from "./cv-acts.ts";
import { NameDialog } from "./name-dialog.tsx";

/** The first page; until it is drawn, its template. */
function FirstPage({ cv }: { cv: CvSummary }) {
  const pages = useQuery(pagesQuery(cv.cvId, cv.version));
  return (
    <div className="cv-card__page">
      {pages.data === undefined ? (
        <TemplatePicture template={cv.template} accent="ink" rtl={cv.language === "he"} />
      ) : (
        <Pages drawing={pages.data.drawing} />
      )}
    </div>
  );
}

type DialogName = "rename" | "delete";

function useMenu(cv: CvSummary, ask: (name: DialogName) => void) {
  const { t } = useTranslation("cv");
  const acts = useCvActs();
  const other = cv.language === "en" ? "he" : "en";
  const isArchived = cv.archivedAt !== null;
  const runs: Readonly<Record<string, () => void>> = {
    rename: () => ask("rename"),
    delete: () => ask("delete"),
    copy: () => void acts.duplicate(cv, cv.language),
    translate: () => void acts.duplicate(cv, other),
    archive: () => void (isArchived ? acts.restore(cv) : acts.archive(cv)),
    ...Object.fromEntries(formats.map((format) => [format, () => void acts.save(cv, format)])),
  };
  const groups = [
    {
      id: "files",
      title: t("card.download"),
      entries: formats.map((format) => ({ id: format, text: t(`formats.${format}.name`) })),
    },
    {
      id: "acts",
      entries: [
        { id: "rename", text: t("card.rename") },
        { id: "copy", text: t("copy.action") },
        ...(cv.otherLanguage === null ? [{ id: "translate", text: t("copy.in") }] : []),
        { id: "archive", text: t(isArchived ? "archive.restore" : "archive.action") },
      ],
    },
    { id: "delete", entries: [{ id: "delete", text: t("delete.action"), danger: true }] },
  ];
  return { groups, run: (id: string) => runs[id]?.() };
}

type DialogsProps = { cv: CvSummary; asked: DialogName | undefined; onClose: () => void };

/** Asks for another name, or before the CV is deleted. */
function Dialogs({ cv, asked, onClose }: DialogsProps) {
  const { t } = useTranslation("cv");
  const acts = useCvActs();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    await acts.remove(cv);
    setBusy(false);
    onClose();
  };
  if (asked === undefined) return null;
  return asked === "rename" ? (
    <NameDialog
      title={t("card.renameTitle")}
      label={t("name.label")}
      value={cv.title}
      onName={(title) => acts.rename(cv, title)}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      title={t("delete.title", { title: isolated(cv.title) })}
      texts={{ confirm: t("delete.confirm"), keep: t("delete.keep"), close: t("close") }}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t("delete.body")}</p>
    </ConfirmDialog>
  );
}

/** One CV of the list: its first page, what it is, and what can be done with it. */
export function CvCard({ cv, other }: { cv: CvSummary; other: CvSummary | undefined }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const [asked, setAsked] = useState<DialogName>();
  const { groups, run } = useMenu(cv, setAsked);
  const time = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
  const named = { title: isolated(cv.title) };
  return (
    <li className="cv-card">
      <FirstPage cv={cv} />
      <div className="cv-card__words">
        <h2 className="cv-card__title">
          <Link to={`/cv/${cv.cvId}`}>
            <bdi>{cv.title}</bdi>
          </Link>
        </h2>
        <p className="cv-quiet">
          {t(`languages.${cv.language}`)} · {t(`templates.${cv.template}`)}
          <br />
          {t("card.saved", { time: time.format(new Date(cv.savedAt)) })}
        </p>
        <CvLinkLine cvId={cv.cvId} title={cv.title} />
        {other !== undefined && (
          <p className="cv-quiet">
            <Link to={`/cv/${other.cvId}`}>
              {t("card.other")} <bdi>{other.title}</bdi>
            </Link>
          </p>
        )}
      </div>
      <div className="cv-card__menu">
        <Menu variant="text" label={t("card.menuOf", named)} groups={groups} onAction={run}>
          <AppIcon name="ellipsis" />
        </Menu>
      </div>
      <Dialogs cv={cv} asked={asked} onClose={() => setAsked(undefined)} />
    </li>
  );
}
