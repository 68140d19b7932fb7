import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";

import { Button } from "../../../ui/button/button.tsx";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { textIn } from "../../form-machine.ts";
import { isolated } from "../../isolated.ts";
import { initialRange } from "./range.ts";
import { useSaving, useWorkActs } from "./work-acts.ts";
import { type SavedWork, sharingRoles } from "./work-queries.ts";
import { pathOf, useRefusalText } from "./work-texts.ts";

type TitleDialogProps = {
  heading: string;
  submit: string;
  title?: string;
  /** Sends the title. @returns why it was refused, as a text */
  onTitle: (title: string) => Promise<string | undefined>;
  onClose: () => void;
};

/** Asks for a title, for what is new and for what is renamed. */
export function TitleDialog({ heading, submit, title = "", onTitle, onClose }: TitleDialogProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const [state, setState] = useState<"open" | "sending">("open");
  const [fault, setFault] = useState<{ missing: boolean; text: string }>();
  const send = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (state === "sending") return;
    const form = event.currentTarget;
    const given = textIn(new FormData(form), "title").trim();
    if (given === "") {
      setFault({ missing: true, text: t("save.nameRequired") });
      form.querySelector("input")?.focus();
      return;
    }
    setState("sending");
    const refused = await onTitle(given);
    setState("open");
    setFault(refused === undefined ? undefined : { missing: false, text: refused });
  };
  return (
    <Dialog title={heading} closeLabel={t("close")} onClose={onClose}>
      <form className="work-form" noValidate onSubmit={(event) => void send(event)}>
        <Field
          id={`${id}-title`}
          label={t("rename.label")}
          error={fault?.missing === true ? fault.text : undefined}
        >
          {(control) => (
            <input
              {...control}
              name="title"
              dir="auto"
              autoComplete="off"
              maxLength={limit.titleCharsMax}
              defaultValue={title}
              aria-required
            />
          )}
        </Field>
        <Notice kind="error">{fault?.missing === false && fault.text}</Notice>
        <div className="work-acts">
          <Button type="submit" variant="solid" disabled={state === "sending"}>
            {submit}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Makes an empty dashboard and opens it. */
export function NewDashboard({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("analyst-work");
  const navigate = useNavigate();
  const { create } = useSaving();
  const refusal = useRefusalText();
  const onTitle = async (title: string): Promise<string | undefined> => {
    const made = await create(title, { kind: "dashboard", tiles: [], range: initialRange });
    if (!made.ok) return refusal(made.code);
    await navigate(pathOf(made.saved));
    return undefined;
  };
  return (
    <TitleDialog
      heading={t("dashboards.new")}
      submit={t("dashboards.create")}
      onTitle={onTitle}
      onClose={onClose}
    />
  );
}

type WorkProps = { work: SavedWork; onClose: () => void };

export function RenameDialog({ work, onClose }: WorkProps) {
  const { t } = useTranslation("analyst-work");
  const { rename } = useWorkActs();
  return (
    <TitleDialog
      heading={t("rename.title", { title: isolated(work.title) })}
      submit={t("rename.save")}
      title={work.title}
      onTitle={async (title) => {
        if (!(await rename(work.workId, title))) return t("failed");
        onClose();
        return undefined;
      }}
      onClose={onClose}
    />
  );
}

/** Chooses the roles that may read and run it. */
export function ShareDialog({ work, onClose }: WorkProps) {
  const { t } = useTranslation("analyst-work");
  const { share } = useWorkActs();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const send = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    const done = await share(
      work.workId,
      sharingRoles.filter((role) => data.has(role)),
    );
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog
      title={t("sharing.title", { title: isolated(work.title) })}
      closeLabel={t("close")}
      onClose={onClose}
    >
      <form className="work-form" onSubmit={(event) => void send(event)}>
        <p>{t("sharing.lead")}</p>
        <fieldset className="work-choices">
          <legend className="field__label">{t("sharing.legend")}</legend>
          {sharingRoles.map((role) => (
            <Choice
              key={role}
              type="checkbox"
              id={`${id}-${role}`}
              name={role}
              value="1"
              label={t(`sharing.roles.${role}`)}
              defaultChecked={work.sharedWith.includes(role)}
            />
          ))}
        </fieldset>
        <div className="work-acts">
          <Button type="submit" variant="solid" disabled={busy}>
            {t("sharing.save")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
