import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { Reviewed } from "./console-queries.ts";
import { useCopyReview } from "./copy-review-queries.ts";

/** Leads to the review of a copy. */
export function CopyReviewLink({ requestId }: Pick<Reviewed, "requestId">) {
  const { t } = useTranslation("copy-review");
  return (
    <>
      <p>{t("waits")}</p>
      <Link className={buttonClass("solid")} to={`/console/privacy/requests/${requestId}/review`}>
        {t("open")}
      </Link>
    </>
  );
}

/** Approves a copy that is looked through also where no store demands it. */
export function ApproveForReview({ request }: { request: Reviewed }) {
  const { t } = useTranslation("copy-review");
  const { approve } = useCopyReview(request);
  const acting = useMutation({ mutationFn: approve });
  if (request.type !== "access") return null;
  const fault = acting.isError ? "failed" : acting.data;
  return (
    <>
      <Button disabled={acting.isPending} onClick={() => acting.mutate()}>
        {t("approve")}
      </Button>
      <Notice kind="error">{fault && t(`errors.${fault}`)}</Notice>
    </>
  );
}
