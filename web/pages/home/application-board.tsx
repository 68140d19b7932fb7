import { useTranslation } from "react-i18next";

import "./application-board.css";

type Slip = { company: string; note: string; opened?: boolean };

function Stage({ name, slips }: { name: string; slips: readonly Slip[] }) {
  return (
    <div className="board__stage">
      <p className="board__name">{name}</p>
      {slips.map(({ company, note, opened }) => (
        <p className={opened ? "board__slip board__slip--opened" : "board__slip"} key={company}>
          <span className="board__company">{company}</span>
          <span className="board__note">{note}</span>
        </p>
      ))}
    </div>
  );
}

export function ApplicationBoard() {
  const { t } = useTranslation("home");
  const north = { company: t("example.companies.north"), note: t("values.tracker.notes.north") };
  const carob = { company: t("example.companies.carob"), note: t("values.tracker.notes.carob") };
  const harbour = {
    company: t("example.companies.harbour"),
    note: t("values.tracker.notes.harbour"),
    opened: true,
  };
  const meridian = {
    company: t("example.companies.meridian"),
    note: t("values.tracker.notes.meridian"),
  };
  return (
    <div className="board">
      <Stage name={t("values.tracker.saved")} slips={[north]} />
      <Stage name={t("values.tracker.sent")} slips={[harbour, carob]} />
      <Stage name={t("values.tracker.interview")} slips={[meridian]} />
      <Stage name={t("values.tracker.offer")} slips={[]} />
    </div>
  );
}
