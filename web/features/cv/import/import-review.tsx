import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { AdviceStore } from "../../documents/edit/advice-store.ts";
import { type Editing, EditingProvider } from "../../documents/edit/editing.ts";
import { entryTitle, useSectionTitle } from "../../documents/edit/part-words.ts";
import type { CvDocument, Import } from "../cv-queries.ts";
import { useCvActs } from "../list/cv-acts.ts";
import { LeafField, useLeafLabel } from "./leaf-field.tsx";
import { type Leaf, leafGroups, type LeafGroup, withoutSkipped } from "./leaves.ts";

type Findings = Import["findings"];

/** The heading of a group: its section and entry, as they are now. */
function useGroupTitle(document: CvDocument) {
  const { t } = useTranslation("cv");
  const titleOf = useSectionTitle();
  return ({ path, sectionId }: LeafGroup): string => {
    const section = document.sections.find(({ id }) => id === sectionId);
    const entry = section?.entries.find(({ id }) => path.endsWith(`/${id}`));
    if (section === undefined) return t("profile.title");
    const title = entry === undefined ? "" : entryTitle(entry).title;
    return [titleOf(section), title].filter(Boolean).join(": ");
  };
}

type GroupProps = {
  group: LeafGroup;
  document: CvDocument;
  skipped: ReadonlySet<string>;
  onSkip: (paths: readonly string[], skip: boolean) => void;
};

/** The fields of the profile or of an entry; each is taken over, corrected or skipped. */
function Group({ group, document, skipped, onSkip }: GroupProps) {
  const { t } = useTranslation("cv");
  const label = useLeafLabel();
  const title = useGroupTitle(document)(group);
  const paths = group.leaves.map(({ path }) => path);
  const all = paths.every((path) => skipped.has(path));
  return (
    <section className="cv-review__group" aria-label={title}>
      <div className="cv-section__head">
        <h2 className="cv-section__title">
          <bdi>{title}</bdi>
        </h2>
        <Button variant="text" onClick={() => onSkip(paths, !all)}>
          {t(all ? "import.takeAll" : "import.skipAll")}{" "}
          <span className="visually-hidden">{title}</span>
        </Button>
      </div>
      <ul>
        {group.leaves.map((leaf: Leaf) => (
          <li key={leaf.path} className="cv-review__field" data-skipped={skipped.has(leaf.path)}>
            <LeafField leaf={leaf} document={document} />
            <Button
              aria-pressed={skipped.has(leaf.path)}
              onClick={() => onSkip([leaf.path], !skipped.has(leaf.path))}
            >
              {t("import.skip")} <span className="visually-hidden">{label(leaf)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the file had that was not taken over as it was. */
function FindingList({ findings }: { findings: Findings }) {
  const { t } = useTranslation("cv-checks");
  if (findings.length === 0) return <p>{t("import.none")}</p>;
  return (
    <section className="cv-panel__part" aria-labelledby="cv-import-findings">
      <h2 id="cv-import-findings">{t("import.title", { count: findings.length })}</h2>
      <ul className="cv-findings">
        {findings.map(({ path, code, text }) => (
          <li key={`${path} ${code} ${text}`}>
            <strong>
              <bdi dir="ltr">{path}</bdi>
            </strong>
            <span>
              {t(`import.${code}`)} <bdi>{text}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type ImportReviewProps = {
  imported: Import;
  onMade: (cvId: string) => void;
  onLeave: () => void;
};

/** What was edited, and which fields are left out. */
function useReview(imported: Import) {
  const [document, setDocument] = useState<CvDocument>(imported.document);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const advice = useMemo(() => new AdviceStore(), []);
  const { language } = document;
  const editing = useMemo<Editing>(
    () => ({
      edit: (change) => setDocument(change),
      announce: () => undefined,
      language,
      advice,
    }),
    [advice, language],
  );
  // What was emptied stays where it was.
  const groups = useMemo(() => leafGroups(imported.document), [imported]);
  const skip = (paths: readonly string[], left: boolean): void =>
    setSkipped((known) => {
      const next = new Set(known);
      for (const path of paths) {
        if (left) next.add(path);
        else next.delete(path);
      }
      return next;
    });
  return { document, skipped, editing, groups, skip };
}

/** A file that was read, field by field, before a CV is made of it. */
export function ImportReview({ imported, onMade, onLeave }: ImportReviewProps) {
  const { t } = useTranslation("cv");
  const acts = useCvActs();
  const { document, skipped, editing, groups, skip } = useReview(imported);
  const [title, setTitle] = useState(document.profile.fullName || t("one"));
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    const made = await acts.create({
      title: title.trim() || t("one"),
      language: document.language,
      document: withoutSkipped(document, skipped),
    });
    setBusy(false);
    if (made !== undefined) onMade(made.cvId);
  };
  return (
    <EditingProvider value={editing}>
      <PageHeader
        title={t("import.title")}
        lead={t("import.lead", { source: t(`import.sources.${imported.source}`) })}
      />
      <div className="cv-review">
        <FindingList findings={imported.findings} />
        {groups.map((group) => (
          <Group
            key={group.path}
            group={group}
            document={document}
            skipped={skipped}
            onSkip={skip}
          />
        ))}
        <Field id="cv-import-title" label={t("name.label")} hint={t("name.hint")}>
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        <div className="cv-actions">
          <Button variant="solid" disabled={busy} onClick={() => void make()}>
            {t(busy ? "import.making" : "import.make")}
          </Button>
          <Button disabled={busy} onClick={onLeave}>
            {t("import.leave")}
          </Button>
        </div>
      </div>
    </EditingProvider>
  );
}
