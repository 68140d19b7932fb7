import { useMutation } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../lazy-part.tsx";
import { useFaultText } from "../submission-form.tsx";
import { type Breach, type Of, useBreachActs } from "./breach-queries.ts";

// Loaded after what is decided by is shown.
const BreachForm = lazyPart(async () => (await import("./breach-form.tsx")).BreachForm);
const NoticeForm = lazyPart(async () => (await import("./notice-forms.tsx")).NoticeForm);

type Props = { breach: Breach };

/** One of the two notices: what was decided about it, and what comes next. */
function NoticeActs({ breach, of }: Props & { of: Of }) {
  const { t } = useTranslation("breaches");
  const [form, setForm] = useState<"decide" | "sent">();
  const state = breach[of];
  const reason = of === "authority" ? breach.authorityReason : breach.subjectsReason;
  const title = `breach-${of}`;
  return (
    <section className="breach__notice" aria-labelledby={title}>
      <h3 id={title}>{t(`act.${of}`)}</h3>
      <p>{t(`notice.${state}`)}</p>
      {reason !== null && (
        <p className="privacy-queue__quiet breach__text">
          <bdi>{reason}</bdi>
        </p>
      )}
      {form !== undefined && (
        <Suspense fallback={<Skeleton shape="block" count={1} />}>
          <NoticeForm kind={form} breach={breach} of={of} onDone={() => setForm(undefined)} />
        </Suspense>
      )}
      {form === undefined && state !== "sent" && breach.closedAt === null && (
        <div className="privacy-review__acts">
          {state === "to-send" && (
            <Button variant="solid" onClick={() => setForm("sent")}>
              {t("act.sent")} <span className="visually-hidden">{t(`act.${of}`)}</span>
            </Button>
          )}
          <Button onClick={() => setForm("decide")}>
            {t(state === "open" ? "act.decide" : "act.decideAgain")}{" "}
            <span className="visually-hidden">{t(`act.${of}`)}</span>
          </Button>
        </div>
      )}
    </section>
  );
}

const isSettled = (state: Breach[Of]): boolean => state === "sent" || state === "not-needed";

/** What an officer does about a breach: both notices, a correction, and its end. */
export function BreachActs({ breach }: Props) {
  const { t } = useTranslation("breaches");
  const [isCorrecting, setIsCorrecting] = useState(false);
  const { close } = useBreachActs(breach);
  const closing = useMutation({ mutationFn: close });
  const textOf = useFaultText();
  const fault = closing.isError ? ("failed" as const) : closing.data?.fault;
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    Promise.all([BreachForm.load(), NoticeForm.load()]).catch(() => undefined);
  }, []);
  if (isCorrecting)
    return (
      <Suspense fallback={<Skeleton shape="block" count={1} />}>
        <BreachForm breach={breach} onDone={() => setIsCorrecting(false)} />
      </Suspense>
    );
  const canClose = isSettled(breach.authority) && isSettled(breach.subjects);
  return (
    <section className="privacy-review__decide" aria-labelledby="breach-acts">
      <h2 id="breach-acts">{t("act.title")}</h2>
      <NoticeActs breach={breach} of="authority" />
      <NoticeActs breach={breach} of="subjects" />
      {breach.closedAt === null && (
        <div className="privacy-review__acts">
          <Button onClick={() => setIsCorrecting(true)}>{t("form.correctTitle")}</Button>
          {canClose && (
            <Button variant="solid" disabled={closing.isPending} onClick={() => closing.mutate()}>
              {t("act.close")}
            </Button>
          )}
        </div>
      )}
      <Notice kind="error">{fault !== undefined && textOf(fault)}</Notice>
    </section>
  );
}
