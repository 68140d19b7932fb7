import type { Section } from "@pro-talent/schemas/studio/document";
import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { memo, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { idOf, useEditing } from "./editing.ts";
import { add, newEntry, put } from "./edits.ts";
import { EntryFields } from "./entry-fields.tsx";
import { Advice, LineField } from "./line-field.tsx";
import { OrderMenu } from "./order-menu.tsx";
import { type Entry, entryTitle, lineOf, useMonthWords, useSectionTitle } from "./part-words.ts";
import { useRemoval } from "./use-removal.ts";

type EntryFormProps = {
  section: Pick<Section, "id" | "kind">;
  entry: Entry;
  index: number;
  count: number;
  /** The entry before it. */
  previous: string | undefined;
  /** Opened at once, with the focus in its first field. */
  isNew: boolean;
};

/** Moves the focus into the first field of what was just added. */
function useFirstFocus(isNew: boolean) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew)
      place.current?.querySelector<HTMLElement>("input, textarea, [role=textbox]")?.focus();
  }, [isNew]);
  return place;
}

const EntryForm = memo(function EntryForm(props: EntryFormProps) {
  const { section, entry, index, count, previous, isNew } = props;
  const { t } = useTranslation("cv");
  const removeSafely = useRemoval();
  const period = useMonthWords();
  const id = useId();
  const isAlone = section.kind === "summary";
  const [open, setOpen] = useState(isNew || isAlone);
  const place = useFirstFocus(isNew);
  const list = `sections/${section.id}/entries`;
  const { title, beside } = entryTitle(entry);
  const name = title || t("entry.untitled", { place: index + 1 });
  const dates = period(lineOf(entry, "start") || lineOf(entry, "date"), lineOf(entry, "end"));
  return (
    <li className="cv-entry" data-open={open}>
      {(count > 1 || !isAlone) && (
        <div className="cv-entry__head">
          {isAlone ? (
            <span className="cv-entry__title">{t("entry.paragraph")}</span>
          ) : (
            <button
              type="button"
              className="cv-entry__toggle"
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setOpen(!open)}
            >
              <Icon name="expand" />
              <span className="cv-entry__words">
                <bdi className="cv-entry__title">{name}</bdi>
                {(beside !== "" || dates !== "") && (
                  <span className="cv-quiet">
                    <bdi>{beside}</bdi>
                    {beside !== "" && dates !== "" && " · "}
                    {dates}
                  </span>
                )}
              </span>
            </button>
          )}
          <OrderMenu
            list={list}
            id={entry.id}
            index={index}
            count={count}
            name={name}
            onRemove={() => removeSafely(list, entry, { previous, name })}
          />
        </div>
      )}
      <div id={id} ref={place} hidden={!open}>
        {open && <EntryFields kind={section.kind} entry={entry} path={`${list}/${entry.id}`} />}
      </div>
    </li>
  );
});

type SectionHeadProps = {
  section: Section;
  index: number;
  count: number;
  title: string;
  onRename: () => void;
  onRemove: () => void;
};

/** The title of a section, and what is done with it. */
function SectionHead({ section, index, count, title, onRename, onRemove }: SectionHeadProps) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const path = `sections/${section.id}`;
  return (
    <div className="cv-section__head">
      <h2 className="cv-section__title" id={idOf(`${path}/heading`)}>
        <bdi>{title}</bdi>
      </h2>
      {!section.shown && <span className="cv-quiet">{t("section.hidden")}</span>}
      <OrderMenu
        list="sections"
        id={section.id}
        index={index}
        count={count}
        name={title}
        more={[
          { id: "rename", text: t("section.rename"), run: onRename },
          {
            id: "show",
            text: t(section.shown ? "section.hide" : "section.show"),
            run: () => edit(put(`${path}/shown`, !section.shown)),
          },
        ]}
        onRemove={onRemove}
      />
    </div>
  );
}

/** Another title than the usual one. */
function TitleField({ section }: { section: Section }) {
  const { t } = useTranslation("cv");
  return (
    <LineField
      path={`sections/${section.id}/title`}
      label={t("section.title")}
      hint={t("section.titleHint", { title: t(`kinds.${section.kind}`) })}
      value={section.title}
    />
  );
}

type SectionFormProps = {
  section: Section;
  index: number;
  count: number;
  previous: string | undefined;
  isNew: boolean;
};

/** One section: its title, and its entries in their order. */
export const SectionForm = memo(function SectionForm(props: SectionFormProps) {
  const { section, index, count, previous, isNew } = props;
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const removeSafely = useRemoval();
  const title = useSectionTitle()(section);
  const [added, setAdded] = useState(isNew ? section.entries[0]?.id : undefined);
  const [renaming, setRenaming] = useState(false);
  const path = `sections/${section.id}`;
  const headingId = idOf(`${path}/heading`);
  const entries: readonly Entry[] = section.entries;
  const addEntry = (): void => {
    const entry = newEntry(section.kind);
    setAdded(entry.id);
    edit(add(`${path}/entries`, entry));
  };
  return (
    <li className="cv-section" data-shown={section.shown}>
      <section aria-labelledby={headingId}>
        <SectionHead
          section={section}
          index={index}
          count={count}
          title={title}
          onRename={() => setRenaming(true)}
          onRemove={() => removeSafely("sections", section, { previous, name: title })}
        />
        {(renaming || section.title !== "") && <TitleField section={section} />}
        <Advice path={path} />
        <ul className="cv-section__entries" aria-label={title}>
          {entries.map((entry, place) => (
            <EntryForm
              key={entry.id}
              section={section}
              entry={entry}
              index={place}
              count={entries.length}
              previous={entries[place - 1]?.id}
              isNew={entry.id === added}
            />
          ))}
        </ul>
        {(section.kind !== "summary" || entries.length === 0) && (
          <Button
            variant="text"
            disabled={entries.length >= cvLimits.entriesMax}
            onClick={addEntry}
          >
            <Icon name="more" />
            {t(`entry.add.${section.kind}`)}
          </Button>
        )}
      </section>
    </li>
  );
});
