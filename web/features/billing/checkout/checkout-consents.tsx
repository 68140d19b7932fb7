import {
  type CheckoutDocument,
  checkoutDocuments,
  checkoutTexts,
} from "@pro-talent/schemas/billing/consent-texts";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { type SyntheticEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Checkbox } from "../../../ui/checkbox/checkbox.tsx";
import { ErrorSummary } from "../../../ui/error-summary/error-summary.tsx";
import { LinkedText } from "../../../ui/linked-text/linked-text.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useErrorTitle } from "../../use-error-title.ts";
import type { Offer, Trouble } from "../billing-calls.ts";
import { moneyText } from "../billing-texts.ts";

type CheckoutConsentsProps = {
  offer: Offer;
  state: string;
  context: {
    missing: readonly CheckoutDocument[];
    refusals: number;
    trouble: Trouble | undefined;
  };
  onSubmit: (accepted: readonly CheckoutDocument[], language: Locale) => void;
};

const idOf = (document: CheckoutDocument): string => `consent-${document}`;

/** The texts as they are recorded, unticked. A consent belongs to what was shown beside it. */
function Boxes({ hash, missing }: { hash: string; missing: readonly CheckoutDocument[] }) {
  const { t } = useTranslation("checkout");
  const language = useLanguage();
  return checkoutDocuments.map((document) => (
    <Checkbox
      key={`${document} ${language} ${document === "auto-renewal" ? hash : ""}`}
      id={idOf(document)}
      name="accepted"
      value={document}
      required={false}
      error={missing.includes(document) ? t("consents.missing") : undefined}
    >
      <LinkedText
        text={checkoutTexts[language][document]}
        phrases={[
          { text: t("consents.terms"), href: "/terms" },
          { text: t("consents.privacy"), href: "/privacy" },
        ]}
      />
    </Checkbox>
  ));
}

/** The consents and the button that says that it obliges to pay. */
export function CheckoutConsents({ offer, state, context, onSubmit }: CheckoutConsentsProps) {
  const { t } = useTranslation(["checkout", "billing"]);
  const language = useLanguage();
  const notice = useRef<HTMLDivElement>(null);
  const { missing, refusals, trouble } = context;
  const busy = state !== "ready";
  const { total, currency } = offer.quote.terms;
  useErrorTitle(missing.length > 0 || trouble !== undefined);
  useEffect(() => {
    if (trouble !== undefined) notice.current?.focus();
  }, [trouble, refusals]);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).getAll("accepted");
    onSubmit(
      checkoutDocuments.filter((document) => given.includes(document)),
      language,
    );
  };
  return (
    <form className="checkout__consents" noValidate aria-busy={busy} onSubmit={submit}>
      <ErrorSummary
        title={t("consents.required")}
        refusals={refusals}
        items={missing.map((document) => ({
          fieldId: idOf(document),
          text: t(`consents.names.${document}`),
        }))}
      />
      <fieldset className="checkout__boxes" disabled={state === "ordering" || state === "leaving"}>
        <legend>{t("consents.legend")}</legend>
        <Boxes hash={offer.hash} missing={missing} />
      </fieldset>
      <Notice kind="error" ref={notice}>
        {trouble && t(`billing:trouble.${trouble}`)}
      </Notice>
      <div className="checkout__press">
        <Button type="submit" variant="solid" disabled={busy}>
          {state === "ordering" || state === "leaving"
            ? t("consents.leaving")
            : t("consents.order", { amount: moneyText({ amount: total, currency }) })}
        </Button>
        <p>{t("consents.after")}</p>
      </div>
    </form>
  );
}
