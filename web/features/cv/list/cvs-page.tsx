import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router-dom";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../../lazy-part.tsx";
import { useViewTexts } from "../../view-texts.ts";
import { type CvSummary, cvsQuery, type Import } from "../cv-queries.ts";
import { CreateCv } from "./create-cv.tsx";
import { CvCard } from "./cv-card.tsx";

import "../../documents/documents.css";
import "../cv.css";
import "../../documents/edit/form.css";
import "../cv-look.css";
import "../cv-panels.css";

const ImportReview = lazyPart(
  async () => (await import("../import/import-review.tsx")).ImportReview,
);

type ShownProps = { cvs: readonly CvSummary[]; archived: boolean; cvsMax: number };

function Cards({ cvs, archived, cvsMax }: ShownProps) {
  const { t } = useTranslation("cv");
  const shown = cvs.filter(({ archivedAt }) => (archivedAt !== null) === archived);
  const byId = new Map(cvs.map((cv) => [cv.cvId, cv]));
  return (
    <>
      <ul className="cv-cards" aria-label={t(archived ? "archive.title" : "title")}>
        {shown.map((cv) => (
          <CvCard key={cv.cvId} cv={cv} other={byId.get(cv.otherLanguage ?? "")} />
        ))}
      </ul>
      <p className="cv-quiet">{t("quota", { count: cvs.length, max: cvsMax })}</p>
    </>
  );
}

function CreateButton({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation("cv");
  return (
    <Button variant="solid" onClick={onCreate}>
      {t("create.action")}
    </Button>
  );
}

type ArchiveSwitchProps = {
  cvs: readonly CvSummary[];
  archived: boolean;
  onShow: (part: "archived" | undefined) => void;
};

/** Shows what is archived, if anything is. */
function ArchiveSwitch({ cvs, archived, onShow }: ArchiveSwitchProps) {
  const { t } = useTranslation("cv");
  const count = cvs.filter(({ archivedAt }) => archivedAt !== null).length;
  if (count === 0 && !archived) return null;
  return (
    <p className="cv-actions">
      <Button aria-pressed={archived} onClick={() => onShow(archived ? undefined : "archived")}>
        {t("archive.show", { count })}
      </Button>
    </p>
  );
}

/** The CVs of the account, and how another one is begun. */
export function CvsPage() {
  const { t } = useTranslation("cv");
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const cvs = useQuery(cvsQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  const [creating, setCreating] = useState(false);
  const [imported, setImported] = useState<Import>();
  const archived = search.get("show") === "archived";
  const show = (part: "archived" | undefined): void =>
    setSearch(part === undefined ? {} : { show: part }, { replace: true });
  const all = cvs.data?.cvs ?? [];
  const create = <CreateButton onCreate={() => setCreating(true)} />;
  const open = (cvId: string): void => void navigate(`/cv/${cvId}`);
  if (imported !== undefined)
    return (
      <Suspense fallback={<Skeleton shape="block" count={3} />}>
        <ImportReview imported={imported} onMade={open} onLeave={() => setImported(undefined)} />
      </Suspense>
    );
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} actions={all.length > 0 && create} />
      <ArchiveSwitch cvs={all} archived={archived} onShow={show} />
      <DataView
        query={cvs}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={({ cvs: known }) =>
          known.every(({ archivedAt }) => (archivedAt !== null) !== archived)
        }
        empty={{ title: t("empty.title"), body: t("empty.body"), action: create }}
        filter={
          archived
            ? {
                title: t("archive.empty"),
                body: t("archive.emptyBody"),
                onClear: () => show(undefined),
              }
            : undefined
        }
        describe={describe}
      >
        {({ cvs: known, cvsMax }) => <Cards cvs={known} archived={archived} cvsMax={cvsMax} />}
      </DataView>
      {creating && (
        <CreateCv
          onClose={() => setCreating(false)}
          onMade={open}
          onRead={(read) => {
            setCreating(false);
            setImported(read);
          }}
        />
      )}
    </>
  );
}
