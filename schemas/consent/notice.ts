/**
 * Version of the consent text. Raise it when the meaning of the text changes: visitors are then
 * asked again, in their language, and the ledger distinguishes both texts by version and hash.
 */
export const consentNoticeVersion = "2025-10-17";

/** Months after which a refusal may be asked about again. */
export const consentReaskMonths = 6;
