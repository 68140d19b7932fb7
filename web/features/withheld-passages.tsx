import { useTranslation } from "react-i18next";

import { useLanguage } from "../i18n/use-language.ts";
import { LinkedText } from "../ui/linked-text/linked-text.tsx";
import type { OwnRequest } from "./account/privacy/requests-query.ts";

type Props = {
  withheld: OwnRequest["withheld"];
  /** Where the texts of the page are. */
  texts: "account-privacy:requests.withheld" | "privacy-request:status.withheld";
};

/** What is left out of a copy and why, and how to object. */
export function WithheldPassages({ withheld, texts }: Props) {
  const { t } = useTranslation(["account-privacy", "privacy-request"]);
  const number = new Intl.NumberFormat(useLanguage());
  if (withheld.length === 0) return null;
  return (
    <>
      <p>{t(`${texts}.title`)}</p>
      <ul>
        {withheld.map(({ store, reason, count }) => (
          <li key={`${store} ${reason}`}>
            {t(`${texts}.reasons.${reason}`)}: {number.format(count)}
          </li>
        ))}
      </ul>
      <p>
        <LinkedText
          text={t(`${texts}.objection`)}
          phrases={[{ text: t(`${texts}.write`), href: "/contact" }]}
        />
      </p>
    </>
  );
}
