import { useCallback, useSyncExternalStore } from "react";

/** Texts by path. A field is drawn again only when its own text changes. */
export class AdviceStore {
  #texts: ReadonlyMap<string, string> = new Map();
  readonly #listeners = new Set<() => void>();

  set(texts: ReadonlyMap<string, string>): void {
    this.#texts = texts;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly at = (path: string): string | undefined => this.#texts.get(path);
}

/** What is said at a path, if anything is. */
export const useAdviceAt = (store: AdviceStore, path: string): string | undefined =>
  useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.at(path), [store, path]),
  );
