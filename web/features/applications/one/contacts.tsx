import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";
import type { Application, Details } from "../queries.ts";
import { usePartActs } from "./part-acts.ts";

type Contact = Details["contacts"][number];
const names = ["name", "role", "email", "phone", "note"] as const;
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

const faultsIn = (data: FormData): Faults => ({
  name: textIn(data, "name").trim() === "" ? "applications:errors.nameRequired" : undefined,
});

type DialogProps = {
  application: Application;
  /** Undefined for a new one. */
  contact: Contact | undefined;
  onClose: () => void;
};

function ContactDialog({ application, contact, onClose }: DialogProps) {
  const { t } = useTranslation(["application", "applications"]);
  const { patch } = usePartActs(application.applicationId);
  const { details } = application;
  const send = async (data: FormData) => {
    const next: Contact = {
      contactId: contact?.contactId ?? crypto.randomUUID(),
      name: textIn(data, "name"),
      role: textIn(data, "role"),
      email: textIn(data, "email"),
      phone: textIn(data, "phone"),
      note: textIn(data, "note"),
    };
    const isKnown = contact !== undefined;
    const contacts = isKnown
      ? details.contacts.map((one) => (one.contactId === next.contactId ? next : one))
      : [...details.contacts, next];
    const refused = refusalIn(await patch({ details: { ...details, contacts } }));
    if (refused === undefined) onClose();
    return refused;
  };
  return (
    <Dialog
      title={t(contact === undefined ? "contacts.add" : "contacts.edit")}
      closeLabel={t("close")}
      onClose={onClose}
      // A press beside the form would lose what was typed.
      onBackdrop={() => undefined}
    >
      <SubmissionForm submission={{ faultsIn, send }} submit={t("save")} sending={t("saving")}>
        {(field) =>
          names.map((name) => (
            <Field key={name} {...field(name)} label={t(`contacts.${name}`)}>
              {(control) => (
                <input
                  {...control}
                  name={name}
                  dir={name === "email" || name === "phone" ? "ltr" : "auto"}
                  autoComplete="off"
                  maxLength={limit.lineCharsMax}
                  defaultValue={contact?.[name]}
                  aria-required={name === "name"}
                />
              )}
            </Field>
          ))
        }
      </SubmissionForm>
    </Dialog>
  );
}

type EntryProps = { contact: Contact; readOnly: boolean; onEdit: () => void; onRemove: () => void };

function Entry({ contact, readOnly, onEdit, onRemove }: EntryProps) {
  const { t } = useTranslation(["application", "applications"]);
  const { name, role, email, phone, note } = contact;
  return (
    <li className="contact">
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {role !== "" && (
          <span className="tracker__quiet">
            {" · "}
            <bdi>{role}</bdi>
          </span>
        )}
      </p>
      {email !== "" && (
        <p>
          {address.test(email) ? (
            <a href={`mailto:${encodeURIComponent(email)}`}>
              <bdi dir="ltr">{email}</bdi>
            </a>
          ) : (
            <bdi>{email}</bdi>
          )}
        </p>
      )}
      {phone !== "" && (
        <p>
          <bdi dir="ltr">{phone}</bdi>
        </p>
      )}
      {note !== "" && (
        <p className="tracker__quiet">
          <bdi>{note}</bdi>
        </p>
      )}
      {!readOnly && (
        <p className="tracker__acts">
          <Button variant="text" onClick={onEdit}>
            {t("edit")} <span className="visually-hidden">{name}</span>
          </Button>
          <Button variant="text" onClick={onRemove}>
            {t("remove")} <span className="visually-hidden">{name}</span>
          </Button>
        </p>
      )}
    </li>
  );
}

/** The contacts of an application. */
export function Contacts({
  application,
  readOnly,
}: {
  application: Application;
  readOnly: boolean;
}) {
  const { t } = useTranslation(["application", "applications"]);
  const { patch } = usePartActs(application.applicationId);
  const [edited, setEdited] = useState<Contact | "new">();
  const { details } = application;
  const { contacts } = details;
  const put = async (next: readonly Contact[]): Promise<boolean> => {
    const body = { details: { ...details, contacts: [...next] } };
    const result = await patch(body).catch(() => undefined);
    if (result?.ok !== true) toaster.show({ text: t("applications:failed") });
    return result?.ok === true;
  };
  const remove = async (contact: Contact): Promise<void> => {
    if (!(await put(contacts.filter((one) => one !== contact)))) return;
    const undo = { label: t("applications:undo"), onAction: () => void put(contacts) };
    toaster.show({ text: t("contacts.removed"), action: undo });
  };
  return (
    <section className="application__part" aria-labelledby="contacts">
      <div className="application__part-head">
        <h2 id="contacts">{t("contacts.title")}</h2>
        {!readOnly && contacts.length < limit.contactsMax && (
          <Button variant="text" onClick={() => setEdited("new")}>
            {t("contacts.add")}
          </Button>
        )}
      </div>
      {contacts.length === 0 ? (
        <p className="tracker__quiet">{t("contacts.none")}</p>
      ) : (
        <ul className="application__list">
          {contacts.map((contact) => (
            <Entry
              key={contact.contactId}
              contact={contact}
              readOnly={readOnly}
              onEdit={() => setEdited(contact)}
              onRemove={() => void remove(contact)}
            />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <ContactDialog
          application={application}
          contact={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}
