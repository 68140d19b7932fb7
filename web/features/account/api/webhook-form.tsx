import { readExternalUrl } from "@pro-talent/schemas/links/external-url";
import { linkLimits } from "@pro-talent/schemas/links/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { Field } from "../../../ui/field/field.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { refusalIn } from "../../submission.machine.ts";
import { webhooksQuery } from "./webhooks-query.ts";

/** Adds a webhook. @param onMade receives the secret, which is shown once */
export function WebhookForm({ onMade }: { onMade: (secret: string) => void }) {
  const { t } = useTranslation("account-api");
  const cache = useQueryClient();
  return (
    <SubmissionForm
      submission={{
        faultsIn: (data) => ({
          url: "fault" in readExternalUrl(textIn(data, "url")) ? "urlInvalid" : undefined,
        }),
        send: async (data) => {
          const body = { url: textIn(data, "url") };
          const result = await accountApi().call("POST /api/link-webhooks", { body });
          if (result.ok && result.answer !== undefined) onMade(result.answer.secret);
          // Also after a refusal: another tab may have added the last one that is allowed.
          await cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
          return refusalIn(result);
        },
      }}
      submit={t("webhooks.add.submit")}
      sending={t("webhooks.add.sending")}
      variant="outline"
    >
      {(field) => (
        <>
          <h3 className="settings__title">{t("webhooks.add.title")}</h3>
          <Field {...field("url")} label={t("webhooks.add.url")} hint={t("webhooks.add.urlHint")}>
            {(control) => (
              <input
                {...control}
                name="url"
                type="url"
                dir="ltr"
                autoComplete="off"
                inputMode="url"
                maxLength={linkLimits.urlCharsMax}
                aria-required
              />
            )}
          </Field>
        </>
      )}
    </SubmissionForm>
  );
}
