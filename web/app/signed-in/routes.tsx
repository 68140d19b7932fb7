import type { i18n } from "i18next";
import type { RouteObject } from "react-router-dom";

import { guard } from "./guard.ts";
import { Layout } from "./layout.tsx";
import type { NavigationEntry } from "./navigation.ts";
import { RouteFailure } from "./route-failure.tsx";
import { prefetchPages, preparePage, withTexts } from "./route-texts.ts";

/** What the features bring to the signed-in area. */
export type Features = {
  /** Pages that need no account. */
  open: readonly RouteObject[];
  /** Pages that need an account; opened without one, they lead to the sign-in page. Who may open which is in `pageAccess`. */
  guarded: readonly RouteObject[];
  navigation: readonly NavigationEntry[];
};

const unknownPage: RouteObject = {
  path: "*",
  Component: () => null,
  loader: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- how a loader answers with a status
    throw new Response(null, { status: 404 });
  },
};

/**
 * The routes of the signed-in area. Failures show within the layout: the route that catches them has
 * no path and is not lazy, because an `ErrorBoundary` on a lazy route stays empty when its own code
 * cannot be fetched.
 */
export function createRoutes(translator: i18n, features: Features): RouteObject[] {
  const complete = (route: RouteObject): RouteObject => withTexts(route, translator);
  const open = features.open.map(complete);
  const guarded = [...features.guarded.map(complete), unknownPage];
  const routes: RouteObject[] = [
    {
      element: (
        <Layout
          navigation={features.navigation}
          prefetch={(paths) => void prefetchPages(routes, paths, translator)}
          prepare={(path) => void preparePage(routes, path, translator)}
        />
      ),
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: RouteFailure,
          children: [...open, { middleware: [guard], children: guarded }],
        },
      ],
    },
  ];
  return routes;
}
