import { useTranslation } from "react-i18next";

export function KeyTable() {
  const { t } = useTranslation("accessibility");
  const keys = [
    { name: "Tab", does: t("keys.tab") },
    { name: "Shift + Tab", does: t("keys.back") },
    { name: "Enter", does: t("keys.enter") },
    { name: "Space", does: t("keys.space") },
    { name: "Esc", does: t("keys.escape") },
    { name: "← →", does: t("keys.arrows") },
  ];
  return (
    <table className="legal-table">
      <caption>{t("keys.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("keys.key")}</th>
          <th scope="col">{t("keys.does")}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ name, does }) => (
          <tr key={name}>
            <th scope="row">
              <kbd dir="ltr">{name}</kbd>
            </th>
            <td>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
