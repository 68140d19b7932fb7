import { useMachine } from "@xstate/react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { type Action, newKey } from "../billing-calls.ts";
import { endsAtOnce } from "../billing-texts.ts";
import { ActDialog } from "./act-dialog.tsx";
import { actMachine } from "./act.machine.ts";
import { useActionText } from "./action-texts.ts";

/** How an act ended that this page goes on from. */
export type ActEnding = "applied" | "pending" | "obsolete";

type ActRowProps = { action: Action; onEnd: (ending: ActEnding, action: Action) => void };

/** A button of the subscription beside what it will do; pressed, it asks for a confirmation. */
export function ActRow({ action, onEnd }: ActRowProps) {
  const [{ value: state, context }, send] = useMachine(actMachine, {
    input: { action: { ...action, key: "" } },
  });
  const { title, effect, open } = useActionText()(action);
  const { url } = context;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (state === "leaving" && url !== undefined) location.assign(url);
    if (state === "applied" || state === "pending" || state === "obsolete")
      end(state, context.action);
  }, [state, url, context.action]);
  const asks = state === "confirming" || state === "applying" || state === "finding";
  return (
    <li className="act-row">
      <div className="act-row__words">
        <h3 className="act-row__title">{title}</h3>
        <p>{effect}</p>
      </div>
      <Button onClick={() => send({ type: "open", action: { ...action, key: newKey() } })}>
        {open}
        <span className="visually-hidden">{title}</span>
      </Button>
      {(asks || state === "leaving") && (
        <ActDialog
          action={context.action}
          before={context.before}
          trouble={context.trouble}
          busy={state !== "confirming"}
          onConfirm={() => send({ type: "confirm" })}
          onClose={() => send({ type: "close" })}
        />
      )}
    </li>
  );
}

type CancelRowProps = { action: Action; periodTo: string | null };

/** Cancelling has a page of its own, which mails and the home page lead to as well. */
export function CancelRow({ action, periodTo }: CancelRowProps) {
  const { t } = useTranslation("subscription");
  const { title, effect, open } = useActionText()(action);
  return (
    <li className="act-row">
      <div className="act-row__words">
        <h3 className="act-row__title">{title}</h3>
        <p>{endsAtOnce(action, periodTo) ? t("acts.cancel.effectNow") : effect}</p>
      </div>
      <Link className={buttonClass()} to="/account/subscription/cancel">
        {open}
      </Link>
    </li>
  );
}
