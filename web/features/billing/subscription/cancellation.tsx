import { useQueryClient } from "@tanstack/react-query";
import { useMachine } from "@xstate/react";
import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useAccount } from "../../account-query.ts";
import { instantText } from "../../instant-text.ts";
import { type Action, newKey, type Subscription } from "../billing-calls.ts";
import { billingKey } from "../billing-queries.ts";
import { dayBefore, endsAtOnce, moneyText } from "../billing-texts.ts";
import { actMachine } from "./act.machine.ts";

type Fact = { term: string; value: ReactNode };

/** What cancelling does now: what is returned, and until when the plan lasts. */
function useConsequences(action: Action, { periodTo }: Subscription): Fact[] {
  const { quote } = action;
  const { t } = useTranslation("subscription");
  const language = useLanguage();
  if (quote.act === "withdraw") {
    return [
      {
        term: t("cancel.refund"),
        value: t("cancel.refundFull", { amount: moneyText(quote.refund) }),
      },
      { term: t("cancel.ends"), value: t("cancel.endsNow") },
      { term: t("cancel.later"), value: t("cancel.nothingMore") },
    ];
  }
  if (quote.act !== "cancel") return [];
  const atOnce = endsAtOnce(action, periodTo);
  const date = formatDate(language, dayBefore(quote.endsOn));
  return [
    { term: t("cancel.refund"), value: t("cancel.refundNone") },
    { term: t("cancel.ends"), value: atOnce ? t("cancel.endsNow") : t("cancel.endsOn", { date }) },
    { term: t("cancel.later"), value: t("cancel.nothingMore") },
  ];
}

