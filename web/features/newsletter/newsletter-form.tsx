import { type SourceContext, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../ui/notice/notice.tsx";
import type { LatePlan } from "../late-machine.ts";
import {
  canSubscribe,
  firstNewsletterView,
  foreseeNewsletter,
  type NewsletterView,
} from "./newsletter-view.ts";
import { SubscribeFields } from "./subscribe-fields.tsx";
import type { SubscribeEvent, Trouble } from "./subscribe.ts";
import { useSubscribeForm } from "./use-subscribe-form.ts";

import "./newsletter-form.css";

function planFor(sourceContext: SourceContext): LatePlan<NewsletterView, SubscribeEvent> {
  return {
    initial: firstNewsletterView,
    foresee: foreseeNewsletter,
    urges: (event) => event.type === "submit",
    unreachable: (view) => ({ ...view, place: "empty", trouble: { code: "network" } }),
    open: async () =>
      (await import("./newsletter-form.controller.ts")).startNewsletterMachine(sourceContext),
  };
}

function TroubleText({ trouble }: { trouble: Trouble }) {
  const { t } = useTranslation("newsletter");
  if (trouble.code === "server") return <span dir="auto">{trouble.text}</span>;
  if (trouble.code === "alreadySubscribed") return t("errors.alreadySubscribed");
  if (trouble.code === "network") return t("footer.network");
  return t("footer.refused");
}

const fieldCodes: readonly string[] = ["emailRequired", "consentRequired"];

type NewsletterFormProps = {
  sourceContext: SourceContext;
  /** Distinguishes the ids of two forms on one page. */
  idPrefix: string;
};

/** The success message replaces the form. */
export function NewsletterForm({ sourceContext, idPrefix }: NewsletterFormProps) {
  const { t } = useTranslation("newsletter");
  const scripted = useHydrated();
  const { view, form, events } = useSubscribeForm(planFor(sourceContext));
  const done = useRef<HTMLDivElement>(null);
  const subscribed = view.place === "subscribed";
  useEffect(() => {
    if (subscribed) done.current?.focus({ preventScroll: true });
  }, [subscribed]);
  const { trouble } = view;
  return (
    <div className="newsletter-form">
      <Notice kind="success" ref={done}>
        {subscribed && t("footer.subscribed")}
      </Notice>
      {!subscribed && (
        <form
          className="newsletter-form__fields"
          method="post"
          action={subscribePath}
          ref={form}
          aria-busy={view.place === "submitting"}
          data-scripted={scripted}
          {...events}
        >
          <SubscribeFields
            idPrefix={idPrefix}
            sourceContext={sourceContext}
            hint={t("footer.hint")}
            trouble={trouble}
          />
          <Notice kind="error">
            {trouble && !fieldCodes.includes(trouble.code) && <TroubleText trouble={trouble} />}
          </Notice>
          <Button
            type="submit"
            look="solid"
            disabled={scripted && !canSubscribe(view)}
            data-track="newsletter-subscribe"
          >
            {t("footer.subscribe")}
          </Button>
        </form>
      )}
    </div>
  );
}
