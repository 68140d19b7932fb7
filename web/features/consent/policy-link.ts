import type { ComponentType } from "react";

/** The link to the cookie policy, given by the application: it knows the routes. */
export type PolicyLink = ComponentType<{ children: string }>;
