import { useTranslation } from "react-i18next";

import "./columns-section.css";
import "./turned-section.css";

type Row = {
  side: Record<"english" | "hebrew", string>;
  main: Record<"english" | "hebrew", string>;
};
type SheetProps = { lang: "en" | "he"; rows: readonly Row[] };

/** A two-column page, the path of a text reader that goes straight across, and its result. */
function ColumnSheet({ lang, rows }: SheetProps) {
  const { t } = useTranslation("ats-story");
  const dir = lang === "he" ? "rtl" : "ltr";
  const own = lang === "he" ? "hebrew" : "english";
  return (
    <div className="across">
      <p className="across__label">{t("columns.page")}</p>
      <div className="across__page" lang={lang} dir={dir}>
        <div className="across__sidebar" />
        <ol className="across__rows">
          {rows.map(({ side, main }) => (
            <li key={main[own]}>
              <span>
                <bdi>{side[own]}</bdi>
              </span>{" "}
              <span>
                <bdi>{main[own]}</bdi>
              </span>
            </li>
          ))}
        </ol>
      </div>
      <p className="across__label">{t("columns.result")}</p>
      <p className="across__result" lang={lang} dir={dir}>
        {rows.map(({ side, main }) => (
          <span key={main[own]}>
            <bdi>{side[own]}</bdi> <bdi>{main[own]}</bdi>{" "}
          </span>
        ))}
      </p>
    </div>
  );
}

export function ColumnsSection() {
  const { t } = useTranslation("ats-story");
  const rows = Object.values(t("columns.rows", { returnObjects: true }));
  return (
    <section className="ats-columns" aria-labelledby="columns-title">
      <div className="ats-columns__grid page-width">
        <h2 id="columns-title">{t("columns.title")}</h2>
        <div className="ats-columns__text">
          <p>{t("columns.body")}</p>
          <p>{t("columns.both")}</p>
        </div>
        <figure className="ats-columns__figure">
          <div className="ats-columns__sheets">
            <ColumnSheet lang="en" rows={rows} />
            <ColumnSheet lang="he" rows={rows} />
          </div>
          <figcaption>{t("columns.caption")}</figcaption>
        </figure>
      </div>
    </section>
  );
}

/** A sample of text: Hebrew, or an address or a number, in either language of the page. */
function Sample({ text }: { text: string | { hebrew: string } }) {
  return typeof text === "string" ? (
    <bdi dir="ltr">{text}</bdi>
  ) : (
    <bdi lang="he" dir="rtl">
      {text.hebrew}
    </bdi>
  );
}

export function TurnedSection() {
  const { t } = useTranslation("ats-story");
  const rows = Object.entries(t("turned.rows", { returnObjects: true }));
  return (
    <section className="turned page-width" aria-labelledby="turned-title">
      <div className="turned__head">
        <h2 id="turned-title">{t("turned.title")}</h2>
        <p>{t("turned.body")}</p>
      </div>
      <ul className="turned__rows">
        {rows.map(([id, { label, note, written, read }]) => (
          <li className="turned__row" key={id}>
            <div className="turned__label">
              <h3>{label}</h3>
              <p>{note}</p>
            </div>
            <dl>
              <div>
                <dt>{t("turned.written")}</dt>
                <dd>
                  <Sample text={written} />
                </dd>
              </div>
              <div>
                <dt>{t("turned.read")}</dt>
                <dd className="turned__wrong">
                  <Sample text={read} />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      <div className="turned__measured">
        <h3>{t("turned.measured.title")}</h3>
        <p>{t("turned.measured.body")}</p>
        <p className="turned__limit">{t("turned.measured.limit")}</p>
      </div>
    </section>
  );
}
