/** The path of receipts, repeated to keep the contract's validator out of the browser. */
export const receiptPath = "/api/consent/receipts";
