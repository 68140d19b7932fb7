import { privacyFormPath } from "@pro-talent/schemas/privacy/form";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { ErrorSummary } from "../../ui/error-summary/error-summary.tsx";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { useFormMachine } from "../form-machine.ts";
import { useErrorTitle } from "../use-error-title.ts";
import { PrivacyFormFields, useFaultTexts } from "./privacy-form-fields.tsx";
import type { createPrivacyFormActor } from "./privacy-form.machine.ts";

import "./privacy-form.css";

const address = "privacy@protalent.example";

type Snapshot = ReturnType<ReturnType<typeof createPrivacyFormActor>["getSnapshot"]>;

const open = async () => (await import("./privacy-form.machine.ts")).createPrivacyFormActor();

/** The form is gone then: what comes next is in the mail. */
function Sent({ email }: { email: string }) {
  const { t } = useTranslation("privacy-request");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // The address keeps its own direction within the sentence.
  const isolated = `\u2066${email}\u2069`;
  return (
    <section className="privacy-form__sent" aria-labelledby="privacy-sent">
      <h2 id="privacy-sent" ref={heading} tabIndex={-1}>
        {t("sent.title")}
      </h2>
      <p>{t("sent.body", { email: isolated })}</p>
      <p className="privacy-form__quiet">{t("sent.late")}</p>
    </section>
  );
}

function Trouble({ trouble }: { trouble: "failed" | "tooMany" | "network" | undefined }) {
  const { t } = useTranslation("privacy-request");
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble !== undefined) notice.current?.focus();
  }, [trouble]);
  return (
    <Notice kind="error" ref={notice}>
      {trouble !== undefined && (
        <LinkedText
          text={t(`form.${trouble}`, { email: address })}
          phrases={[{ text: address, href: `mailto:${address}` }]}
        />
      )}
    </Notice>
  );
}

/** Asks for a copy, a deletion or a correction without an account. */
export function PrivacyForm() {
  const { t } = useTranslation("privacy-request");
  const language = useLanguage();
  const { snapshot, waiting, unreachable, events } = useFormMachine<Snapshot>(open);
  const { faults = {}, refusals = 0, submission } = snapshot?.context ?? {};
  const trouble = unreachable ? "network" : snapshot?.context.trouble;
  const texts = useFaultTexts(faults);
  const items = Object.values(texts).flatMap((item) => (item === undefined ? [] : [item]));
  useErrorTitle(items.length > 0 || trouble !== undefined);
  if (snapshot?.value === "sent") return <Sent email={submission?.form.email ?? ""} />;
  const sending = waiting || snapshot?.value === "sending";
  return (
    <form
      className="privacy-form"
      method="post"
      action={privacyFormPath}
      noValidate
      aria-busy={sending}
      {...events}
    >
      <ErrorSummary title={t("form.problem")} items={items} refusals={refusals} />
      <Trouble trouble={trouble} />
      <fieldset className="privacy-form__fields" disabled={sending}>
        <PrivacyFormFields texts={texts} />
        <input type="hidden" name="language" value={language} />
        <Button type="submit" variant="solid" data-track="privacy-request">
          {sending ? t("form.sending") : t("form.send")}
        </Button>
      </fieldset>
    </form>
  );
}
