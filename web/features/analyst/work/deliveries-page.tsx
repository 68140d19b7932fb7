import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import { useViewTexts } from "../../view-texts.ts";
import { deliveriesQuery, type Delivery } from "./work-queries.ts";
import { codeOf, pathOf, placeName, useRefusalText, useWorkTexts } from "./work-texts.ts";

import "./work.css";
import "./deliveries.css";

const PlanDialog = lazy(async () => ({
  default: (await import("./plan-dialog.tsx")).PlanDialog,
}));

/** Sends, pauses, resumes and ends deliveries. */
function useDeliveryActs() {
  const { t } = useTranslation("analyst-work");
  const cache = useQueryClient();
  const refusal = useRefusalText();
  const { call } = accountApi();
  const said = async (answer: Promise<unknown>, done: string): Promise<void> => {
    try {
      await answer;
      await cache.invalidateQueries({ queryKey: deliveriesQuery.queryKey });
      toaster.show({ text: done });
    } catch (error) {
      toaster.show({ text: refusal(codeOf(error)) });
    }
  };
  const base = "/api/console/analyst/work/deliveries/:deliveryId";
  return {
    send: ({ deliveryId }: Delivery, title: string) =>
      said(
        queryAnswer(call(`POST ${base}/send`, { params: { deliveryId } })),
        t("deliveries.sending", { title }),
      ),
    pause: ({ deliveryId }: Delivery, title: string) =>
      said(
        queryAnswer(call(`POST ${base}/pause`, { params: { deliveryId } })),
        t("deliveries.pausedDone", { title }),
      ),
    resume: ({ deliveryId }: Delivery, title: string) =>
      said(
        queryAnswer(call(`POST ${base}/resume`, { params: { deliveryId } })),
        t("deliveries.resumedDone", { title }),
      ),
    end: ({ deliveryId }: Delivery, title: string) =>
      said(
        queryAnswer(call(`DELETE ${base}`, { params: { deliveryId } })),
        t("deliveries.ended", { title }),
      ),
  };
}

/** One is being sent; after these minutes it was given up, or waits for something else. */
const underWayMs = 5 * 60_000;
const isUnderWay = ({ last }: Delivery): boolean =>
  last?.outcome === null && Date.now() - Date.parse(last.dueAt) < underWayMs;

/** Its outcome is asked for until it is there. */
const followEveryMs = 2000;

/** What became of the last one. */
function Last({ last }: Pick<Delivery, "last">) {
  const { t } = useTranslation("analyst-work");
  const { time } = useWorkTexts();
  if (last === null) return t("deliveries.last.none");
  return t(`deliveries.last.${last.outcome ?? "working"}`, { time: time(last.dueAt) });
}

type RowProps = { delivery: Delivery; onChange: () => void; onEnd: () => void };

/** What its owner can do with it. One that was paused for another reason than that cannot be sent. */
function RowActs({ delivery, onChange, onEnd, name }: RowProps & { name: string }) {
  const { t } = useTranslation("analyst-work");
  const acts = useDeliveryActs();
  const { paused } = delivery;
  const named = { title: name };
  return (
    <div className="work-acts">
      {(paused === null || paused === "by-owner") && (
        <Button
          aria-label={t("deliveries.sendOf", named)}
          onClick={() => void acts.send(delivery, name)}
        >
          {t("deliveries.send")}
        </Button>
      )}
      <Button
        aria-label={t(paused === null ? "deliveries.pauseOf" : "deliveries.resumeOf", named)}
        onClick={() => void acts[paused === null ? "pause" : "resume"](delivery, name)}
      >
        {t(paused === null ? "deliveries.pause" : "deliveries.resume")}
      </Button>
      <Button aria-label={t("deliveries.changeOf", named)} onClick={onChange}>
        {t("deliveries.change")}
      </Button>
      <Button variant="text" aria-label={t("deliveries.endOf", named)} onClick={onEnd}>
        {t("deliveries.end")}
      </Button>
    </div>
  );
}

