import { privacyCodePath } from "@pro-talent/schemas/privacy/form";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import type { useFormMachine } from "../form-machine.ts";
import { useErrorTitle } from "../use-error-title.ts";
import { actField, type FormRequest, type StatusAct } from "./request-status-calls.ts";
import type { createRequestStatusActor } from "./request-status.machine.ts";

export type Snapshot = ReturnType<ReturnType<typeof createRequestStatusActor>["getSnapshot"]>;
type Machine = ReturnType<typeof useFormMachine<Snapshot>>;

type Props = { snapshot: Snapshot; request: FormRequest; events: Machine["events"] };

const codeTroubles: readonly string[] = ["codeRequired", "codeWrong"];

type ActProps = { act: StatusAct; text: string; solid?: boolean };

function Act({ act, text, solid = false }: ActProps) {
  return (
    <Button
      type="submit"
      name={actField}
      value={act}
      variant={solid ? "solid" : "outline"}
      data-track={`privacy-request-${act}`}
    >
      {text}
    </Button>
  );
}

type CodeProps = { request: FormRequest; busy: StatusAct | undefined; error: string | undefined };

/** The code verifies the address; later, each one opens the package once. */
function CodePart({ request, busy, error }: CodeProps) {
  const { t } = useTranslation("privacy-request");
  const isPackage = request.package !== null;
  const tries = t("status.code.tries", { count: request.attemptsLeft });
  return (
    <>
      <Field
        id="request-code"
        label={t("status.code.label")}
        hint={`${t(isPackage ? "status.code.packageHint" : "status.code.hint")} · ${tries}`}
        error={error}
      >
        {(control) => (
          <input
            {...control}
            name="code"
            className={`${control.className} request-status__code`}
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            aria-required
          />
        )}
      </Field>
      <div className="request-status__acts">
        {isPackage ? (
          <Act
            act="download"
            solid
            text={t(busy === "download" ? "status.code.downloading" : "status.code.download")}
          />
        ) : (
          <Act
            act="verify"
            solid
            text={t(busy === "verify" ? "status.code.verifying" : "status.code.verify")}
          />
        )}
        {request.codesLeft > 0 && <Act act="code" text={t("status.code.again")} />}
      </div>
    </>
  );
}

/** What the sender of a form can do with it now. */
export function RequestActs({ snapshot, request, events }: Props) {
  const { t } = useTranslation("privacy-request");
  const { trouble, done, pressed, results, token } = snapshot.context;
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const isOfCode = trouble !== undefined && codeTroubles.includes(trouble);
  useErrorTitle(trouble !== undefined);
  useEffect(() => {
    if (results === 0) return;
    if (isOfCode) form.current?.querySelector<HTMLElement>("[name=code]")?.focus();
    else notice.current?.focus();
  }, [results, isOfCode]);
  const waitsForCode =
    request.identity === "open" || (request.package !== null && request.package.downloadsLeft > 0);
  return (
    <>
      <Notice kind="success" ref={trouble === undefined ? notice : null}>
        {done !== undefined && t(`status.done.${done}`)}
      </Notice>
      <Notice kind="error" ref={trouble === undefined ? null : notice}>
        {trouble !== undefined && !isOfCode && t(`status.errors.${trouble}`)}
      </Notice>
      <form
        ref={form}
        className="request-status__form"
        method="post"
        action={privacyCodePath}
        noValidate
        aria-busy={snapshot.value === "busy"}
        {...events}
      >
        <input type="hidden" name="token" value={token} />
        <fieldset className="request-status__fields" disabled={snapshot.value === "busy"}>
          {waitsForCode && (
            <CodePart
              request={request}
              busy={pressed?.act}
              error={isOfCode ? t(`status.errors.${trouble}`) : undefined}
            />
          )}
          {request.canEnd && (
            <div className="request-status__end">
              <p className="request-status__quiet">{t("status.end.body")}</p>
              <Act
                act="end"
                text={t(
                  request.status === "scheduled" ? "status.end.cancel" : "status.end.withdraw",
                )}
              />
            </div>
          )}
        </fieldset>
      </form>
    </>
  );
}
