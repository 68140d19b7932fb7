import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { type CvVersion, versionsQuery } from "../../cv-list.ts";
import { toaster } from "../../toaster.ts";
import { useViewTexts } from "../../view-texts.ts";
import { type CvState } from "../cv-queries.ts";
import { NameDialog } from "../list/name-dialog.tsx";

type VersionsPanelProps = {
  cv: CvState;
  /** The version whose page is shown. */
  shown: number | undefined;
  onShow: (version: number | undefined) => void;
  saved: () => Promise<boolean>;
  onRestored: (cv: CvState) => void;
};

/** What is done with versions; the list follows. */
function useVersionActs({ cv, saved, onRestored, onShow }: Omit<VersionsPanelProps, "shown">) {
  const { t } = useTranslation("cv");
  const cache = useQueryClient();
  const { cvId } = cv;
  const refresh = () => cache.invalidateQueries({ queryKey: versionsQuery(cvId).queryKey });
  const restore = async (version: number): Promise<void> => {
    const params = { cvId, version };
    const result = (await saved())
      ? await accountApi()
          .call("POST /api/cvs/:cvId/versions/:version/restore", { params })
          .catch(() => undefined)
      : undefined;
    if (result?.ok !== true || result.answer === undefined) {
      toaster.show({ text: t("failed") });
      return;
    }
    onRestored(result.answer.cv);
    onShow(undefined);
    toaster.show({ text: t("versions.restored") });
    await refresh();
  };
  const rename = async (version: number, name: string): Promise<boolean> => {
    const result = await accountApi()
      .call("PATCH /api/cvs/:cvId/versions/:version", {
        params: { cvId, version },
        body: { name: name === "" ? null : name },
      })
      .catch(() => undefined);
    if (result?.ok !== true) toaster.show({ text: t("failed") });
    await refresh();
    return result?.ok === true;
  };
  return { restore, rename };
}

type RowProps = {
  version: CvVersion;
  isCurrent: boolean;
  isShown: boolean;
  onShow: (version: number | undefined) => void;
  onName: () => void;
  onRestore: () => void;
};

function Row({ version, isCurrent, isShown, onShow, onName, onRestore }: RowProps) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const time = new Intl.DateTimeFormat(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: useAccount().profile.timeZone,
  });
  const at = time.format(new Date(version.savedAt));
  const title = version.name ?? at;
  return (
    <li className="cv-version" data-shown={isShown}>
      <div>
        <h2 className="cv-version__name">
          <bdi>{title}</bdi>
        </h2>
        <p className="cv-quiet">
          {version.name !== null && at}
          {isCurrent && ` ${t("versions.current")}`}
        </p>
      </div>
      <div className="cv-actions">
        {!isCurrent && (
          <Button
            variant="text"
            aria-pressed={isShown}
            onClick={() => onShow(isShown ? undefined : version.version)}
          >
            {t("versions.show")} <span className="visually-hidden">{title}</span>
          </Button>
        )}
        <Button variant="text" onClick={onName}>
          {t("versions.name")} <span className="visually-hidden">{title}</span>
        </Button>
        {!isCurrent && (
          <Button onClick={onRestore}>
            {t("versions.restore")} <span className="visually-hidden">{title}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

/** The versions that are kept: looked at, named and restored. */
export function VersionsPanel(props: VersionsPanelProps) {
  const { cv, shown, onShow } = props;
  const { t } = useTranslation("cv");
  const versions = useQuery(versionsQuery(cv.cvId));
  const { refetch } = versions;
  // Each saved edit is another version.
  useEffect(() => void refetch(), [cv.version, refetch]);
  const { texts, describe } = useViewTexts(t("versions.loading"));
  const { restore, rename } = useVersionActs(props);
  const [naming, setNaming] = useState<CvVersion>();
  return (
    <div className="cv-panel">
      <p className="cv-quiet">{t("versions.lead")}</p>
      <DataView
        query={versions}
        texts={texts}
        skeleton={<Skeleton shape="row" count={4} />}
        isEmpty={({ versions: all }) => all.length === 0}
        empty={{ title: t("versions.empty"), body: t("versions.emptyBody") }}
        describe={describe}
      >
        {({ versions: all }) => (
          <ul className="cv-versions">
            {all.map((version) => (
              <Row
                key={version.version}
                version={version}
                isCurrent={version.version === cv.version}
                isShown={version.version === shown}
                onShow={onShow}
                onName={() => setNaming(version)}
                onRestore={() => void restore(version.version)}
              />
            ))}
          </ul>
        )}
      </DataView>
      {naming !== undefined && (
        <NameDialog
          title={t("versions.nameTitle")}
          label={t("versions.nameLabel")}
          value={naming.name ?? ""}
          optional
          onName={(name) => rename(naming.version, name)}
          onClose={() => setNaming(undefined)}
        />
      )}
    </div>
  );
}
