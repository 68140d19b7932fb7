import {
  type Stage,
  type StageKind,
  stageKinds,
} from "@pro-talent/schemas/applications/application";
import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";

import { stageNames } from "./synonyms.ts";
import { comparable, words } from "./words.ts";

/**
 * The names of an account's stages in a language, each different, by id. Names that the account gave come
 * first, so that they are the same in every language.
 */
export function stageTitles(
  stages: readonly Stage[],
  language: Locale,
): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const titles = new Map<string, string>();
  for (const { stageId, name, kind } of stages.toSorted(
    (one, other) => Number(one.name === "") - Number(other.name === ""),
  )) {
    const usual = name === "" ? words[language].stages[kind] : name;
    let title = usual;
    for (let count = 2; used.has(comparable(title)); count += 1) title = `${usual} (${count})`;
    used.add(comparable(title));
    titles.set(stageId, title);
  }
  return titles;
}

/** Finds the stage that a file names: by the names of the account's stages, else by what others call its kind. */
export function stageFinder(stages: readonly Stage[]): (text: string) => string | undefined {
  const byTitle = new Map<string, string>();
  const add = (title: string, stageId: string | undefined): void => {
    const key = comparable(title);
    if (stageId !== undefined && !byTitle.has(key)) byTitle.set(key, stageId);
  };
  const ofKind = (kind: StageKind) => stages.find((stage) => stage.kind === kind)?.stageId;
  for (const language of locales)
    for (const [stageId, title] of stageTitles(stages, language)) add(title, stageId);
  for (const kind of stageKinds) {
    for (const language of locales) add(words[language].stages[kind], ofKind(kind));
    for (const name of stageNames[kind]) add(name, ofKind(kind));
  }
  return (text) => byTitle.get(comparable(text));
}
