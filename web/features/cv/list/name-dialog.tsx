import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";

type NameDialogProps = {
  title: string;
  label: string;
  value: string;
  /** Whether it may be empty. */
  optional?: boolean;
  /** @returns whether it was accepted */
  onName: (name: string) => Promise<boolean>;
  onClose: () => void;
};

/** Asks for a name. */
export function NameDialog({ title, label, value, optional, onName, onClose }: NameDialogProps) {
  const { t } = useTranslation("cv");
  const id = useId();
  const [name, setName] = useState(value);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const given = name.trim();
    if (given === "" && optional !== true) {
      setMissing(true);
      return;
    }
    setBusy(true);
    const accepted = await onName(given);
    setBusy(false);
    if (accepted) onClose();
  };
  return (
    <Dialog title={title} closeLabel={t("close")} onClose={onClose}>
      <form className="cv-dialog" noValidate onSubmit={(event) => void submit(event)}>
        <Field id={id} label={label} error={missing ? t("name.missing") : undefined}>
          {(control) => (
            <input
              {...control}
              dir="auto"
              value={name}
              maxLength={cvLimits.lineCharsMax}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <div className="cv-actions">
          <Button type="submit" variant="solid" disabled={busy}>
            {t(busy ? "name.saving" : "name.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
