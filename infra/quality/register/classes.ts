/**
 * What a stored field is, for privacy:
 * - identifier: names a person or a device by itself (address, e-mail, anonymous id)
 * - pseudonym: stands for one person, session or event; only with a key or other data does it name one
 * - coarse: a fact about a person that many share (country, browser family)
 * - content: what a person, or the site, wrote (page, title, event data)
 * - operational: a fact about the system, about nobody
 * - secret: must not be known outside
 */
export const FIELD_CLASSES = [
  "identifier",
  "pseudonym",
  "coarse",
  "content",
  "operational",
  "secret",
] as const;
export type FieldClass = (typeof FIELD_CLASSES)[number];

export type Field = { class: FieldClass; purpose: string };

/** A table, view, record or log: why it exists, how long it keeps what it holds, and its fields. */
export type Holding = {
  store: "postgres" | "clickhouse" | "spool" | "log";
  name: string;
  purpose: string;
  retention: string;
  /** For a view: the holdings that it shows; it keeps nothing itself. */
  shows?: string;
  fields: Record<string, Field>;
};

type Purposes = Record<string, string>;

/** Fields by class, each with its purpose: `fields({ coarse: { country: 'Where …' } })`. */
export function fields(byClass: Partial<Record<FieldClass, Purposes>>): Record<string, Field> {
  const all: Record<string, Field> = {};
  for (const fieldClass of FIELD_CLASSES) {
    for (const [name, purpose] of Object.entries(byClass[fieldClass] ?? {})) {
      if (name in all) throw new Error(`${name} is classified twice`);
      all[name] = { class: fieldClass, purpose };
    }
  }
  return all;
}

/** Some fields of another holding, with the same class and purpose. */
export function same(holding: Record<string, Field>, ...names: string[]): Record<string, Field> {
  return Object.fromEntries(
    names.map((name) => {
      const field = holding[name];
      if (field === undefined) throw new Error(`${name} is not classified where it comes from`);
      return [name, field];
    }),
  );
}
