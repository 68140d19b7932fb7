import { vi } from "vitest";

import type { Language } from "../fixtures.ts";

/** Keys by their names in `KeyboardEvent.key`, except for the space bar. */
export type Key =
  | "Tab"
  | "Enter"
  | "Escape"
  | "Space"
  | "ArrowLeft"
  | "ArrowRight"
  | "ArrowUp"
  | "ArrowDown";

export type Cookie = { name: string; value: string };

export type BrowserSettings = {
  /** The only language that the browser asks for. */
  language: Language;
  /** Colour scheme that the device prefers. */
  device: "light" | "dark";
  /** Whether the scripts of the site run. */
  scripts: boolean;
};

/**
 * What journeys need of a browser, the same over both engines. A selector with a `name` means the
 * first visible element that matches and has this label, text or title. It is waited for.
 */
export type Tab = {
  /** Opens an address of the site; resolves when its document has loaded. */
  goto: (path: string) => Promise<void>;
  /** Starts to go back; does not wait for the page. */
  back: () => Promise<void>;
  forward: () => Promise<void>;
  /** Clicks where a pointer would, in the middle of the element. */
  click: (selector: string, name?: string) => Promise<void>;
  /** Types into a field after what it holds. */
  type: (selector: string, text: string) => Promise<void>;
  /** Chooses an option of a list by its value. */
  choose: (selector: string, value: string) => Promise<void>;
  press: (key: Key) => Promise<void>;
  /** Runs a self-contained function in the page; its result is copied. */
  evaluate: <Result>(
    inPage: (...values: string[]) => Result,
    ...values: string[]
  ) => Promise<Awaited<Result>>;
  cookies: () => Promise<Cookie[]>;
  /** Sets the size of the page in CSS pixels. */
  resize: (width: number, height: number) => Promise<void>;
  /** Errors, warnings and policy violations since the last call. */
  faults: () => Promise<string[]>;
};

/** A document of the site without the application: it gives access to the storage of the site. */
export const firstPath = "/robots.txt";

export type RunningBrowser = {
  /**
   * A tab without any cookie or storage of another, at {@link firstPath}. The one before is closed.
   */
  open: () => Promise<Tab>;
  close: () => Promise<void>;
};

/**
 * Runs in the page: scrolls the element that a driver has to use into the middle and returns its
 * index among those that match.
 */
function locate(selector: string, name: string): number {
  const matching = [...document.querySelectorAll<HTMLElement>(selector)];
  const nameOf = (element: HTMLElement): string =>
    element.getAttribute("aria-label") ?? (element.innerText.trim() || element.title);
  const found = matching.findIndex(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      (name === "" || nameOf(element) === name),
  );
  if (found < 0) throw new Error(`Not visible: ${selector} ${name}`);
  matching[found]?.scrollIntoView({ block: "center", behavior: "instant" });
  return found;
}

/** Waits for the element and returns its index among those that match the selector. */
export const indexOf = (evaluate: Tab["evaluate"], selector: string, name = ""): Promise<number> =>
  vi.waitFor(() => evaluate(locate, selector, name), { timeout: 10_000, interval: 50 });
