import type { ComponentType } from "react";

/** The link to the cookie policy; supplied by the application, which has the routes. */
export type PolicyLink = ComponentType<{ children: string }>;
