import { z } from "zod";

/** Code of a currency (ISO 4217). */
export const Currency = z.string().regex(/^[A-Z]{3}$/);

/** An amount in minor units of its currency: 1999 is 19.99 USD. */
export const Money = z.object({ amount: z.int(), currency: Currency });
export type Money = z.infer<typeof Money>;
