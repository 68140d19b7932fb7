import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { type ComponentType, createContext, use } from "react";

import type { Tracker } from "../analytics/tracker.ts";
import type { ConsentStore } from "../features/consent/consent-store.ts";
import type { Loadable } from "./routes.ts";

/** The loader's type is not imported here: pages import this file, and the loader imports pages. */
type PageSource = {
  ready: (wanted: Loadable, language: Locale) => ComponentType | undefined;
  load: (wanted: Loadable, language: Locale, visit?: string) => Promise<ComponentType>;
  prefetch: (pathname: string, language: Locale) => void;
};

/** What differs between browser and prerenderer. */
export type PageHost = {
  loader: PageSource;
  consent: ConsentStore;
  /** Undefined while prerendering. */
  tracker: Tracker | undefined;
  switchLanguage: (language: Locale) => Promise<void>;
  /** Year of the copyright line. */
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
