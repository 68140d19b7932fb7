import type { CvState } from "@pro-talent/schemas/studio/calls";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button } from "../ui/button/button.tsx";
import { DataView } from "../ui/data-view/data-view.tsx";
import { Skeleton } from "../ui/skeleton/skeleton.tsx";
import { useCvLinks } from "./cv-links.tsx";
import { useLateTexts } from "./late-texts.ts";
import { lazyPart } from "./lazy-part.tsx";
import { isNotIncluded } from "./link-opens.ts";
import { LinkList } from "./links/link-list.tsx";
import type { ShareLink } from "./links/link-queries.ts";
import { toaster } from "./toaster.ts";
import { useViewTexts } from "./view-texts.ts";

const CreateLink = lazyPart(async () => (await import("./links/create-link.tsx")).CreateLink);

type Shared = Pick<CvState, "cvId" | "title">;
type SharePanelProps = {
  cv: Shared;
  /** Saves what is not saved yet. @returns whether it is saved */
  saved: () => Promise<boolean>;
};

/** Asks for a link to the CV as it is on the screen; what was made is shown until it is closed. */
function useSharing({ cv, saved }: SharePanelProps) {
  const { t } = useTranslation("cv");
  const [creating, setCreating] = useState(false);
  const begin = async (): Promise<void> => {
    if (await saved()) setCreating(true);
    else toaster.show({ text: t("share.unsaved") });
  };
  return {
    button: (
      <Button variant="solid" onClick={() => void begin()}>
        {t("share.action")}
      </Button>
    ),
    dialog: (
      <Suspense fallback={null}>
        {creating && (
          <CreateLink cv={{ ...cv, version: null }} onClose={() => setCreating(false)} />
        )}
      </Suspense>
    ),
  };
}

const isOpen = ({ status }: ShareLink): boolean => status === "active";

/** The links that lead to a CV, with their opens. */
function CvLinks(props: SharePanelProps) {
  const { cv } = props;
  const { t } = useTranslation("cv");
  const { links, insights, isIncomplete } = useCvLinks();
  const { texts, describe } = useViewTexts(t("share.loading"));
  const [openOnly, setOpenOnly] = useState(false);
  const own = (all: readonly ShareLink[]): ShareLink[] =>
    all.filter((link) => link.cv?.cvId === cv.cvId);
  const shown = (all: readonly ShareLink[]): ShareLink[] =>
    own(all).filter((link) => !openOnly || isOpen(link));
  const mine = own(links.data?.links ?? []);
  const hasClosed = openOnly || mine.some((link) => !isOpen(link));
  const sharing = useSharing(props);
  return (
    <div className="cv-panel">
      <p className="cv-quiet">{t("share.lead")}</p>
      {isNotIncluded(insights.error) && (
        <p className="cv-quiet">
          {t("share.notIncluded")} <Link to="/account/subscription">{t("share.plans")}</Link>
        </p>
      )}
      {mine.length > 0 && (
        <div className="cv-actions">
          {sharing.button}
          {hasClosed && (
            <Button aria-pressed={openOnly} onClick={() => setOpenOnly(!openOnly)}>
              {t("share.openOnly")}
            </Button>
          )}
        </div>
      )}
      <DataView
        query={links}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={({ links: all }) => shown(all).length === 0}
        empty={{ title: t("share.empty"), body: t("share.emptyBody"), action: sharing.button }}
        filter={
          openOnly
            ? {
                title: t("share.noneOpen"),
                body: t("share.noneOpenBody"),
                onClear: () => setOpenOnly(false),
              }
            : undefined
        }
        describe={describe}
        partial={() => (isIncomplete ? t("share.incomplete") : undefined)}
      >
        {({ links: all }) => <LinkList links={shown(all)} insights={insights.data} narrow />}
      </DataView>
      {sharing.dialog}
    </div>
  );
}

/** Shares a CV, and shows what became of it. */
export function CvSharePanel(props: SharePanelProps) {
  return useLateTexts("links") ? <CvLinks {...props} /> : <Skeleton shape="block" count={2} />;
}
