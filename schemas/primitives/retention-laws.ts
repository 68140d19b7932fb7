/** Laws that demand that something is kept. Free of the validator, so that pages use them alone. */
export const laws = ["israel-bookkeeping", "israel-data-security"] as const;
