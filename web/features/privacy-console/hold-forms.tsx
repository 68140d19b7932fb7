import { holdReasons } from "@pro-talent/schemas/privacy/reasons";
import { useTranslation } from "react-i18next";

import { Field } from "../../ui/field/field.tsx";
import { textIn } from "../form-machine.ts";
import { ActForm, Choice, type FieldOf, type FormProps, refused } from "./act-form.tsx";
import { useDecide } from "./decide.ts";

const dayMs = 24 * 60 * 60_000;
const reviewDays = 90;
const dayAfter = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

type DayProps = { field: ReturnType<FieldOf>; earliest: string; latest: string };

/** The day of the next review, 90 days from now at most. */
function ReviewDay({ field, earliest, latest }: DayProps) {
  const { t } = useTranslation("privacy-console");
  return (
    <Field {...field} label={t("decide.holdReview")} hint={t("decide.holdReviewHint")}>
      {(control) => (
        <input
          {...control}
          name="review"
          type="date"
          min={earliest}
          max={latest}
          defaultValue={latest}
          aria-required
        />
      )}
    </Field>
  );
}

/** A deletion is held: by which law, and until which review. */
export function HoldForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { hold } = useDecide(request);
  const [earliest, latest] = [dayAfter(1), dayAfter(reviewDays)];
  const faultsIn = (data: FormData) => {
    const day = textIn(data, "review");
    return {
      law: textIn(data, "law").trim() === "" ? "privacy-console:errors.lawRequired" : undefined,
      review: day < earliest || day > latest ? "privacy-console:errors.reviewRequired" : undefined,
    } as const;
  };
  return (
    <ActForm
      title={t("decide.holdTitle")}
      submit={t("decide.holdSubmit")}
      sending={t("decide.holding")}
      faultsIn={faultsIn}
      send={async (data) => {
        const reviewAt = `${textIn(data, "review")}T00:00:00.000Z`;
        return refused(await hold(textIn(data, "law").trim(), reviewAt));
      }}
      onDone={onDone}
    >
      {(field) => (
        <>
          <p>{t("decide.holdBody")}</p>
          <Field {...field("law")} label={t("decide.holdLaw")} hint={t("decide.holdLawHint")}>
            {(control) => (
              <input {...control} name="law" dir="auto" maxLength={120} aria-required />
            )}
          </Field>
          <ReviewDay field={field("review")} earliest={earliest} latest={latest} />
        </>
      )}
    </ActForm>
  );
}

/** A hold goes on: one of the four reasons, and the day of its next review. */
export function ReviewForm({ request, onDone }: FormProps) {
  const { t } = useTranslation("privacy-console");
  const { reviewHold } = useDecide(request);
  const [earliest, latest] = [dayAfter(1), dayAfter(reviewDays)];
  return (
    <ActForm
      title={t("holds.prolongTitle")}
      submit={t("holds.prolongSubmit")}
      sending={t("holds.prolonging")}
      faultsIn={(data) => {
        const day = textIn(data, "review");
        const isInTime = day >= earliest && day <= latest;
        return { review: isInTime ? undefined : "privacy-console:errors.reviewRequired" } as const;
      }}
      send={async (data) => {
        const reason = holdReasons.find((one) => one === textIn(data, "reason"));
        const reviewAt = `${textIn(data, "review")}T00:00:00.000Z`;
        return refused(await reviewHold(textIn(data, "hold"), reason ?? "proceedings", reviewAt));
      }}
      onDone={onDone}
    >
      {(field) => (
        <>
          <Choice
            field={field("hold")}
            name="hold"
            label={t("holds.which")}
            options={request.holds.map(({ holdId, law }) => ({ value: holdId, text: law }))}
          />
          <Choice
            field={field("reason")}
            name="reason"
            label={t("decide.reason")}
            options={holdReasons.map((value) => ({ value, text: t(`holds.reasons.${value}`) }))}
          />
          <ReviewDay field={field("review")} earliest={earliest} latest={latest} />
        </>
      )}
    </ActForm>
  );
}
