import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { picturesWithoutText } from "./picture-findings.ts";
import type { Portfolio, PortfolioDocument } from "./portfolio-queries.ts";

/** Whether readers see something, or why they do not. The first reason that holds is the one to end first. */
export type Status =
  | "taken-down"
  | "draft"
  | "not-included"
  | "no-handle"
  | "ended"
  | "published"
  | "unlisted";

export function statusOf(
  { state, takenDown, mayPublish, expiresAt }: Portfolio,
  handle: string | null,
  nowMs = Date.now(),
): Status {
  if (takenDown) return "taken-down";
  if (state === "draft") return "draft";
  if (!mayPublish) return "not-included";
  if (handle === null) return "no-handle";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? "ended" : state;
}

/** The languages in which readers see a page. */
export const shownLanguages = ({ pages }: Portfolio): Locale[] =>
  pages.filter(({ published }) => published !== null).map(({ language }) => language);

/** Whether a page that readers see was edited since. */
export const hasChanges = ({ pages }: Portfolio): boolean =>
  pages.some(({ published, version }) => published !== null && published.version !== version);

/** Whether search engines may list it, in the end. */
export const isInSearch = ({ inSearch, locked }: Portfolio, state: Portfolio["state"]): boolean =>
  inSearch && !locked && state === "published";

/** What prevents publishing. */
export type Obstacle =
  | { kind: "taken-down" | "not-included" | "no-handle" | "look" | "no-page" }
  /** So many pictures have no text. */
  | { kind: "pictures"; count: number };

const isPlain = ({ look: { theme, accent } }: PortfolioDocument): boolean =>
  theme === "folio" && accent === "ink";

/** What has to be done before these pages can be published. */
export function obstaclesOf(
  { takenDown, mayPublish, mayCustomize }: Portfolio,
  handle: string | null,
  documents: readonly PortfolioDocument[],
): Obstacle[] {
  const count = documents.flatMap(picturesWithoutText).length;
  const found: readonly (Obstacle | false)[] = [
    takenDown && { kind: "taken-down" },
    !mayPublish && { kind: "not-included" },
    handle === null && { kind: "no-handle" },
    documents.length === 0 && { kind: "no-page" },
    mayPublish && !mayCustomize && !documents.every(isPlain) && { kind: "look" },
    count > 0 && { kind: "pictures", count },
  ];
  return found.filter((obstacle) => obstacle !== false);
}
