import { webhookLimits } from "@pro-talent/schemas/links/limits";
import type { DeliveryView } from "@pro-talent/schemas/links/webhook-calls";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { useAccount } from "../../account-query.ts";
import { instantText } from "../../instant-text.ts";
import { linkNamesQuery } from "./webhooks-query.ts";

/** Instants on the holder's clock. */
export function useInstants(): (at: string) => string {
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  return (at) => instantText(language, at, timeZone);
}

/** What became of a message: its last attempt, and when the next one is. */
function useOutcome(): (delivery: DeliveryView) => string {
  const { t } = useTranslation("account-api");
  const instant = useInstants();
  return ({ last, nextAt, status, attempts }) => {
    const next = nextAt === null ? "" : t("webhooks.next", { date: instant(nextAt) });
    if (last === null || (status === "waiting" && attempts === 0)) return t("webhooks.first");
    const date = instant(last.at);
    const answered =
      last.fault === null || last.fault === "status"
        ? t("webhooks.answered", { status: last.status, date })
        : t(`webhooks.faults.${last.fault}`, { date });
    return `${answered} ${next}`;
  };
}

/** Which open it is about: when, in which country, on what. */
function useOpenText(): (open: NonNullable<DeliveryView["open"]>) => string {
  const { t } = useTranslation("account-api");
  const language = useLanguage();
  const instant = useInstants();
  const countries = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return ({ at, country, device }) =>
    [
      instant(at),
      ...(country === null ? [] : [countries.of(country) ?? country]),
      t(`webhooks.devices.${device}`),
    ].join(" · ");
}

type RowProps = {
  delivery: DeliveryView;
  names: ReadonlyMap<string, string> | undefined;
  onReplay: (() => void) | undefined;
};

function DeliveryRow({ delivery, names, onReplay }: RowProps) {
  const { t } = useTranslation("account-api");
  const outcomeOf = useOutcome();
  const openText = useOpenText();
  const { open, status } = delivery;
  const what = open === null ? t("webhooks.of.test") : t("webhooks.of.open");
  const link = open && names && (names.get(open.linkId) ?? t("webhooks.of.deleted"));
  return (
    <li className="settings__row">
      <div>
        <span className="settings__name">{what}</span> <bdi>{link}</bdi>
        <span className={`settings__tag webhook__state--${status}`}>
          {t(`webhooks.states.${status}`)}
        </span>
        {open !== null && <p className="settings__note">{openText(open)}</p>}
        <p className="settings__note">{outcomeOf(delivery)}</p>
      </div>
      {status !== "waiting" && onReplay !== undefined && (
        <Button
          variant="text"
          aria-label={t("webhooks.actions.replayOf", { name: link ?? what })}
          onClick={onReplay}
        >
          {t("webhooks.actions.replay")}
        </Button>
      )}
    </li>
  );
}

type DeliveriesProps = {
  deliveries: readonly DeliveryView[];
  /** Undefined when the plan has no webhooks. */
  onReplay: ((deliveryId: string) => void) | undefined;
};

/** The messages of a webhook, the newest first. */
export function WebhookDeliveries({ deliveries, onReplay }: DeliveriesProps) {
  const { t } = useTranslation("account-api");
  // Without an answer the messages are listed without the names of their links.
  const { data: names } = useQuery(linkNamesQuery);
  return (
    <details className="webhook__deliveries">
      <summary>{t("webhooks.deliveries", { count: webhookLimits.listedDays })}</summary>
      {deliveries.length === 0 ? (
        <p className="settings__note">{t("webhooks.noDeliveries")}</p>
      ) : (
        <ul className="settings__rows">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.deliveryId}
              delivery={delivery}
              names={names}
              onReplay={onReplay && (() => onReplay(delivery.deliveryId))}
            />
          ))}
        </ul>
      )}
    </details>
  );
}
