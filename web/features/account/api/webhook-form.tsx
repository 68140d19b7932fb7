import { linkLimits } from "@pro-talent/schemas/links/limits";
import { readExternalUrl } from "@pro-talent/schemas/links/read-external-url";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { Field } from "../../../ui/field/field.tsx";
import { textIn } from "../../form-machine.ts";
import { SecretForm } from "./secret-form.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

/** Adds a webhook. @param onMade receives the secret, which is shown once */
export function WebhookForm({ onMade }: { onMade: (secret: string) => void }) {
  const { t } = useTranslation("account-api");
  return (
    <SecretForm
      texts={t("webhooks.add", { returnObjects: true })}
      faultsIn={(data) => ({
        url: "fault" in readExternalUrl(textIn(data, "url")) ? "urlInvalid" : undefined,
      })}
      make={(data) =>
        accountApi().call("POST /api/link-webhooks", { body: { url: textIn(data, "url") } })
      }
      listKey={webhooksQuery.queryKey}
      onMade={onMade}
    >
      {(field) => (
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
      )}
    </SecretForm>
  );
}
