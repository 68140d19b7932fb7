import type { EventFamily } from "../kernel/events.ts";
import type { DomainModule } from "../kernel/module.ts";
import type { ReadModel } from "../kernel/read-model.ts";
import type { StreamKind } from "../kernel/stream-kinds.ts";

/** What rows follow from: the definitions of the program that verifies. */
export type Definitions = {
  readonly families: readonly EventFamily[];
  readonly streams: readonly StreamKind[];
  readonly readModels: readonly ReadModel[];
};

/** The definitions of these domains. */
export function definitionsOf(modules: readonly DomainModule[]): Definitions {
  return {
    families: modules.flatMap(({ events }) => events),
    streams: modules.flatMap(({ streams }) => streams),
    readModels: modules.flatMap(({ readModels }) => readModels),
  };
}
