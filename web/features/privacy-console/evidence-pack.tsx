import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { fetchFile } from "../../api-client/account-api.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { saveFile } from "../save-file.ts";

/** Saves the proof of a request. A download by address could not ask who it is. */
export function EvidencePack({ requestId }: { requestId: string }) {
  const { t } = useTranslation("privacy-console");
  const language = useLanguage();
  const saving = useMutation({
    mutationFn: async () => {
      const path =
        `/api/console/privacy/requests/${requestId}/evidence?language=${language}` as const;
      const file = await fetchFile(path);
      if (file === undefined) throw new Error("There is no evidence");
      saveFile(file, `evidence-${requestId.slice(0, 8)}.zip`);
    },
  });
  return (
    <>
      <div className="privacy-review__acts">
        <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
          {t(saving.isPending ? "evidence.saving" : "evidence.save")}
        </Button>
      </div>
      <Notice kind="error">{saving.isError && t("evidence.failed")}</Notice>
    </>
  );
}
