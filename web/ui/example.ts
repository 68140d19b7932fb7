import type { ReactNode } from "react";

/** One of two texts, in the language that the gallery shows. */
export type Word = (english: string, hebrew: string) => string;

/** A component in one of its states, for the gallery and its tests. */
export type Example = { name: string; draw: (word: Word) => ReactNode };
