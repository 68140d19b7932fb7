import { leaveField, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import type { useFormMachine } from "../../form-machine.ts";
import { useErrorTitle } from "../../use-error-title.ts";
import { PreferenceFields } from "./preference-fields.tsx";
import type { createPreferencesActor, PreferencesTrouble } from "./preferences.machine.ts";

export type Snapshot = ReturnType<ReturnType<typeof createPreferencesActor>["getSnapshot"]>;
type Machine = ReturnType<typeof useFormMachine<Snapshot>>;

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult(saved: boolean, trouble: PreferencesTrouble | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble === "topicRequired")
      form.current?.querySelector<HTMLElement>("[name=topics]")?.focus();
    else if (saved || trouble !== undefined) notice.current?.focus();
  }, [saved, trouble]);
  return { form, notice };
}

const formId = "preferences";

function Leaving({ busy, leaving }: { busy: boolean; leaving: boolean }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <section className="preferences-leave" aria-labelledby="leave-title">
      <div>
        <h2 id="leave-title">{t("leave.title")}</h2>
        <p>{t("leave.body")}</p>
      </div>
      <Button
        type="submit"
        form={formId}
        name={leaveField}
        value="yes"
        disabled={busy}
        data-track="preferences-leave"
      >
        {leaving ? t("leave.leaving") : t("leave.press")}
      </Button>
    </section>
  );
}

/**
 * Without scripts the stored preferences cannot be loaded: the form begins with the defaults and posts
 * to the page's own address, which has the token.
 */
export function Editing({ snapshot, events }: { snapshot?: Snapshot; events?: Machine["events"] }) {
  const { t } = useTranslation("newsletter-preferences");
  const language = useLanguage();
  const state = snapshot?.value;
  const trouble = snapshot?.context.trouble;
  const busy = state === "saving" || state === "leaving";
  const { form, notice } = useFocusOnResult(state === "saved", trouble);
  const failed = trouble !== undefined && trouble !== "topicRequired";
  useErrorTitle(trouble !== undefined);
  const defaults = { ...subscriptionDefaults.footer_form.preferences, language };
  return (
    <div className={snapshot ? undefined : "preferences-form--plain"}>
      {!snapshot && <p className="preferences-form__note">{t("plain")}</p>}
      <form
        id={formId}
        className="preferences-form"
        method="post"
        noValidate
        ref={form}
        aria-busy={busy}
        {...events}
      >
        <fieldset className="preferences-form__all" disabled={busy}>
          <PreferenceFields
            preferences={snapshot?.context.subscriber ?? defaults}
            topicMissing={trouble === "topicRequired"}
          />
          <div className="preferences-form__press">
            <Button type="submit" variant="solid" data-track="preferences-save">
              {state === "saving" ? t("saving") : t("save")}
            </Button>
          </div>
        </fieldset>
        <Notice kind="success" ref={state === "saved" ? notice : null}>
          {state === "saved" && t("saved")}
        </Notice>
        <Notice kind="error" ref={failed ? notice : null}>
          {failed && t(trouble === "network" ? "network" : "failed")}
        </Notice>
      </form>
      <Leaving busy={busy} leaving={state === "leaving"} />
    </div>
  );
}
