import type { WebDriver } from "selenium-webdriver";

declare global {
  interface Window {
    collectedFaults?: string[];
  }
}

/**
 * Runs in the page: collects errors, warnings and violations from now on, and returns those since
 * the last call. The driver itself reports none.
 */
export function takeFaults(): { faults: string[]; isNew: boolean; loaded: boolean } {
  const loaded = document.readyState === "complete";
  const known = window.collectedFaults;
  if (known !== undefined) return { faults: known.splice(0), isNew: false, loaded };
  const faults: string[] = [];
  window.collectedFaults = faults;
  // A document that is being left gives up what it still loads; a download leaves nothing.
  let leaving = false;
  addEventListener("beforeunload", () => (leaving = true));
  addEventListener("pointerdown", () => (leaving = false), true);
  const add = (fault: string): void => {
    if (!leaving) faults.push(fault);
  };
  addEventListener("error", ({ message }) => add(message));
  addEventListener("unhandledrejection", ({ reason }) => add(`rejected: ${String(reason)}`));
  document.addEventListener("securitypolicyviolation", (event) => {
    add(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
  });
  for (const level of ["error", "warn"] as const) {
    const write = console[level].bind(console);
    console[level] = (...words: unknown[]) => {
      add(words.map(String).join(" "));
      write(...words);
    };
  }
  return { faults: [], isNew: true, loaded };
}

/** Runs in the page: shows an element, and waits until it has the same place in two frames. */
export async function standStill(selector: string, index: string): Promise<void> {
  const element = document.querySelectorAll(selector)[Number(index)];
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  await document.fonts.ready;
  const place = (): string => JSON.stringify(element?.getBoundingClientRect());
  for (let before = ""; before !== place();) {
    before = place();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

type Answer<Value> = { value: Value } | { error: string };

/** Runs a function in the page, with a copy of its arguments, and waits for its promise. */
export async function evaluateIn<Result>(
  driver: WebDriver,
  inPage: (...values: string[]) => Result,
  values: readonly string[],
): Promise<Awaited<Result>> {
  const answer = await driver.executeAsyncScript<Answer<Awaited<Result>>>(
    `const values = [...arguments], done = values.pop();
     Promise.resolve().then(() => (${inPage.toString()})(...values))
       .then((value) => done({ value }), (error) => done({ error: String(error) }));`,
    ...values,
  );
  if ("error" in answer) throw new Error(answer.error);
  return answer.value;
}
