import type { OwnLegalChange } from "@pro-talent/schemas/legal-changes/calls";
import { versionPath } from "@pro-talent/schemas/site/legal-history";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useLateTexts } from "../../late-texts.ts";
import { toaster } from "../../toaster.ts";

import "./legal-change-banner.css";

const legalChangesQuery = queryOptions({
  queryKey: ["account", "legal-changes"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/legal-changes", {})),
});

/** Records that it was read; the banner then goes, and with it the focus. */
function useAcknowledgement(changeId: string) {
  const { t } = useTranslation("legal-changes");
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () =>
      queryAnswer(
        accountApi().call("POST /api/privacy/legal-changes/:changeId/acknowledgement", {
          params: { changeId },
          body: {},
        }),
      ),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: legalChangesQuery.queryKey });
      toaster.show({ text: t("recorded") });
      document.getElementById("main")?.focus();
    },
  });
}

function Change({ changeId, document, version, summary, appliesNow, effectiveOn }: OwnLegalChange) {
  const { t } = useTranslation("legal-changes");
  const language = useLanguage();
  const acknowledging = useAcknowledgement(changeId);
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const isInEffect = appliesNow === version;
  const when = () => {
    if (effectiveOn === null) return t("undelivered");
    const date = format.format(Date.parse(effectiveOn));
    return t(isInEffect ? "inEffect" : "effectiveOn", { date });
  };
  return (
    <aside className="legal-change" aria-label={t(`label.${document}`)}>
      <p>
        <strong>{t(`title.${document}`)}</strong> <bdi>{summary[language]}</bdi>
      </p>
      <p>{when()}</p>
      <p className="legal-change__acts">
        <a href={versionPath(document, version)}>{t("readNew")}</a>
        {!isInEffect && (
          <a href={appliesNow === null ? `/${document}` : versionPath(document, appliesNow)}>
            {t("readNow")}
          </a>
        )}
        <Button disabled={acknowledging.isPending} onClick={() => acknowledging.mutate()}>
          {t("acknowledge")}
        </Button>
      </p>
      <Notice kind="error">{acknowledging.isError && t("failed")}</Notice>
    </aside>
  );
}

/** Above every page of an account, until its holder confirms that they have read about a change. */
export function LegalChangeBanner() {
  const { data } = useQuery(legalChangesQuery);
  const unread = data?.changes.filter(({ acknowledged }) => !acknowledged) ?? [];
  const hasTexts = useLateTexts("legal-changes", unread.length > 0);
  if (!hasTexts) return null;
  return unread.map((change) => <Change key={change.changeId} {...change} />);
}
