import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { HeldValueText } from "../held-records.tsx";
import type { CollectedEntry, Redaction, Store } from "./copy-review-queries.ts";

type Value = CollectedEntry["values"][number];
type Marking = {
  store: Store;
  reason: Redaction["reason"];
  redactions: readonly Redaction[];
  /** Undefined: this officer does not have the request, or there is nothing to change. */
  onChange: ((redactions: Redaction[]) => void) | undefined;
};

/** A text field counts the end of a line once, whatever stands there. */
export const placeIn = (text: string, shown: number): number => {
  let place = 0;
  for (let counted = 0; counted < shown && place < text.length; counted += 1)
    place += text.startsWith("\r\n", place) ? 2 : 1;
  return place;
};

const isSamePlace = (one: Redaction, other: Redaction): boolean =>
  one.store === other.store && one.entry === other.entry;

/** With one more; what it covers is replaced. */
const withMore = (all: readonly Redaction[], added: Redaction): Redaction[] => [
  ...all.filter((one) => {
    if (!isSamePlace(one, added)) return true;
    if (added.value === null || one.value === null) return false;
    if (one.value !== added.value) return true;
    if (one.span === null || added.span === null) return false;
    return one.span.to <= added.span.from || added.span.to <= one.span.from;
  }),
  added,
];

type ValueProps = { value: Value; place: Omit<Redaction, "span" | "reason">; marking: Marking };

/** One value: all of it is withheld, or of a text what is selected in it. */
function CollectedValue({ value, place, marking }: ValueProps) {
  const { t } = useTranslation(["copy-review", "account-privacy"]);
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isNothingSelected, setIsNothingSelected] = useState(false);
  const { onChange, redactions, reason } = marking;
  const name = t(`account-privacy:held.fields.${value.field}`);
  const withhold = (span: Redaction["span"]) =>
    onChange?.(withMore(redactions, { ...place, span, reason }));
  const withholdSelected = () => {
    const { selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    setIsNothingSelected(selectionStart === selectionEnd);
    if (!("text" in value) || selectionStart === selectionEnd) return;
    const [from, to] = [placeIn(value.text, selectionStart), placeIn(value.text, selectionEnd)];
    withhold({ from, to });
  };
  const isText = "text" in value && value.text !== "";
  return (
    <div className="copy-review__value">
      {isText ? (
        <>
          <label htmlFor={id}>{name}</label>
          <textarea
            id={id}
            ref={area}
            className="field__control"
            // A field that is read only has no place of writing, from which the keyboard selects.
            aria-readonly
            onChange={() => undefined}
            onBeforeInput={(event) => event.preventDefault()}
            dir="auto"
            rows={Math.min(8, 1 + Math.floor(value.text.length / 60))}
            value={value.text}
          />
        </>
      ) : (
        <p>
          <span className="privacy-queue__quiet">{name}</span> <HeldValueText value={value} />
        </p>
      )}
      {onChange !== undefined && (
        <div className="privacy-review__acts">
          {isText && (
            <Button onClick={withholdSelected}>
              {t("mark.selected")}
              <span className="visually-hidden">: {name}</span>
            </Button>
          )}
          <Button variant="text" onClick={() => withhold(null)}>
            {t("mark.value")}
            <span className="visually-hidden">: {name}</span>
          </Button>
        </div>
      )}
      <output className="privacy-queue__quiet">{isNothingSelected && t("mark.nothing")}</output>
    </div>
  );
}

type EntryProps = { entry: CollectedEntry; marking: Marking };

/** One entry with its values, and what is withheld of it. */
export function Entry({ entry: { entry, values }, marking }: EntryProps) {
  const { t } = useTranslation(["copy-review", "account-privacy"]);
  const { store, redactions, reason, onChange } = marking;
  const own = redactions.filter((one) => one.store === store && one.entry === entry);
  const title = t("entry", { number: entry + 1 });
  const shownOf = ({ value, span }: Redaction): string => {
    const one = value === null ? undefined : values[value];
    if (one === undefined) return t("mark.wholeEntry");
    const field = t(`account-privacy:held.fields.${one.field}`);
    return span === null || !("text" in one)
      ? t("mark.wholeValue", { field })
      : t("mark.passage", { field, words: one.text.slice(span.from, span.to) });
  };
  return (
    <li className="copy-review__entry">
      <h2>{title}</h2>
      {values.map((value, place) => (
        <CollectedValue
          // oxlint-disable-next-line react/no-array-index-key -- an entry may name a field twice
          key={place}
          value={value}
          place={{ store, entry, value: place }}
          marking={marking}
        />
      ))}
      {own.length > 0 && (
        <ul className="copy-review__marked" aria-label={t("mark.list", { entry: title })}>
          {own.map((one) => (
            <li key={`${one.value} ${one.span?.from}`}>
              <span>
                <bdi>{shownOf(one)}</bdi>
                <span className="privacy-queue__quiet"> {t(`reasons.${one.reason}`)}</span>
              </span>
              {onChange !== undefined && (
                <Button
                  variant="text"
                  onClick={() => onChange(redactions.filter((other) => other !== one))}
                >
                  {t("mark.remove")}
                  <span className="visually-hidden">: {shownOf(one)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {onChange !== undefined && (
        <Button
          variant="text"
          onClick={() =>
            onChange(withMore(redactions, { store, entry, value: null, span: null, reason }))
          }
        >
          {t("mark.entry")}
          <span className="visually-hidden">: {title}</span>
        </Button>
      )}
    </li>
  );
}
