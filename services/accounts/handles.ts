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

/** Whether a handle is, or looks like, a page or an address of the product's own. */
export function isReservedHandle(handle: string): boolean {
  return reserved.has(handleSkeleton(handle));
}
