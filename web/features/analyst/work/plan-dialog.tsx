import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useAccount } from "../../account-query.ts";
import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import { type Chosen, chosenOf, ScheduleFields, scheduleOf } from "./schedule-fields.tsx";
import { deliveriesQuery, type Delivery, savedListQuery, type Summary } from "./work-queries.ts";
import { codeOf, placeName, useRefusalText, useWorkTexts } from "./work-texts.ts";

type SourceProps = { id: string; work: readonly Summary[]; chosen: string; error?: string };

/** Which query or dashboard is delivered. */
function Source({ id, work, chosen, error }: SourceProps) {
  const { t } = useTranslation("analyst-work");
  const options = (kind: Summary["kind"]) => work.filter((one) => one.kind === kind);
  return (
    <Field id={id} label={t("plan.of")} error={error}>
      {(control) => (
        <Select {...control} name="of" defaultValue={chosen} aria-required>
          <option value="">{t("plan.choose")}</option>
          {(["query", "dashboard"] as const).map((kind) =>
            options(kind).length === 0 ? null : (
              <optgroup key={kind} label={t(kind === "query" ? "plan.queries" : "plan.dashboards")}>
                {options(kind).map(({ workId, title }) => (
                  <option key={workId} value={workId}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ),
          )}
        </Select>
      )}
    </Field>
  );
}

/** What was chosen, as a sentence. */
function Sentence({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation("analyst-work");
  const { schedule } = useWorkTexts();
  const { email } = useAccount();
  return (
    <output className="plan__sentence">
      {t("plan.sentence", {
        schedule: schedule(scheduleOf(chosen)),
        zone: t("deliveries.zone", { zone: isolated(placeName(chosen.zone)) }),
        email: isolated(email),
        about: t("deliveries.about", { count: chosen.lastDays }),
      })}
    </output>
  );
}

/** Sends a plan. @returns why it was refused, as a text */
function usePlanning(delivery: Delivery | undefined) {
  const { t } = useTranslation("analyst-work");
  const cache = useQueryClient();
  const refusal = useRefusalText();
  const { time } = useWorkTexts();
  const { call } = accountApi();
  return async (work: Summary | undefined, chosen: Chosen): Promise<string | undefined> => {
    const plan = { schedule: scheduleOf(chosen), lastDays: chosen.lastDays };
    const of = { kind: work?.kind ?? "query", workId: work?.workId ?? "" };
    try {
      const { delivery: planned } = await queryAnswer(
        delivery === undefined
          ? call("POST /api/console/analyst/work/deliveries", { body: { of, ...plan } })
          : call("PUT /api/console/analyst/work/deliveries/:deliveryId", {
              params: { deliveryId: delivery.deliveryId },
              body: plan,
            }),
      );
      await cache.invalidateQueries({ queryKey: deliveriesQuery.queryKey });
      const next = planned.nextAt;
      toaster.show({
        text: next === null ? t("plan.changed") : t("plan.done", { time: time(next) }),
      });
      return undefined;
    } catch (error) {
      return refusal(codeOf(error));
    }
  };
}

type PlanDialogProps = {
  /** Undefined: a new one. */
  delivery: Delivery | undefined;
  /** The work that is chosen at first. */
  chosen: string;
  onClose: () => void;
};

/** Plans a delivery, or changes when it is sent. */
export function PlanDialog({ delivery, chosen: work, onClose }: PlanDialogProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const list = useQuery(savedListQuery);
  const { timeZone } = useWorkTexts();
  const [chosen, setChosen] = useState(() => chosenOf(delivery, timeZone));
  const [faults, setFaults] = useState<{ of?: string; time?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const plan = usePlanning(delivery);
  const offered = (list.data?.saved ?? []).filter(({ archivedAt }) => archivedAt === null);
  const send = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form).get("of");
    const found = offered.find(({ workId }) => workId === given);
    const missing = {
      ...(delivery === undefined && found === undefined ? { of: t("plan.ofRequired") } : {}),
      ...(chosen.time === "" ? { time: t("plan.timeRequired") } : {}),
    };
    setFaults(missing);
    const faulty = missing.of === undefined ? missing.time && "[type=time]" : "[name=of]";
    if (faulty !== undefined) return form.querySelector<HTMLElement>(faulty)?.focus();
    setBusy(true);
    const refused = await plan(found, chosen);
    setBusy(false);
    return refused === undefined ? onClose() : setFaults({ form: refused });
  };
  const isReady = delivery !== undefined || offered.length > 0;
  return (
    <Dialog
      title={t(delivery === undefined ? "plan.title" : "plan.changeTitle")}
      closeLabel={t("close")}
      onClose={onClose}
    >
      <form className="work-form" noValidate onSubmit={(event) => void send(event)}>
        {!isReady && list.isSuccess && <p>{t("plan.nothing")}</p>}
        {delivery === undefined && offered.length > 0 && (
          <Source
            id={`${id}-of`}
            work={offered}
            chosen={work}
            {...(faults.of === undefined ? {} : { error: faults.of })}
          />
        )}
        <ScheduleFields chosen={chosen} onChange={setChosen} timeFault={faults.time} />
        <Sentence chosen={chosen} />
        <Notice kind="error">{faults.form}</Notice>
        <div className="work-acts">
          <Button type="submit" variant="solid" disabled={busy || !isReady}>
            {t(delivery === undefined ? "plan.save" : "plan.saveChange")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
