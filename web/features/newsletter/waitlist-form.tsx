import { subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../ui/notice/notice.tsx";
import type { LatePlan } from "../late-machine.ts";
import { SubscribeFields } from "./subscribe-fields.tsx";
import type { SubscribeEvent, Trouble } from "./subscribe.ts";
import { useSubscribeForm } from "./use-subscribe-form.ts";
import {
  canJoin,
  firstWaitlistView,
  foreseeWaitlist,
  type WaitlistPlace,
  type WaitlistView,
} from "./waitlist-view.ts";

import "./waitlist-form.css";

const plan: LatePlan<WaitlistView, SubscribeEvent> = {
  initial: firstWaitlistView,
  foresee: foreseeWaitlist,
  urges: (event) => event.type === "submit",
  unreachable: (view) => ({ ...view, place: "idle", trouble: { code: "network" } }),
  open: async () => (await import("./waitlist-form.controller.ts")).startWaitlistMachine(),
};

function TroubleText({ trouble }: { trouble: Trouble }) {
  const { t } = useTranslation("newsletter");
  if (trouble.code === "server") return <span dir="auto">{trouble.text}</span>;
  if (trouble.code === "alreadySubscribed") return t("errors.alreadySubscribed");
  if (trouble.code === "network") return t("waitlist.network");
  return t("waitlist.refused");
}

const fieldCodes: readonly string[] = ["emailRequired", "consentRequired"];

function ButtonText({ place }: { place: WaitlistPlace }) {
  const { t } = useTranslation("newsletter");
  if (place === "submitting") return t("waitlist.sending");
  return place === "success" ? t("waitlist.done") : t("waitlist.join");
}

/** Specification §4. */
export function WaitlistForm() {
  const { t } = useTranslation("newsletter");
  const scripted = useHydrated();
  const { view, form, events } = useSubscribeForm(plan);
  const joined = view.place === "success";
  useEffect(() => {
    if (joined) form.current?.reset();
  }, [joined, form]);
  const { trouble } = view;
  return (
    <form
      className="waitlist-form"
      method="post"
      action={subscribePath}
      ref={form}
      aria-busy={view.place === "submitting"}
      data-scripted={scripted}
      {...events}
    >
      <fieldset className="waitlist-form__fields" disabled={joined}>
        <SubscribeFields
          idPrefix="waitlist"
          sourceContext="signup_page"
          hint={t("waitlist.hint")}
          trouble={trouble}
        />
        <Button
          type="submit"
          look="solid"
          disabled={scripted && !canJoin(view)}
          data-track="waitlist-join"
        >
          <ButtonText place={view.place} />
        </Button>
      </fieldset>
      <Notice kind="error">
        {trouble && !fieldCodes.includes(trouble.code) && <TroubleText trouble={trouble} />}
      </Notice>
      <Notice kind="success">{joined && t("waitlist.success")}</Notice>
    </form>
  );
}
