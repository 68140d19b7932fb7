import { type SourceContext, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { SubscribeFields, useSubscribeForm } from "./subscribe-fields.tsx";

import "./subscribe-form.css";

const open = async () => (await import("./subscribe.machine.ts")).createNewsletterActor();

type NewsletterFormProps = {
  sourceContext: SourceContext;
  /** Distinguishes the ids of two forms on one page. */
  idPrefix: string;
};

/** The success message replaces the form (specification §4). */
export function NewsletterForm({ sourceContext, idPrefix }: NewsletterFormProps) {
  const { t } = useTranslation("newsletter");
  const own = { refused: t("footer.refused"), network: t("footer.network") };
  const { state, submitting, entered, trouble, form } = useSubscribeForm(open, own);
  const done = useRef<HTMLDivElement>(null);
  const subscribed = state === "subscribed";
  useEffect(() => {
    if (subscribed) done.current?.focus({ preventScroll: true });
  }, [subscribed]);
  const complete = entered.email && entered.consent;
  return (
    <div className="newsletter-form">
      <Notice kind="success" ref={done}>
        {subscribed && t("footer.subscribed")}
      </Notice>
      {!subscribed && (
        <form className="newsletter-form__fields" method="post" action={subscribePath} {...form}>
          <SubscribeFields idPrefix={idPrefix} sourceContext={sourceContext} trouble={trouble} />
          <Notice kind="error">{trouble?.notice}</Notice>
          <Button
            type="submit"
            variant="solid"
            disabled={form["data-scripted"] && (submitting || !complete)}
            data-track="newsletter-subscribe"
          >
            {t("footer.subscribe")}
          </Button>
        </form>
      )}
    </div>
  );
}
