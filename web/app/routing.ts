import {
  BrowserRouter as DomRouter,
  Link as DomLink,
  StaticRouter as ServerRouter,
  useLocation as useDomLocation,
  useNavigationType as useDomNavigationType,
} from "react-router-dom";

/** The only file that names the router package, so that its next major version is one change. */
export const BrowserRouter = DomRouter;
export const StaticRouter = ServerRouter;
export const Link = DomLink;
export const useLocation = useDomLocation;
export const useNavigationType = useDomNavigationType;
