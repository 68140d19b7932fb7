import { createToaster } from "../ui/toast/toaster.ts";

/** The toasts of the signed-in area; its frame shows them. */
export const toaster = createToaster();
