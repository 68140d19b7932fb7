import {
  type ComponentProps,
  createContext,
  createElement,
  type ReactNode,
  use,
  useDeferredValue,
} from "react";
import {
  BrowserRouter as DomRouter,
  type Location,
  StaticRouter as ServerRouter,
  useLocation as useDomLocation,
  useNavigate as useDomNavigate,
  useNavigationType as useDomNavigationType,
} from "react-router-dom";

/**
 * The router of public pages. Together with the signed-in area's routes the only file that imports
 * the router package, so that its next major version is one change.
 */
export const StaticRouter = ServerRouter;
export const useNavigate = useDomNavigate;

type Shown = { location: Location; navigation: Navigation; pending: boolean };
type Navigation = ReturnType<typeof useDomNavigationType>;
const ShownContext = createContext<Shown | undefined>(undefined);

function ShownLocation({ children }: { children: ReactNode }) {
  const current = useDomLocation();
  const location = useDeferredValue(current);
  const navigation = useDeferredValue(useDomNavigationType());
  const shown = { location, navigation, pending: location !== current };
  return createElement(ShownContext, { value: shown }, children);
}

/**
 * The address changes at once; the page follows when its code and texts are loaded. Until then the
 * old page stays and {@link useNavigationPending} is true.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const shown = createElement(ShownLocation, null, children);
  return createElement(DomRouter, { useTransitions: false }, shown);
}

/** The location of the page that is shown. */
export function useLocation(): Location {
  const current = useDomLocation();
  return use(ShownContext)?.location ?? current;
}

/** How the shown page was reached: `POP` for the first page, back and forward. */
export function useNavigationType(): Navigation {
  const current = useDomNavigationType();
  return use(ShownContext)?.navigation ?? current;
}

/** Whether the page of the current address is still loading. */
export function useNavigationPending(): boolean {
  return use(ShownContext)?.pending ?? false;
}

type LinkProps = Omit<ComponentProps<"a">, "href" | "target"> & { to: string };

/** A link within the site; `usePageLinks` follows it without loading a document. */
export function Link({ to, ...rest }: LinkProps) {
  return createElement("a", { ...rest, href: to });
}
