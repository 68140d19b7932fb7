import { Deletion } from "./deletion.tsx";
import { Part } from "./privacy-part.tsx";
import { CorrectionForm, ExportForm } from "./request-forms.tsx";
import type { OwnRequest } from "./requests-query.ts";

/** What can be asked for: a copy, a correction, the deletion. */
export function RequestParts({ requests }: { requests: readonly OwnRequest[] }) {
  return (
    <>
      <Part name="export">
        <ExportForm requests={requests} />
      </Part>
      <Part name="correct">
        <CorrectionForm requests={requests} />
      </Part>
      <Part name="delete">
        <Deletion requests={requests} />
      </Part>
    </>
  );
}
