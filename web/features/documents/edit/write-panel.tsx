import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { Icon } from "../../../ui/icon/icon.tsx";
import { Menu } from "../../../ui/menu/menu.tsx";
import type { EditedDocument } from "./document-at.ts";
import { useEditing } from "./editing.ts";
import { add, kinds, newSection } from "./edits.ts";
import { ProfileForm } from "./profile-form.tsx";
import { SectionForm } from "./section-form.tsx";

type WritePanelProps = {
  document: EditedDocument;
  /** Behind the fields of the profile. */
  children?: ReactNode;
};

/** What a document says: profile and sections. */
export function WritePanel({ document, children }: WritePanelProps) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const [added, setAdded] = useState<string>();
  const { profile, sections } = document;
  const addSection = (chosen: string): void => {
    const kind = kinds.find((one) => one === chosen);
    if (kind === undefined) return;
    const section = newSection(kind);
    setAdded(section.id);
    edit(add("sections", section));
  };
  const offered = kinds.filter(
    (kind) => kind === "custom" || !sections.some((section) => section.kind === kind),
  );
  return (
    <div className="cv-write">
      <ProfileForm profile={profile}>{children}</ProfileForm>
      <ul className="cv-sections" aria-label={t("section.all")}>
        {sections.map((section, index) => (
          <SectionForm
            key={section.id}
            section={section}
            index={index}
            count={sections.length}
            previous={sections[index - 1]?.id}
            isNew={section.id === added}
          />
        ))}
      </ul>
      {sections.length < cvLimits.sectionsMax && (
        <Menu
          label={t("section.add")}
          groups={[
            {
              id: "kinds",
              entries: offered.map((kind) => ({ id: kind, text: t(`kinds.${kind}`) })),
            },
          ]}
          onAction={addSection}
        >
          <Icon name="more" />
          {t("section.add")}
        </Menu>
      )}
    </div>
  );
}
