import { useTranslation } from "react-i18next";

import { useViewTexts } from "../view-texts.ts";

/** The texts of the six states of a view of billing; `failed` says what could not be loaded. */
export function useBillingView(
  part: "subscription" | "payments" | "invoices",
): ReturnType<typeof useViewTexts> {
  const { t } = useTranslation("subscription");
  const { texts, describe } = useViewTexts(t(`view.${part}.loading`));
  return {
    texts,
    describe: (cause) => {
      const described = describe(cause);
      const named = cause === "offline" || described.denied === true;
      return named ? described : { ...described, title: t(`view.${part}.failed`) };
    },
  };
}
