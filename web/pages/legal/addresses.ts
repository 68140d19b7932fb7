/** Contact addresses in legal texts. */
export const supportAddress = "support@protalent.example";
export const privacyAddress = "privacy@protalent.example";
export const accessibilityAddress = "accessibility@protalent.example";
