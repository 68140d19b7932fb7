import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { daysUntil } from "../days-until.ts";
import { type Queued, stateOf } from "./console-queries.ts";
import { useNow } from "./use-now.ts";

type Props = { request: Queued };
type Kind = NonNullable<Queued["clock"]>["kind"];

/** Clocks that an officer must act on; the others end by themselves. */
const isOfficers = (kind: Kind): boolean => kind === "due" || kind === "hold-review";
const urgentDays = 3;

/** The clock that ends first: the days that are left, the date, and what the date is about. */
export function Due({ request: { clock, extension } }: Props) {
  const { t } = useTranslation("privacy-console");
  const date = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "medium" });
  if (clock === null) return <span className="privacy-queue__quiet">{t("noDue")}</span>;
  const { kind, endsAt } = clock;
  const days = daysUntil(endsAt);
  return (
    <span className="privacy-queue__due" data-urgent={isOfficers(kind) && days <= urgentDays}>
      <strong>{t(days > 0 ? "days" : "late", { count: Math.abs(days) })}</strong>{" "}
      <span>{t(`clocks.${kind}`)}</span>{" "}
      <span className="privacy-queue__quiet">
        {/* A due date is the first instant of the day after. */}
        <time dateTime={endsAt}>{date.format(Date.parse(endsAt) - (kind === "due" ? 1 : 0))}</time>
        {extension !== null && ` · ${t("history.steps.extended")}`}
      </span>
    </span>
  );
}

/** Where it stands; of an assignment who has it, and for how long still. */
export function State({ request }: Props) {
  const { t } = useTranslation("privacy-console");
  const state = stateOf(request);
  return (
    <span data-state={state}>
      {state === "taken" || state === "mine" ? (
        <Lease lease={request.lease} />
      ) : (
        t(`states.${state}`)
      )}
    </span>
  );
}

/** The officer that a request is assigned to, and the minutes that are left of it. */
export function Lease({ lease }: { lease: Queued["lease"] }) {
  const { t } = useTranslation("privacy-console");
  const minutes = Math.ceil((Date.parse(lease?.until ?? "") - useNow()) / 60_000);
  if (lease === null || minutes <= 0) return t("request.leaseNone");
  const { mine, name } = lease;
  const who = () => {
    if (mine) return t("states.mine");
    return name === null ? t("states.taken") : t("takenBy", { name: `\u2068${name}\u2069` });
  };
  return (
    <>
      {who()}
      <span className="privacy-queue__quiet"> · {t("minutesLeft", { count: minutes })}</span>
    </>
  );
}
