import { type ComponentType, lazy, Suspense, useSyncExternalStore } from "react";

import { type ConsentActor, type ConsentView, nothingShown } from "./consent-actor.ts";
import type { ConsentProcess } from "./consent-process.ts";
import type { PolicyLink } from "./policy-link.ts";

type ConsentLayerProps = { actor: ConsentActor; PolicyLink: PolicyLink };

const Nothing = (): null => null;

/** Loaded when there is something to ask. If loading fails, analytics stays off. */
const ConsentBanner = lazy<ComponentType<ConsentLayerProps>>(async () => {
  const loaded = await import("./consent-banner.tsx").catch(() => undefined);
  return { default: loaded?.ConsentBanner ?? Nothing };
});
const ConsentSettings = lazy<ComponentType<{ actor: ConsentProcess }>>(async () => {
  const loaded = await import("./consent-settings.tsx").catch(() => undefined);
  return { default: loaded?.ConsentSettings ?? Nothing };
});

/** The server cannot know a stored choice. */
const viewOnServer = (): ConsentView => nothingShown;

/** The banner until there is a choice, and the settings when requested. */
export function ConsentLayer({ actor, PolicyLink }: ConsentLayerProps) {
  const view = useSyncExternalStore(actor.subscribe, actor.view, viewOnServer);
  return (
    <Suspense>
      {view.asking && <ConsentBanner actor={actor} PolicyLink={PolicyLink} />}
      {view.settings && <ConsentSettings actor={view.settings} />}
    </Suspense>
  );
}
