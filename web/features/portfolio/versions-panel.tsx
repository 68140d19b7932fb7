import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { useEditing } from "../documents/edit/editing.ts";
import { put } from "../documents/edit/edits.ts";
import { toaster } from "../toaster.ts";
import { useViewTexts } from "../view-texts.ts";
import {
  type PortfolioPage,
  type Version,
  versionQuery,
  versionsQuery,
} from "./portfolio-queries.ts";

type VersionsPanelProps = {
  page: PortfolioPage;
  /** The version that is looked at. */
  shown: number | undefined;
  onShow: (version: number | undefined) => void;
  saved: () => Promise<boolean>;
};

const parts = ["profile", "sections", "look", "cvId"] as const;

/** Restores a version by an edit, so that what is there now stays among the versions. */
function useRestore({ page: { language }, onShow, saved }: VersionsPanelProps) {
  const { t } = useTranslation("portfolio");
  const cache = useQueryClient();
  const { edit } = useEditing();
  const [busy, setBusy] = useState(false);
  const restore = async (version: number): Promise<void> => {
    setBusy(true);
    const found = await cache.query(versionQuery(language, version)).catch(() => undefined);
    if (found !== undefined) {
      for (const part of parts) edit(put(part, found.document[part]));
      onShow(undefined);
    }
    const done = found !== undefined && (await saved());
    setBusy(false);
    toaster.show({ text: t(done ? "versions.restored" : "failed") });
  };
  return { busy, restore };
}

type RowProps = {
  page: PortfolioPage;
  version: Version;
  isShown: boolean;
  busy: boolean;
  onShow: (version: number | undefined) => void;
  onRestore: () => void;
};

function Row({ page, version: { version, savedAt }, isShown, busy, onShow, onRestore }: RowProps) {
  const { t } = useTranslation("portfolio");
  const time = new Intl.DateTimeFormat(useLanguage(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: useAccount().profile.timeZone,
  });
  const title = time.format(new Date(savedAt));
  const isCurrent = version === page.version;
  const notes = [
    isCurrent && t("versions.current"),
    version === page.published?.version && t("versions.published"),
  ];
  return (
    <li className="cv-version" data-shown={isShown}>
      <div>
        <h2 className="cv-version__name">{title}</h2>
        <p className="cv-quiet">{notes.filter(Boolean).join(" · ")}</p>
      </div>
      {!isCurrent && (
        <div className="cv-actions">
          <Button
            variant="text"
            aria-pressed={isShown}
            onClick={() => onShow(isShown ? undefined : version)}
          >
            {t("versions.show")} <span className="visually-hidden">{title}</span>
          </Button>
          <Button disabled={busy} onClick={onRestore}>
            {t("versions.restore")} <span className="visually-hidden">{title}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

/** The versions that are kept: looked at and restored. */
export function VersionsPanel(props: VersionsPanelProps) {
  const { page, shown, onShow } = props;
  const { t } = useTranslation("portfolio");
  const versions = useQuery(versionsQuery(page.language));
  const { refetch } = versions;
  // Each saved edit is another version.
  useEffect(() => void refetch(), [page.version, refetch]);
  const { texts, describe } = useViewTexts(t("versions.loading"));
  const { busy, restore } = useRestore(props);
  return (
    <div className="cv-panel">
      <p className="cv-quiet">{t("versions.lead")}</p>
      <DataView
        query={versions}
        texts={texts}
        skeleton={<Skeleton shape="row" count={4} />}
        isEmpty={({ versions: all }) => all.length === 0}
        empty={{ title: t("versions.empty") }}
        describe={describe}
      >
        {({ versions: all }) => (
          <ul className="cv-versions">
            {all.map((version) => (
              <Row
                key={version.version}
                page={page}
                version={version}
                isShown={version.version === shown}
                busy={busy}
                onShow={onShow}
                onRestore={() => void restore(version.version)}
              />
            ))}
          </ul>
        )}
      </DataView>
    </div>
  );
}
