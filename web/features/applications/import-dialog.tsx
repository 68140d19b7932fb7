import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { base64Of } from "../base64-of.ts";
import type { Imported } from "./queries.ts";

type Fault = "fileMissing" | "fileLarge" | "fileUnreadable" | "failed";

/** What a table or calendar says. @returns why it cannot be read */
async function read(file: File): Promise<Imported | Fault> {
  if (file.size > limit.importBytesMax) return "fileLarge";
  const body = { content: await base64Of(file) };
  const result = await accountApi().call("POST /api/applications/import", { body });
  if (result.ok) return result.answer ?? "failed";
  if (result.status === 413) return "fileLarge";
  return result.code === "import_unreadable" ? "fileUnreadable" : "failed";
}

type DialogProps = { onClose: () => void; onRead: (imported: Imported) => void };

/** Chooses a file, which is read and then reviewed. */
export function ImportDialog({ onClose, onRead }: DialogProps) {
  const { t } = useTranslation("applications");
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const file = new FormData(event.currentTarget).get("file");
    if (!(file instanceof File) || file.size === 0) return setFault("fileMissing");
    setBusy(true);
    const found = await read(file).catch((): Fault => "failed");
    setBusy(false);
    return typeof found === "string" ? setFault(found) : onRead(found);
  };
  return (
    <Dialog title={t("import.title")} closeLabel={t("close")} onClose={onClose}>
      <form className="tracker-fields" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          id={`${id}-file`}
          label={t("import.file")}
          hint={t("import.fileHint", { size: limit.importBytesMax / 1024 / 1024 })}
          error={fault && t(`import.faults.${fault}`)}
        >
          {(control) => <input {...control} name="file" type="file" accept=".csv,.tsv,.ics" />}
        </Field>
        <div className="tracker__acts">
          <Button type="submit" variant="solid" disabled={busy}>
            {t(busy ? "import.reading" : "import.read")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
