import { useLanguage } from "../i18n/use-language.ts";
import { LinkedText } from "../ui/linked-text/linked-text.tsx";
import type { OwnRequest } from "./account/privacy/requests-query.ts";

type Withheld = OwnRequest["withheld"][number];
type Props = {
  withheld: readonly Withheld[];
  title: string;
  reasonText: (reason: Withheld["reason"]) => string;
  /** How to object; `write` is the part of it that leads to the contact form. */
  objection: string;
  write: string;
};

/** What is left out of a copy and why, and how to object. */
export function WithheldPassages({ withheld, title, reasonText, objection, write }: Props) {
  const number = new Intl.NumberFormat(useLanguage());
  if (withheld.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {withheld.map(({ store, reason, count }) => (
          <li key={`${store} ${reason}`}>
            {reasonText(reason)}: {number.format(count)}
          </li>
        ))}
      </ul>
      <p>
        <LinkedText text={objection} phrases={[{ text: write, href: "/contact" }]} />
      </p>
    </>
  );
}
