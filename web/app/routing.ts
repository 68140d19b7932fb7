import { type ComponentProps, createElement } from "react";
import {
  BrowserRouter as DomRouter,
  StaticRouter as ServerRouter,
  useHref,
  useLinkClickHandler,
  useLocation as useDomLocation,
  useNavigate as useDomNavigate,
  useNavigationType as useDomNavigationType,
} from "react-router-dom";

/** The only file that imports the router package, so that its next major version is one change. */
export const BrowserRouter = DomRouter;
export const StaticRouter = ServerRouter;
export const useLocation = useDomLocation;
export const useNavigate = useDomNavigate;
export const useNavigationType = useDomNavigationType;

type LinkProps = Omit<ComponentProps<"a">, "href" | "target" | "onClick"> & { to: string };

/**
 * A link to a page of this site. The router's own link costs 4 kB for data prefetching, which no
 * page here uses.
 */
export function Link({ to, ...rest }: LinkProps) {
  const onClick = useLinkClickHandler<HTMLAnchorElement>(to);
  return createElement("a", { ...rest, href: useHref(to), onClick });
}
