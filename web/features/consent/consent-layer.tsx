import { useSelector } from "@xstate/react";
import { lazy, Suspense, useSyncExternalStore } from "react";

import type { ConsentActor } from "./consent-actor.ts";
import type { PolicyLink } from "./policy-link.ts";

type ConsentLayerProps = { actor: ConsentActor; PolicyLink: PolicyLink };

/** Loaded when there is something to ask: most page views have a choice already. */
const ConsentBanner = lazy(async () => ({
  default: (await import("./consent-banner.tsx")).ConsentBanner,
}));
const ConsentSettings = lazy(async () => ({
  default: (await import("./consent-settings.tsx")).ConsentSettings,
}));

const never = (): (() => void) => () => undefined;

/** False while prerendering and hydrating: the server cannot know a choice that only storage holds. */
function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** The banner while a choice is missing, and the settings while they are asked for. */
export function ConsentLayer({ actor, PolicyLink }: ConsentLayerProps) {
  const mounted = useMounted();
  const inSettings = useSelector(actor, (snapshot) => snapshot.matches("settings"));
  const asking = useSelector(
    actor,
    (snapshot) => snapshot.context.asking && !snapshot.matches("saving"),
  );
  if (!mounted) return null;
  return (
    <Suspense>
      {asking && <ConsentBanner actor={actor} PolicyLink={PolicyLink} />}
      {inSettings && <ConsentSettings actor={actor} />}
    </Suspense>
  );
}
