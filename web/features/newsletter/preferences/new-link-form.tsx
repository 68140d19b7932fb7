import { newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-limits";
import { type Ref, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { useFormMachine } from "../../form-machine.ts";
import { useErrorTitle } from "../../use-error-title.ts";
import type { createNewLinkActor, NewLinkTrouble } from "./new-link.machine.ts";

type Snapshot = ReturnType<ReturnType<typeof createNewLinkActor>["getSnapshot"]>;

const open = async () => (await import("./new-link.machine.ts")).createNewLinkActor();

/** Moves focus to the result of a press, because the disabled button loses it. */
function useFocusOnResult(sent: boolean, trouble: NewLinkTrouble | undefined) {
  const field = useRef<HTMLInputElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trouble === "emailInvalid") field.current?.focus();
    else if (sent || trouble !== undefined) notice.current?.focus();
  }, [sent, trouble]);
  return { field, notice };
}

function AddressField({ ref, wrong }: { ref: Ref<HTMLInputElement>; wrong: boolean }) {
  const { t } = useTranslation("newsletter-preferences");
  const { t: shared } = useTranslation("newsletter");
  return (
    <Field
      id="new-link-email"
      label={shared("email")}
      hint={t("newLink.hint")}
      error={wrong ? t("newLink.emailInvalid") : undefined}
    >
      {(control) => (
        <input
          {...control}
          ref={ref}
          name="email"
          type="email"
          dir="ltr"
          inputMode="email"
          autoComplete="email"
          maxLength={emailCharsMax}
          aria-required
        />
      )}
    </Field>
  );
}

/** For a subscriber whose link does not work. The answer is the same for every address. */
export function NewLinkForm() {
  const { t } = useTranslation("newsletter-preferences");
  const { snapshot, waiting, unreachable, events } = useFormMachine<Snapshot>(open);
  const sent = snapshot?.value === "sent";
  const sending = waiting || snapshot?.value === "sending";
  const trouble = unreachable ? "network" : snapshot?.context.trouble;
  const { field, notice } = useFocusOnResult(sent, trouble);
  useErrorTitle(trouble !== undefined);
  const failed = trouble !== undefined && trouble !== "emailInvalid";
  const said = trouble === "network" ? t("network") : failed && t(`newLink.${trouble}`);
  return (
    <section className="preferences-new-link" aria-labelledby="new-link-title">
      <h2 id="new-link-title">{t("newLink.title")}</h2>
      <Notice kind="success" ref={sent ? notice : null}>
        {sent && t("newLink.sent")}
      </Notice>
      {!sent && (
        <form
          className="preferences-new-link__form"
          method="post"
          action={newsletterPaths.preferencesLink}
          noValidate
          aria-busy={sending}
          {...events}
        >
          <AddressField ref={field} wrong={trouble === "emailInvalid"} />
          <Notice kind="error" ref={failed ? notice : null}>
            {said}
          </Notice>
          <Button
            type="submit"
            variant="solid"
            disabled={sending}
            data-track="preferences-new-link"
          >
            {sending ? t("newLink.sending") : t("newLink.send")}
          </Button>
        </form>
      )}
    </section>
  );
}