/** Which contract, and whose. */
function useContract({ plan, cycle, subscribedOn }: Subscription): Fact[] {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  const { profile, email } = useAccount();
  const name = cycle === null ? "" : t(`plans:period.${cycle}`);
  return [
    {
      term: t("cancel.contract"),
      value: t("acts.choice", { plan: t(`plans:${plan}.name`), cycle: name }),
    },
    ...(subscribedOn === null
      ? []
      : [{ term: t("facts.since"), value: formatDate(language, subscribedOn) }]),
    {
      term: t("cancel.holder"),
      value: (
        <>
          <bdi>{profile.fullName}</bdi> (<bdi dir="ltr">{email}</bdi>)
        </>
      ),
    },
  ];
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="cancellation__facts">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** At most one: the cheapest change at the next renewal, once nothing is returned any more. */
function Offer({ subscription, action }: { subscription: Subscription; action: Action }) {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  const cheaper = subscription.actions.find(
    ({ quote, choice }) => quote.act === "downgrade" && choice?.cycle === subscription.cycle,
  );
  if (action.quote.act === "withdraw" || cheaper?.quote.act !== "downgrade") return null;
  const { price, effective } = cheaper.quote;
  return (
    <p className="cancellation__offer">
      {t("cancel.offer", {
        plan: t(`plans:${price.plan}.name`),
        amount: moneyText(price),
        date: formatDate(language, effective),
      })}{" "}
      <Link to="/account/subscription#changes">{t("cancel.offerLink")}</Link>
    </p>
  );
}

type Step = "offered" | "confirming" | "done" | "obsolete";

/** Each step begins at its heading. */
function StepTitle({ step, children }: { step: Step; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(step === "offered");
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [step]);
  return (
    <h2 className="cancellation__title" tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}

const stepOf = (state: string): Step => {
  if (state === "shown") return "offered";
  if (state === "applied") return "done";
  return state === "obsolete" ? "obsolete" : "confirming";
};

function useCancellation(action: Action) {
  const [snapshot, send] = useMachine(actMachine, {
    input: { action: { ...action, key: "" } },
  });
  const client = useQueryClient();
  const step = stepOf(snapshot.value);
  useEffect(() => {
    if (step === "done") void client.invalidateQueries({ queryKey: billingKey });
  }, [step, client]);
  return { snapshot, send, step };
}

type CancellationProps = { subscription: Subscription; action: Action };

function Receipt({ subscription, action, at }: CancellationProps & { at: string | undefined }) {
  const { t } = useTranslation("subscription");
  const language = useLanguage();
  const contract = useContract(subscription);
  const consequences = useConsequences(action, subscription);
  const zone = subscription.zone ?? undefined;
  const received =
    at === undefined
      ? []
      : [{ term: t("cancel.received"), value: instantText(language, at, zone) }];
  return (
    <>
      <Facts facts={[...received, ...contract, ...consequences]} />
      <p>{t("cancel.mailed")}</p>
      <p className="cancellation__buttons">
        <Button onClick={() => window.print()}>{t("cancel.print")}</Button>
        <Link className={buttonClass()} to="/account/subscription">
          {t("cancel.toSubscription")}
        </Link>
      </p>
    </>
  );
}

type StepsProps = CancellationProps & ReturnType<typeof useCancellation>;

/** Step one shows, step two confirms; both ways are equal in each. */
function Steps({ subscription, action, snapshot, send, step }: StepsProps) {
  const { t } = useTranslation(["subscription", "billing"]);
  const { trouble, before } = snapshot.context;
  const contract = useContract(subscription);
  const consequences = useConsequences(action, subscription);
  const notice = useRef<HTMLDivElement>(null);
  const busy = snapshot.value !== "shown" && snapshot.value !== "confirming";
  useEffect(() => {
    if (trouble !== undefined || before !== undefined) notice.current?.focus();
  }, [trouble, before]);
  const named = trouble === "network" || trouble === "notConfirmed" || trouble === "chargeOpen";
  const changed = before === undefined ? undefined : t("dialog.changed");
  const reason = named
    ? `${t("cancel.failed")}. ${t(`billing:trouble.${trouble}`)}`
    : t("cancel.failed");
  const problem = trouble === undefined ? changed : reason;
  const confirm = action.quote.act === "withdraw" ? "acts.withdraw.confirm" : "acts.cancel.confirm";
  return (
    <>
      <Facts facts={step === "offered" ? consequences : [...contract, ...consequences]} />
      {step === "offered" && <Offer subscription={subscription} action={action} />}
      <Notice kind="error" ref={notice}>
        {problem}
      </Notice>
      <div className="cancellation__buttons" aria-busy={busy}>
        {step === "offered" ? (
          <Button onClick={() => send({ type: "open", action: { ...action, key: newKey() } })}>
            {t("cancel.now")}
          </Button>
        ) : (
          <Button disabled={busy} onClick={() => send({ type: "confirm" })}>
            {busy ? t("cancel.busy") : t(confirm)}
          </Button>
        )}
        <Link className={buttonClass()} to="/account/subscription">
          {t("cancel.keep")}
        </Link>
      </div>
    </>
  );
}

/** The second press of a double press must not land on what the first one led to. */
function onlyFirst(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** One withdrawal or cancellation: shown, confirmed, acknowledged with date and time. */
export function Cancellation({ subscription, action: first }: CancellationProps) {
  const { t } = useTranslation("subscription");
  const course = useCancellation(first);
  const { step, snapshot } = course;
  const { action, at } = snapshot.context;
  const kind = action.quote.act === "withdraw" ? "withdraw" : "cancel";
  return (
    <section className="cancellation" data-step={step} onClickCapture={onlyFirst}>
      {(step === "offered" || step === "confirming") && (
        <p className="cancellation__step">
          {t("cancel.step", { step: step === "offered" ? 1 : 2 })}
        </p>
      )}
      <StepTitle step={step}>{t(`cancel.steps.${kind}.${step}`)}</StepTitle>
      {step === "done" && <Receipt subscription={subscription} action={action} at={at} />}
      {step === "obsolete" && (
        <p className="cancellation__buttons">
          <Link className={buttonClass()} to="/account/subscription">
            {t("cancel.toSubscription")}
          </Link>
        </p>
      )}
      {(step === "offered" || step === "confirming") && (
        <Steps subscription={subscription} action={action} {...course} />
      )}
    </section>
  );
}
