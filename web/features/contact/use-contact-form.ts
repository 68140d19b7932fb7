import { type SyntheticEvent, useEffect, useRef, useState } from "react";

import { newEventId } from "../../analytics/event-id.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { type LatePlan, useLateMachine } from "../late-machine.ts";
import { type ContactField, emptyMessage } from "./contact-message.ts";
import {
  type ContactEvent,
  type ContactView,
  firstContactView,
  foreseeContact,
} from "./contact-view.ts";
import { startWritingClock } from "./writing-clock.ts";

const plan: LatePlan<ContactView, ContactEvent> = {
  initial: firstContactView,
  foresee: foreseeContact,
  urges: (event) => event.type === "submit",
  // The form has shown its own faults without the machine.
  unreachable: (view) => (view.place === "sending" ? { ...view, place: "error" } : view),
  open: async () => (await import("./contact-form.controller.ts")).startContactMachine(),
};

/** Subject last, because a change of the category clears it. */
const fields = ["name", "email", "subjectCategory", "message", "website", "subject"] as const;

const isField = (name: string): name is ContactField => Object.hasOwn(emptyMessage, name);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controlOf(element: unknown): Control | undefined {
  const known =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;
  return known ? element : undefined;
}

/** The subject is typed only under `other`; otherwise it follows the category. */
function edits(form: HTMLFormElement): Extract<ContactEvent, { type: "changed" }>[] {
  const value = (name: ContactField): string =>
    controlOf(form.elements.namedItem(name))?.value ?? "";
  return fields
    .filter((field) => value(field) !== "")
    .filter((field) => field !== "subject" || value("subjectCategory") === "other")
    .map((field) => ({ type: "changed", field, value: value(field) }));
}

/** Connects the form to its late machine, with values that the browser restored. */
export function useContactForm(readSessionId: () => string | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const language = useLanguage();
  const [clock] = useState(() => startWritingClock(() => performance.now()));
  const { view, send, wake } = useLateMachine(plan);

  useEffect(() => {
    const kept = form.current === null ? [] : edits(form.current);
    if (kept.length > 0) clock.missed();
    for (const edit of kept) send(edit);
  }, [send, clock]);

  const { place } = view;
  useEffect(() => {
    if (place !== "success") return;
    form.current?.reset();
    clock.reset();
  }, [place, clock]);

  const onInput = (event: SyntheticEvent<HTMLFormElement>): void => {
    clock.touched();
    const control = controlOf(event.target);
    if (control === undefined || !isField(control.name)) return;
    const subject = controlOf(event.currentTarget.elements.namedItem("subject"));
    if (control.name === "subjectCategory" && subject !== undefined) subject.value = "";
    send({ type: "changed", field: control.name, value: control.value });
  };
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const metadata = {
      idempotencyKey: newEventId(Date.now()),
      language,
      sessionId: readSessionId(),
      writingMs: clock.passed(),
    };
    send({ type: "submit", metadata });
  };
  const events = {
    onInput,
    onSubmit,
    onKeyDown: clock.touched,
    onFocus: wake,
    onPointerEnter: wake,
  };
  return { view, form, events };
}
