/** The path of the ledger's receipts, repeated so that the contract's validator stays out of the browser. */
export const receiptPath = "/api/consent/receipts";
