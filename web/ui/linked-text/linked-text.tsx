import { Fragment } from "react";

import { cutAtPhrases, type Phrase } from "./phrases.ts";

/** A text in which some phrases are links. */
export function LinkedText({ text, phrases }: { text: string; phrases: readonly Phrase[] }) {
  return cutAtPhrases(text, phrases).map((part) =>
    part.href === undefined ? (
      <Fragment key={part.text}>{part.text}</Fragment>
    ) : (
      <a key={part.text} href={part.href}>
        {part.text}
      </a>
    ),
  );
}
