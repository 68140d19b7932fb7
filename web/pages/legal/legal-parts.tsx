import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../features/consent/consent-store.ts";
import { Button, type ButtonVariant } from "../../ui/button/button.tsx";
import type { LegalSection } from "./legal-page.tsx";

/** Day of the last change of legal texts that have not changed since (specification §9). */
export const legalUpdated = "2025-10-17";

/** Contact addresses in legal texts. */
export const supportAddress = "support@protalent.example";
export const privacyAddress = "privacy@protalent.example";
export const accessibilityAddress = "accessibility@protalent.example";

type Texts = Readonly<Record<string, string>>;
/** The parts of a section in their order: a text is a paragraph, texts together a list of points. */
type SectionTexts = Readonly<Record<string, string | Texts>> & { title: string };

/**
 * Sections in the order of the texts. Content beyond text (a table, a button, an address) is
 * appended to the section with its id.
 */
export function legalSections(
  texts: Readonly<Record<string, SectionTexts>>,
  extras: Readonly<Record<string, ReactNode>>,
): LegalSection[] {
  return Object.entries(texts).map(([id, { title, ...parts }]) => ({
    id,
    title,
    content: (
      <>
        {Object.entries(parts).map(([name, part]) =>
          typeof part === "string" ? (
            <p key={name}>{part}</p>
          ) : (
            <ul key={name}>
              {Object.values(part).map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          ),
        )}
        {extras[id]}
      </>
    ),
  }));
}

type LegalTableProps = {
  caption: string;
  columns: Texts;
  /** The cells of a row in the order of the columns; the first is its header. */
  rows: Readonly<Record<string, Texts>>;
  /** What a cell shows, if not its text. */
  render?: (text: string, column: number) => ReactNode;
  /** For rows that are too long for a phone, which shows a cell below the other with its column's name. */
  stacked?: boolean;
};

export function LegalTable({ caption, columns, rows, render, stacked = false }: LegalTableProps) {
  const names = Object.values(columns);
  const shown = render ?? ((text) => text);
  return (
    <table className={stacked ? "legal-table legal-table--stacked" : "legal-table"}>
      <caption className={stacked ? "visually-hidden" : undefined}>{caption}</caption>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(rows).map(([id, row]) => (
          <tr key={id}>
            {Object.values(row).map((text, column) =>
              column === 0 ? (
                <th key={names[column]} scope="row">
                  {shown(text, column)}
                </th>
              ) : (
                <td key={names[column]} data-column={names[column]}>
                  {shown(text, column)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function MailLine({ label, address }: { label: string; address: string }) {
  return (
    <p>
      {label}{" "}
      <a href={`mailto:${address}`} dir="ltr">
        {address}
      </a>
    </p>
  );
}

/** Opens the cookie settings through the window event of specification §2. */
export function OpenSettings({ variant }: { variant?: ButtonVariant }) {
  const { t } = useTranslation("legal");
  return (
    <Button
      {...(variant === undefined ? {} : { variant })}
      onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}
    >
      {t("openSettings")}
    </Button>
  );
}
