import { useTranslation } from "react-i18next";

import "./columns-section.css";

type Row = { id: string; side: string; main: string };
type SheetProps = { lang: "en" | "he"; rows: readonly Row[] };

/** A two-column page, the path of a text reader that goes straight across, and its result. */
function ColumnSheet({ lang, rows }: SheetProps) {
  const { t } = useTranslation("what-is-ats");
  const dir = lang === "he" ? "rtl" : "ltr";
  return (
    <div className="across">
      <p className="across__label">{t("columns.page")}</p>
      <div className="across__page" lang={lang} dir={dir}>
        <div className="across__sidebar" />
        <ol className="across__rows">
          {rows.map(({ id, side, main }) => (
            <li key={id}>
              <span>
                <bdi>{side}</bdi>
              </span>{" "}
              <span>
                <bdi>{main}</bdi>
              </span>
            </li>
          ))}
        </ol>
      </div>
      <p className="across__label">{t("columns.result")}</p>
      <p className="across__result" lang={lang} dir={dir}>
        {rows.map(({ id, side, main }) => (
          <span key={id}>
            <bdi>{side}</bdi> <bdi>{main}</bdi>{" "}
          </span>
        ))}
      </p>
    </div>
  );
}

function useRows(): Record<"en" | "he", readonly Row[]> {
  const { t } = useTranslation("what-is-ats");
  return {
    en: [
      {
        id: "heading",
        side: t("columns.sheet.contact.english"),
        main: t("columns.sheet.experience.english"),
      },
      {
        id: "first",
        side: t("columns.sheet.phone.english"),
        main: t("columns.sheet.role.english"),
      },
      {
        id: "second",
        side: t("columns.sheet.city.english"),
        main: t("columns.sheet.company.english"),
      },
    ],
    he: [
      {
        id: "heading",
        side: t("columns.sheet.contact.hebrew"),
        main: t("columns.sheet.experience.hebrew"),
      },
      { id: "first", side: t("columns.sheet.phone.hebrew"), main: t("columns.sheet.role.hebrew") },
      {
        id: "second",
        side: t("columns.sheet.city.hebrew"),
        main: t("columns.sheet.company.hebrew"),
      },
    ],
  };
}

export function ColumnsSection() {
  const { t } = useTranslation("what-is-ats");
  const rows = useRows();
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
            <ColumnSheet lang="en" rows={rows.en} />
            <ColumnSheet lang="he" rows={rows.he} />
          </div>
          <figcaption>{t("columns.caption")}</figcaption>
        </figure>
      </div>
    </section>
  );
}
