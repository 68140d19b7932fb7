import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { CallResult } from "../../../api-client/request.ts";
import { type FieldState, SubmissionForm } from "../../submission-form.tsx";
import { refusalIn, type Submission } from "../../submission.machine.ts";

type Made = CallResult<"POST /api/account/tokens" | "POST /api/link-webhooks">;

type SecretFormProps = {
  texts: { title: string; submit: string; sending: string };
  faultsIn: Submission["faultsIn"];
  make: (data: FormData) => Promise<Made>;
  /** The list that it is made for. */
  listKey: QueryKey;
  /** Receives the secret, which is shown once. */
  onMade: (secret: string) => void;
  children: (field: FieldState) => ReactNode;
};

/** Makes an access token or a webhook. */
export function SecretForm({ texts, listKey, children, ...props }: SecretFormProps) {
  const { faultsIn, make, onMade } = props;
  const cache = useQueryClient();
  return (
    <SubmissionForm
      submission={{
        faultsIn,
        send: async (data) => {
          const result = await make(data);
          if (result.ok && result.answer !== undefined) onMade(result.answer.secret);
          // Also after a refusal: another tab may have made the last one that is allowed.
          await cache.invalidateQueries({ queryKey: listKey });
          return refusalIn(result);
        },
      }}
      submit={texts.submit}
      sending={texts.sending}
      variant="outline"
    >
      {(field) => (
        <>
          <h3 className="settings__title">{texts.title}</h3>
          {children(field)}
        </>
      )}
    </SubmissionForm>
  );
}
