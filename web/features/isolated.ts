/** Within a sentence, a name keeps its direction to itself (Unicode UAX #9, FSI and PDI). */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
