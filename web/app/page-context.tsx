import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { type ComponentType, createContext, use } from "react";

import type { Tracker } from "../analytics/tracker.ts";
import type { ConsentActor } from "../features/consent/consent-actor.ts";
import type { Route } from "./routes.ts";

/** Where pages come from. Pages themselves look at the host, so their loader is not named here. */
type PageSource = {
  ready: (route: Route, language: Locale) => ComponentType | undefined;
  load: (route: Route, language: Locale) => Promise<ComponentType>;
};

/** What the application is given by the place it runs in: a browser, or the prerenderer. */
export type PageHost = {
  loader: PageSource;
  consent: ConsentActor;
  /** Absent while prerendering: nobody is visiting. */
  tracker: Tracker | undefined;
  /** Switches the language in place. */
  switchLanguage: (language: Locale) => Promise<void>;
  /** The year of the copyright line. */
  year: number;
};

const HostContext = createContext<PageHost | undefined>(undefined);

export const PageHostProvider = HostContext.Provider;

/** @throws outside of the application */
export function usePageHost(): PageHost {
  const host = use(HostContext);
  if (host === undefined) throw new Error("no page host");
  return host;
}
