import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../features/consent/consent-store.ts";
import { Button, type ButtonLook } from "../../ui/button/button.tsx";

/** Opens the cookie settings through the window event of specification §2. */
export function OpenSettings({ look }: { look?: ButtonLook }) {
  const { t } = useTranslation("legal");
  return (
    <Button
      {...(look === undefined ? {} : { look })}
      onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}
    >
      {t("openSettings")}
    </Button>
  );
}
