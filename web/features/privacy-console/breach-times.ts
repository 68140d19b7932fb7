import { textIn } from "../form-machine.ts";

/** A time of the browser's zone as its control has it; without one, now. */
export const localTime = (at = new Date()): string => {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};

/** The instant of such a time; undefined for none. */
export const instantIn = (data: FormData, name: string): string | undefined => {
  const at = new Date(textIn(data, name));
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};
