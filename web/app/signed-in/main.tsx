import { privacyRoutes } from "../../features/account/privacy/routes.tsx";
import { accountRoutes, ownAccountRoutes } from "../../features/account/routes.tsx";
import { analystRoutes } from "../../features/analyst/routes.tsx";
import { applicationRoutes } from "../../features/applications/routes.tsx";
import { billingRoutes } from "../../features/billing/routes.tsx";
import { cvRoutes } from "../../features/cv/routes.tsx";
import { linkRoutes } from "../../features/links/routes.tsx";
import { portfolioRoutes } from "../../features/portfolio/routes.tsx";
import { privacyConsoleRoutes } from "../../features/privacy-console/routes.tsx";
import { reportedLinkRoutes } from "../../features/reported-links/routes.tsx";
import { statusRoutes } from "../../features/status-console/routes.tsx";
import { trafficRoutes } from "../../features/traffic/routes.tsx";
import { dashboardRoute } from "./dashboard/route.tsx";
import { navigation } from "./navigation.ts";
import { startArea } from "./start.tsx";

startArea({
  open: accountRoutes,
  guarded: [
    dashboardRoute,
    ...ownAccountRoutes,
    ...billingRoutes,
    ...privacyRoutes,
    ...applicationRoutes,
    ...cvRoutes,
    ...portfolioRoutes,
    ...linkRoutes,
    ...trafficRoutes,
    ...statusRoutes,
    ...analystRoutes,
    ...reportedLinkRoutes,
    ...privacyConsoleRoutes,
  ],
  navigation,
});
