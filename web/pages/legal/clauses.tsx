import type { ReactNode } from "react";

import type { LegalSection } from "./legal-page.tsx";

/** A section of a legal text. A key is a paragraph, a list of keys is a list of points. */
export type Clause<Key extends string> = {
  id: string;
  title: Key;
  text: readonly (Key | readonly Key[])[];
};

/**
 * Clauses in the current language. Content beyond text (a table, a button, an address) is appended
 * to the section with its id.
 */
export function readClauses<Key extends string>(
  clauses: readonly Clause<Key>[],
  translate: (key: Key) => string,
  extras: Readonly<Record<string, ReactNode>> = {},
): LegalSection[] {
  const read = (part: Key | readonly Key[]) =>
    typeof part === "string" ? (
      <p key={part}>{translate(part)}</p>
    ) : (
      <ul key={part[0]}>
        {part.map((key) => (
          <li key={key}>{translate(key)}</li>
        ))}
      </ul>
    );
  return clauses.map(({ id, title, text }) => ({
    id,
    title: translate(title),
    content: (
      <>
        {text.map(read)}
        {extras[id]}
      </>
    ),
  }));
}
