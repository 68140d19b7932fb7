/** When an owner gets a mail about opens; free of the validator so that the browser can use it. */
export const openMailPreferences = ["first-open", "daily", "weekly", "off"] as const;
