import type { ReactNode } from "react";

/** Returns the text in the language of the gallery. */
export type ExampleText = (english: string, hebrew: string) => string;

/** A component in one of its states, for the gallery and its tests. */
export type Example = {
  name: string;
  draw: (text: ExampleText) => ReactNode;
  /** Fills a page, so the gallery links to it instead of showing it among the others. */
  page?: true;
};
