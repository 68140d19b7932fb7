import { beginningOf, keep } from "./kept-edits.ts";
import { ofKind, type Saved, type SavingCalls } from "./saving-calls.ts";
import type { Kept, SavingEvent } from "./saving.machine.ts";
import type { Saving, SavingSnapshot } from "./start-saving.ts";

/** How much of what was typed is with the server. */
export type SavingStatus = "saved" | "saving" | "unreached" | "refused" | "too-long" | "deleted";
/** A document as it is on the screen, and as the server has it. */
export type SavingView<Base extends Saved> = Pick<Kept<Base>, "base" | "document" | "conflicts"> & {
  readonly status: SavingStatus;
};

const savingMsMax = 10_000;
const loadAgainMs = 3_000;

function statusOf(snapshot: SavingSnapshot): SavingStatus {
  if (snapshot.matches("deleted")) return "deleted";
  if (snapshot.matches("refused")) return snapshot.context.tooLong ? "too-long" : "refused";
  if (snapshot.matches("waiting")) return "unreached";
  const isSaved = (["saved", "looking", "stepping"] as const).some((one) => snapshot.matches(one));
  return isSaved ? "saved" : "saving";
}

/**
 * A document that is edited. The machine that saves it is loaded while the form is there already: it begins with what
 * was typed meanwhile, which a reload of the page keeps as well.
 */
export class DocumentSaving<Base extends Saved> {
  readonly #calls: SavingCalls<Base>;
  /** The key of {@link keep}. */
  readonly #keptAs: string;
  readonly #listeners = new Set<() => void>();
  #kept: Kept<Base>;
  #view: SavingView<Base>;
  #actor: Saving | undefined;
  #early: SavingEvent[] = [];
  #isOpen = false;

  constructor(saved: Base, calls: SavingCalls<Base>, keptAs: string) {
    this.#calls = calls;
    this.#keptAs = keptAs;
    this.#kept = beginningOf(keptAs, saved);
    this.#view = this.#viewOf(this.#kept, this.#earlyStatus("saving"));
  }

  readonly view = (): SavingView<Base> => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly send = (event: SavingEvent): void => {
    if (this.#actor !== undefined) this.#actor.send(event);
    else if (event.type === "edit") {
      this.#kept = { ...this.#kept, document: event.change(this.#kept.document) };
      keep(this.#keptAs, { ...this.#kept, isSaved: false });
      this.#show(this.#viewOf(this.#kept, "saving"));
    } else this.#early.push(event);
  };

  /** Saves now. @returns whether everything is saved; false when it takes too long */
  readonly saved = (): Promise<boolean> => {
    this.send({ type: "flush" });
    return new Promise((resolve) => {
      const end = (isSaved: boolean) => (): void => {
        clearTimeout(timer);
        forget();
        resolve(isSaved);
      };
      const timer = setTimeout(end(false), savingMsMax);
      const forget = this.subscribe(() => {
        if (this.#view.status === "saved") end(true)();
      });
      if (this.#view.status === "saved") end(true)();
    });
  };

  open(): void {
    this.#isOpen = true;
    void this.#begin();
  }

  /** What is unsaved is sent before another page opens. */
  close(): void {
    this.#isOpen = false;
    this.#actor?.send({ type: "flush" });
    this.#actor?.stop();
    this.#actor = undefined;
  }

  async #begin(): Promise<void> {
    try {
      const { startSaving } = await import("./start-saving.ts");
      if (!this.#isOpen || this.#actor !== undefined) return;
      const actor = startSaving(this.#kept, this.#calls);
      this.#actor = actor;
      this.#follow(actor);
      actor.subscribe(() => this.#follow(actor));
      for (const event of this.#early.splice(0)) actor.send(event);
    } catch {
      // Without a connection. What is typed is kept in this tab until there is one.
      this.#show(this.#viewOf(this.#kept, this.#earlyStatus("unreached")));
      setTimeout(() => {
        if (this.#isOpen && this.#actor === undefined) void this.#begin();
      }, loadAgainMs);
    }
  }

  #follow(actor: Saving): void {
    const snapshot = actor.getSnapshot();
    const { base, document, sent, conflicts } = ofKind<Kept<Base>>(snapshot.context);
    const status = statusOf(snapshot);
    const isChanged = status !== this.#view.status || document !== this.#view.document;
    this.#kept = { base, document, sent, conflicts };
    if (isChanged) keep(this.#keptAs, { ...this.#kept, isSaved: status === "saved" });
    this.#show(this.#viewOf(this.#kept, status));
  }

  #earlyStatus(unsaved: SavingStatus): SavingStatus {
    return this.#kept.document === this.#kept.base.document ? "saved" : unsaved;
  }

  #viewOf({ base, document, conflicts }: Kept<Base>, status: SavingStatus): SavingView<Base> {
    return { base, document, conflicts, status };
  }

  #show(view: SavingView<Base>): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}
