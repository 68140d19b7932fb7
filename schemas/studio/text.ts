import { z } from "zod";

import { cleanLine } from "./clean-text.ts";

/** One line of text of at most so many characters once it is clean. */
export const line = (max: number) => z.string().transform(cleanLine).pipe(z.string().max(max));
