import { subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { SubscribeFields, useSubscribeForm } from "./subscribe-fields.tsx";

import "./subscribe-form.css";

const open = async () => (await import("./subscribe.machine.ts")).createWaitlistActor();

/** Specification §4. */
export function WaitlistForm() {
  const { t } = useTranslation("waitlist");
  const own = { refused: t("refused"), network: t("network") };
  const { state, submitting, entered, trouble, form, reset } = useSubscribeForm(open, own);
  const joined = state === "success";
  useEffect(() => {
    if (joined) reset();
  }, [joined, reset]);
  const idle = joined ? t("done") : t("join");
  return (
    <form className="waitlist-form" method="post" action={subscribePath} {...form}>
      <fieldset className="waitlist-form__fields" disabled={joined}>
        <SubscribeFields idPrefix="waitlist" sourceContext="signup_page" trouble={trouble} />
        <Button
          type="submit"
          variant="solid"
          disabled={form["data-scripted"] && (submitting || joined || !entered.consent)}
          data-track="waitlist-join"
        >
          {submitting ? t("sending") : idle}
        </Button>
      </fieldset>
      <Notice kind="error">{trouble?.notice}</Notice>
      <Notice kind="success">{joined && t("success")}</Notice>
    </form>
  );
}
