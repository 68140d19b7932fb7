import { leaveField, subscriptionDefaults } from "@pro-talent/schemas/newsletter/categories";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { WishFields } from "./wish-fields.tsx";

/**
 * The form where no script runs: nobody can say there what was chosen before. It posts to the page's
 * own address, token and all; by the name of its button the server knows who wants to leave.
 */
export function PlainPreferences() {
  const { t } = useTranslation("newsletter-preferences");
  const language = useLanguage();
  const { preferences } = subscriptionDefaults.footer_form;
  return (
    <form className="wishes wishes--plain" method="post">
      <p className="wishes__note">{t("plain")}</p>
      <WishFields wishes={{ ...preferences, language }} topicMissing={false} />
      <div className="wishes__press">
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
