import { accountLimits } from "@pro-talent/schemas/accounts/limits";
import { reservedHandles } from "@pro-talent/schemas/accounts/profile";

/**
 * The form in which handles that look alike are equal (Unicode TS #39, for the characters that a
 * handle can have).
 */
export function handleSkeleton(handle: string): string {
  return handle
    .toLowerCase()
    .replaceAll("-", "")
    .replaceAll("0", "o")
    .replaceAll(/[1i]/g, "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("5", "s");
}

const reserved: ReadonlySet<string> = new Set(Array.from(reservedHandles, handleSkeleton));

const suffixes = ["2", "3", "4", "6", "7", "8", "9", "cv", "work"];

/** Handles to choose instead of one that is taken, the best first. */
export const handlesLike = (handle: string): readonly string[] =>
  suffixes.map((suffix) => {
    const kept = handle.slice(0, accountLimits.handleCharsMax - suffix.length - 1);
    return `${kept.replace(/-$/u, "")}-${suffix}`;
  });

/** Whether a handle is, or looks like, a page or an address of the product's own. */
export function isReservedHandle(handle: string): boolean {
  return reserved.has(handleSkeleton(handle));
}
