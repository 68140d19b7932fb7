import type { HeldSection, HeldValue } from "@pro-talent/schemas/privacy/held-data";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../i18n/use-language.ts";
import { instantText } from "./instant-text.ts";

import "./held-records.css";

/** One value, in the words of the language. */
export function HeldValueText({ value }: { value: HeldValue }) {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  if ("at" in value) return <time dateTime={value.at}>{instantText(language, value.at)}</time>;
  if ("word" in value) return t(`held.words.${value.word}`);
  if ("count" in value) return new Intl.NumberFormat(language).format(value.count);
  if ("unreadable" in value) return t("held.unreadable");
  return value.text === "" ? t("held.none") : <bdi>{value.text}</bdi>;
}

/** Records of one section, each with its values. */
export function HeldRecords({ records }: Pick<HeldSection, "records">) {
  const { t } = useTranslation("account-privacy");
  return (
    <ul className="held__records">
      {records.map((record, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- records have no names, and the list never changes in part
        <li key={index}>
          <dl className="held__values">
            {record.map((value, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- a record may name a field twice
              <div key={place}>
                <dt>{t(`held.fields.${value.field}`)}</dt>
                <dd>
                  <HeldValueText value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
