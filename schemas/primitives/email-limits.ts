/** Longest address that mail servers carry (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const emailCharsMax = 254;
