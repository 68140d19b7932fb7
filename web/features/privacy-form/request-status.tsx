import {
  privacyCodePath,
  privacyEndPath,
  privacyFormPages,
} from "@pro-talent/schemas/privacy/form";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { Notice } from "../../ui/notice/notice.tsx";
import { useFormMachine } from "../form-machine.ts";
import { RequestActs, type Snapshot } from "./request-acts.tsx";
import { RequestFacts } from "./request-facts.tsx";

import "./request-status.css";

function Head({ children }: { children?: ReactNode }) {
  const { t } = useTranslation("privacy-request");
  return (
    <header className="request-status__head">
      <h1 tabIndex={-1}>{t("status.title")}</h1>
      {children ?? <p>{t("status.lead")}</p>}
    </header>
  );
}

function Unknown() {
  const { t } = useTranslation("privacy-request");
  return (
    <header className="request-status__head">
      <h1 tabIndex={-1}>{t("status.unknown.title")}</h1>
      <p>{t("status.unknown.body")}</p>
      <p>
        <a className={buttonClass("solid")} href={privacyFormPages.ask}>
          {t("status.unknown.ask")}
        </a>
      </p>
    </header>
  );
}

/** Without scripts no page can read the fragment of its address: its reader copies it from the mail. */
function Plain() {
  const { t } = useTranslation("privacy-request");
  const field = (name: "token" | "code") => (
    <Field id={`plain-${name}`} label={t(`status.${name}.label`)} hint={t(`status.${name}.hint`)}>
      {(control) => (
        <input {...control} name={name} dir="ltr" autoComplete="off" spellCheck={false} />
      )}
    </Field>
  );
  return (
    <form className="request-status__form" method="post" action={privacyCodePath}>
      {field("token")}
      {field("code")}
      <div className="request-status__acts">
        <Button type="submit" variant="solid">
          {t("status.code.verify")}
        </Button>
        <Button type="submit" formAction={privacyEndPath}>
          {t("status.end.plain")}
        </Button>
      </div>
    </form>
  );
}

type LoadedProps = { token: string; again: () => void };

function Loaded({ token, again }: LoadedProps) {
  const { t } = useTranslation("privacy-request");
  const open = useCallback(
    async () => (await import("./request-status.machine.ts")).createRequestStatusActor(token),
    [token],
  );
  const { snapshot, unreachable, load, events } = useFormMachine<Snapshot>(open);
  useEffect(load, [load]);
  const { value: state = "loading", context } = snapshot ?? {};
  if (state === "unknown") return <Unknown />;
  const isUnreached = unreachable || state === "unreached";
  return (
    <>
      <Head />
      {isUnreached && (
        <>
          <Notice kind="error">
            {t(context?.trouble === "failed" ? "status.errors.failed" : "status.errors.network")}
          </Notice>
          <p>
            <Button variant="solid" onClick={again}>
              {t("status.retry")}
            </Button>
          </p>
        </>
      )}
      {!isUnreached && context?.request === undefined && <output>{t("status.loading")}</output>}
      {snapshot && context?.request !== undefined && (
        <>
          <RequestFacts request={context.request} />
          <RequestActs snapshot={snapshot} request={context.request} events={events} />
        </>
      )}
    </>
  );
}

/** A request by form as its sender sees it. `hash`: the fragment of the address, which has the token. */
export function RequestStatus({ hash }: { hash: string }) {
  const [attempt, setAttempt] = useState(0);
  const isHydrated = useHydrated();
  if (!isHydrated)
    return (
      <>
        <Head />
        <Plain />
      </>
    );
  const token = hash.slice(1);
  if (token === "") return <Unknown />;
  return <Loaded key={`${token} ${attempt}`} token={token} again={() => setAttempt(attempt + 1)} />;
}
