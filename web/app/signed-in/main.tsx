import { accountRoutes } from "../../features/account/routes.tsx";
import { startArea } from "./start.tsx";

startArea({ open: accountRoutes, guarded: [], navigation: [] });
