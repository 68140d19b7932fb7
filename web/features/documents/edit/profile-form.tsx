import { cvLimits } from "@pro-talent/schemas/studio/limits";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import type { EditedDocument } from "./document-at.ts";
import { useEditing } from "./editing.ts";
import { add, newId } from "./edits.ts";
import { LineField } from "./line-field.tsx";
import { OrderMenu } from "./order-menu.tsx";
import { useRemoval } from "./use-removal.ts";

type Profile = EditedDocument["profile"];

function Links({ links }: { links: Profile["links"] }) {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  const removeSafely = useRemoval();
  const list = "profile/links";
  return (
    <div className="cv-field--wide">
      {links.length > 0 && (
        <ul className="cv-links" aria-label={t("profile.links")}>
          {links.map((link, index) => {
            const name = link.label || link.url || t("profile.link", { place: index + 1 });
            return (
              <li key={link.id} className="cv-links__link">
                <LineField
                  path={`${list}/${link.id}/label`}
                  label={t("profile.linkLabel")}
                  value={link.label}
                />
                <LineField
                  path={`${list}/${link.id}/url`}
                  label={t("profile.linkUrl")}
                  value={link.url}
                  input={{ dir: "ltr", maxLength: cvLimits.urlCharsMax }}
                />
                <OrderMenu
                  list={list}
                  id={link.id}
                  index={index}
                  count={links.length}
                  name={name}
                  onRemove={() =>
                    removeSafely(list, link, { previous: links[index - 1]?.id, name })
                  }
                />
              </li>
            );
          })}
        </ul>
      )}
      <Button
        variant="text"
        disabled={links.length >= cvLimits.profileLinksMax}
        onClick={() => edit(add(list, { id: newId(), label: "", url: "" }))}
      >
        <Icon name="more" />
        {t("profile.addLink")}
      </Button>
    </div>
  );
}

/** Who a document is about, and how that person is reached. */
export function ProfileForm({ profile, children }: { profile: Profile; children?: ReactNode }) {
  const { t } = useTranslation("cv");
  return (
    <section className="cv-section" aria-labelledby="cv-profile">
      <h2 className="cv-section__title" id="cv-profile">
        {t("profile.title")}
      </h2>
      <div className="cv-fields">
        <LineField path="profile/fullName" label={t("profile.fullName")} value={profile.fullName} />
        <LineField
          path="profile/headline"
          label={t("profile.headline")}
          hint={t("profile.headlineHint")}
          value={profile.headline}
        />
        {profile.email !== undefined && (
          <LineField
            path="profile/email"
            label={t("profile.email")}
            value={profile.email}
            input={{ type: "email", dir: "ltr" }}
          />
        )}
        {profile.phone !== undefined && (
          <LineField
            path="profile/phone"
            label={t("profile.phone")}
            value={profile.phone}
            input={{ type: "tel", dir: "ltr" }}
          />
        )}
        <LineField path="profile/place" label={t("profile.place")} value={profile.place} />
        <Links links={profile.links} />
        {children}
      </div>
    </section>
  );
}
