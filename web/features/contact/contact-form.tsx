import { contactPath } from "@pro-talent/schemas/contact/categories";
import { type SyntheticEvent, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { ErrorSummary } from "../../ui/error-summary/error-summary.tsx";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { useFormMachine } from "../form-machine.ts";
import { useErrorTitle } from "../use-error-title.ts";
import { ContactFields, useFaultTexts } from "./contact-fields.tsx";
import { forgetDraft, keepDraft, restoreDraft, startWritingClock } from "./contact-writing.ts";
import type { createContactActor } from "./contact.machine.ts";

import "./contact-form.css";

type ContactFormProps = {
  /** Shown when the form fails. */
  supportEmail: string;
  /** The visit session, only with consent to analytics. */
  readSessionId: () => string | undefined;
};

type Snapshot = ReturnType<ReturnType<typeof createContactActor>["getSnapshot"]>;

const open = async () => (await import("./contact.machine.ts")).createContactActor();

const now = (): number => performance.now();

/** The form's machine, with the draft and the time of writing. */
function useContactForm(readSessionId: () => string | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const clock = useMemo(() => startWritingClock(now), []);
  const prepare = (data: FormData): void => {
    data.append("sessionId", readSessionId() ?? "");
    data.append("writingMs", String(clock.passed() ?? ""));
  };
  const { events, ...machine } = useFormMachine<Snapshot>(open, prepare);
  useEffect(() => {
    if (form.current !== null && restoreDraft(form.current)) clock.missed();
  }, [clock]);
  const sent = machine.snapshot?.value === "success";
  useEffect(() => {
    if (!sent) return;
    forgetDraft();
    form.current?.reset();
    clock.reset();
  }, [sent, clock]);
  const onInput = (event: SyntheticEvent<HTMLFormElement>): void => {
    const { target, currentTarget } = event;
    clock.touched();
    if (target instanceof HTMLSelectElement) {
      const subject = currentTarget.elements.namedItem("subject");
      if (subject instanceof HTMLInputElement) subject.value = "";
    }
    keepDraft(currentTarget);
    events.onInput(event);
  };
  return { ...machine, form, events: { ...events, onInput, onKeyDown: clock.touched } };
}

type ResultProps = { result: "success" | "failed" | "network" | undefined; supportEmail: string };

/** What became of the last submission, with focus on it. */
function Result({ result, supportEmail }: ResultProps) {
  const { t } = useTranslation("contact");
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== undefined) notice.current?.focus();
  }, [result]);
  const failed = result === "failed" || result === "network";
  return (
    <>
      <Notice kind="error" ref={failed ? notice : null}>
        {failed && (
          <LinkedText
            text={t(result === "network" ? "form.network" : "form.error", { email: supportEmail })}
            phrases={[{ text: supportEmail, href: `mailto:${supportEmail}` }]}
          />
        )}
      </Notice>
      <Notice kind="success" ref={failed ? null : notice}>
        {result === "success" && t("form.success")}
      </Notice>
    </>
  );
}

function resultOf(snapshot: Snapshot | undefined, unreachable: boolean) {
  if (unreachable) return "network";
  if (snapshot?.value === "error") return snapshot.context.trouble;
  return snapshot?.value === "success" ? "success" : undefined;
}

/** Specification §4 and §5. */
export function ContactForm({ supportEmail, readSessionId }: ContactFormProps) {
  const { t } = useTranslation("contact");
  const language = useLanguage();
  const { snapshot, waiting, unreachable, form, events } = useContactForm(readSessionId);
  const result = resultOf(snapshot, unreachable);
  const { faults = {}, refusals = 0 } = snapshot?.context ?? {};
  const texts = useFaultTexts(faults);
  const items = Object.values(texts).flatMap((item) => (item === undefined ? [] : [item]));
  useErrorTitle(items.length > 0 || result === "failed" || result === "network");
  const sending = waiting || snapshot?.value === "sending";
  return (
    <form
      className="contact-form"
      method="post"
      action={contactPath}
      noValidate
      ref={form}
      aria-busy={sending}
      {...events}
    >
      <ErrorSummary title={t("form.problem")} items={items} refusals={refusals} />
      <Result result={result} supportEmail={supportEmail} />
      <fieldset className="contact-form__fields" disabled={sending}>
        <ContactFields texts={texts} />
        <input type="hidden" name="language" value={language} />
        <Button type="submit" variant="solid" data-track="contact-send">
          {sending ? t("form.sending") : t("form.send")}
        </Button>
      </fieldset>
    </form>
  );
}
