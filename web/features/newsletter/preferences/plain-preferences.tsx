import { leaveField, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { PreferenceFields } from "./preference-fields.tsx";

/**
 * The form for browsers without scripts, which cannot load the stored preferences. It posts to the
 * page's own address, which has the token; the name of the pressed button says whether to
 * unsubscribe.
 */
export function PlainPreferences() {
  const { t } = useTranslation("newsletter-preferences");
  const language = useLanguage();
  const { preferences } = subscriptionDefaults.footer_form;
  return (
    <form className="preferences-form preferences-form--plain" method="post">
      <p className="preferences-form__note">{t("plain")}</p>
      <PreferenceFields preferences={{ ...preferences, language }} topicMissing={false} />
      <div className="preferences-form__press">
        <Button type="submit" look="solid">
          {t("save")}
        </Button>
        <Button type="submit" name={leaveField} value="yes">
          {t("leave.press")}
        </Button>
      </div>
    </form>
  );
}
