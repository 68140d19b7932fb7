import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { locales } from "@pro-talent/schemas/primitives/locale";

import { contactTitles, titles } from "./synonyms.ts";
import {
  comparable,
  type ContactField,
  contactFields,
  contactTitle,
  type Field,
  fields,
  words,
} from "./words.ts";

/** The columns of a table by what they are about, as places in its rows. */
export type Columns = {
  readonly titles: readonly string[];
  readonly fields: ReadonlyMap<Field, number>;
  readonly contacts: readonly ReadonlyMap<ContactField, number>[];
  /** Without a field. */
  readonly others: readonly number[];
};

/** Recognises columns by their titles. Of several for one field, the most certain title counts. */
export function columnsOf(row: readonly string[]): Columns {
  const keys = row.map(comparable);
  const taken = new Set<number>();
  const take = (wanted: readonly string[]): number | undefined => {
    const places = wanted.map((title) => keys.indexOf(title));
    const place = places.find((one) => one >= 0 && !taken.has(one));
    if (place !== undefined) taken.add(place);
    return place;
  };
  const found = new Map<Field, number>();
  for (const field of fields) {
    const place = take(titles[field]);
    if (place !== undefined) found.set(field, place);
  }
  const contacts = contactColumns(take);
  // What every export of ours states is not reported as lost.
  for (const { columns } of Object.values(words))
    for (const title of [columns.added, columns.stageSince]) take([comparable(title)]);
  const others = [...keys.keys()].filter((place) => !taken.has(place));
  return { titles: row, fields: found, contacts, others };
}

/** Contacts whose names have a column: addresses alone may be the applicant's own, as in LinkedIn's table. */
function contactColumns(
  take: (wanted: readonly string[]) => number | undefined,
): Map<ContactField, number>[] {
  const contacts: Map<ContactField, number>[] = [];
  for (let number = 1; number <= limit.contactsMax; number += 1) {
    const columns = new Map<ContactField, number>();
    for (const field of contactFields) {
      const own = locales.map((language) => comparable(contactTitle(language, number, field)));
      const place = take(number === 1 ? [...own, ...contactTitles[field]] : own);
      if (place !== undefined) columns.set(field, place);
      else if (field === "name") return contacts;
    }
    contacts.push(columns);
  }
  return contacts;
}
