import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { linkTarget } from "@pro-talent/schemas/studio/link";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Field } from "../../../ui/field/field.tsx";

type LinkDialogProps = {
  address: string;
  /** Receives the address in canonical form; empty: the text leads nowhere; undefined: nothing changes. */
  onClose: (address: string | undefined) => void;
};

/** Asks where a text leads. */
export function LinkDialog({ address, onClose }: LinkDialogProps) {
  const { t } = useTranslation("cv");
  const id = useId();
  const [typed, setTyped] = useState(address.replace(/^mailto:/u, ""));
  const [wrong, setWrong] = useState(false);
  const use = (event: SyntheticEvent): void => {
    event.preventDefault();
    const target = typed.trim() === "" ? "" : linkTarget(typed);
    if (target === null) setWrong(true);
    else onClose(target);
  };
  return (
    <Dialog title={t("rich.linkTitle")} closeLabel={t("close")} onClose={() => onClose(undefined)}>
      <form className="cv-dialog" noValidate onSubmit={use}>
        <Field
          id={id}
          label={t("rich.address")}
          hint={t("rich.addressHint")}
          error={wrong ? t("rich.addressWrong") : undefined}
        >
          {(control) => (
            <input
              {...control}
              dir="ltr"
              value={typed}
              maxLength={cvLimits.urlCharsMax}
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <div className="cv-actions">
          <Button type="submit" variant="solid">
            {t("rich.use")}
          </Button>
          {address !== "" && <Button onClick={() => onClose("")}>{t("rich.unlink")}</Button>}
        </div>
      </form>
    </Dialog>
  );
}
