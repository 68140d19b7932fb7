import { type Finding, findingsIn } from "../documents/edit/checks.ts";
import type { PortfolioDocument } from "./portfolio-queries.ts";

/** The pictures of sections that are shown and have no text, by path. */
export const picturesWithoutText = ({ sections }: PortfolioDocument): string[] =>
  sections
    .filter(({ shown }) => shown)
    .flatMap((section) =>
      section.kind === "projects"
        ? section.entries.flatMap((entry) =>
            // One that was added here has none until it is saved.
            ("pictures" in entry ? entry.pictures : [])
              .filter(({ alt }) => alt === "")
              .map(({ id }) => `sections/${section.id}/entries/${entry.id}/pictures/${id}/alt`),
          )
        : [],
    );

/** What a reader may stumble over, and pictures that some readers cannot see. */
export const findingsOf = (document: PortfolioDocument): Finding[] => [
  ...findingsIn(document),
  ...picturesWithoutText(document).map((path): Finding => ({ path, code: "noAlt" })),
];
