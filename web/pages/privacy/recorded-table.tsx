import { useTranslation } from "react-i18next";

type Answer = "yes" | "no" | "never" | "daily";

function Cell({ answer }: { answer: Answer }) {
  const { t } = useTranslation("privacy");
  const texts: Record<Answer, string> = {
    yes: t("comparison.yes"),
    no: t("comparison.no"),
    never: t("comparison.never"),
    daily: t("comparison.daily"),
  };
  const recorded = answer === "yes" || answer === "daily";
  return <td className={recorded ? "legal-table__yes" : "legal-table__no"}>{texts[answer]}</td>;
}

/** What a visit records with consent and without. */
export function RecordedTable() {
  const { t } = useTranslation("privacy");
  const rows: readonly { name: string; without: Answer; consented: Answer }[] = [
    { name: t("comparison.rows.page"), without: "daily", consented: "yes" },
    { name: t("comparison.rows.clicks"), without: "daily", consented: "yes" },
    { name: t("comparison.rows.title"), without: "no", consented: "yes" },
    { name: t("comparison.rows.position"), without: "no", consented: "yes" },
    { name: t("comparison.rows.device"), without: "no", consented: "yes" },
    { name: t("comparison.rows.place"), without: "no", consented: "yes" },
    { name: t("comparison.rows.id"), without: "no", consented: "yes" },
    { name: t("comparison.rows.address"), without: "never", consented: "never" },
  ];
  return (
    <table className="legal-table">
      <caption>{t("comparison.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("comparison.what")}</th>
          <th scope="col">{t("comparison.without")}</th>
          <th scope="col">{t("comparison.with")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, without, consented }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <Cell answer={without} />
            <Cell answer={consented} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