function Row(props: RowProps) {
  const { delivery } = props;
  const { t } = useTranslation("analyst-work");
  const { time, schedule: words, timeZone } = useWorkTexts();
  const { of, title, schedule, paused, nextAt, last, lastDays } = delivery;
  const name = isolated(title ?? t("deliveries.unavailable"));
  return (
    <li className="delivery" data-paused={paused !== null}>
      <div className="delivery__what">
        <p className="delivery__schedule">{words(schedule)}</p>
        <p>
          {title === null ? (
            t("deliveries.unavailable")
          ) : (
            <>
              {t(`deliveries.kinds.${of.kind}`)} <Link to={pathOf(of)}>{<bdi>{title}</bdi>}</Link>
            </>
          )}
          {", "}
          {t("deliveries.about", { count: lastDays })}
        </p>
        {schedule.zone !== timeZone && (
          <p className="work-quiet">
            {t("deliveries.zone", { zone: isolated(placeName(schedule.zone)) })}
          </p>
        )}
      </div>
      <div className="delivery__when">
        <p>
          {paused === null
            ? nextAt !== null && t("deliveries.next", { time: time(nextAt) })
            : t(`deliveries.paused.${paused}`)}
        </p>
        <output className="work-quiet">
          <Last last={last} />
        </output>
      </div>
      <RowActs {...props} name={name} />
    </li>
  );
}

type EndDialogProps = { delivery: Delivery; onClose: () => void };

function EndDialog({ delivery, onClose }: EndDialogProps) {
  const { t } = useTranslation("analyst-work");
  const { end } = useDeliveryActs();
  const title = isolated(delivery.title ?? t("deliveries.unavailable"));
  return (
    <ConfirmDialog
      title={t("deliveries.endTitle", { title })}
      texts={{
        confirm: t("deliveries.end"),
        keep: t("deliveries.endKeep"),
        close: t("close"),
      }}
      onConfirm={() => {
        onClose();
        void end(delivery, title);
      }}
      onClose={onClose}
    >
      <p>{t("deliveries.endBody")}</p>
    </ConfirmDialog>
  );
}

type Opened = { kind: "plan"; delivery?: Delivery } | { kind: "end"; delivery: Delivery };

/** `/console/analyst/deliveries`; `?of=` names the work for which one is planned. */
export function DeliveriesPage() {
  const { t } = useTranslation("analyst-work");
  const [search, setSearch] = useSearchParams();
  const of = search.get("of");
  const deliveries = useQuery({
    ...deliveriesQuery,
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(isUnderWay) === true && followEveryMs,
  });
  const { texts, describe } = useViewTexts(t("loading"));
  const [opened, setOpened] = useState<Opened | undefined>(
    of === null ? undefined : { kind: "plan" },
  );
  const close = (): void => {
    setOpened(undefined);
    if (of !== null) setSearch({}, { replace: true });
  };
  const plan = (
    <Button variant="solid" onClick={() => setOpened({ kind: "plan" })}>
      {t("deliveries.new")}
    </Button>
  );
  const hasSome = (deliveries.data?.deliveries.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title={t("deliveries.title")}
        lead={t("deliveries.lead")}
        actions={hasSome && plan}
      />
      <DataView
        query={deliveries}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={() => !hasSome}
        empty={{ title: t("deliveries.empty"), body: t("deliveries.emptyBody"), action: plan }}
        describe={describe}
      >
        {({ deliveries: all }) => (
          <ul className="work-list" aria-label={t("deliveries.list")}>
            {all.map((delivery) => (
              <Row
                key={delivery.deliveryId}
                delivery={delivery}
                onChange={() => setOpened({ kind: "plan", delivery })}
                onEnd={() => setOpened({ kind: "end", delivery })}
              />
            ))}
          </ul>
        )}
      </DataView>
      <Suspense>
        {opened?.kind === "plan" && (
          <PlanDialog delivery={opened.delivery} chosen={of ?? ""} onClose={close} />
        )}
        {opened?.kind === "end" && <EndDialog delivery={opened.delivery} onClose={close} />}
      </Suspense>
    </>
  );
}
