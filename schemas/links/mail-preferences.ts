/** When an owner gets a mail about opens; apart from the schemas, so that pages load it alone. */
export const openMailPreferences = ["off", "first-open", "daily", "weekly"] as const;
