import { z } from "zod";

/**
 * The device headers of specification §7, as a browser states them. Each one is optional and a
 * value that is out of bounds is dropped alone: a strange screen must not cost a page view.
 */
const shape = (pattern: RegExp) => z.string().regex(pattern).optional().catch(undefined);

export const ClientHeaders = z.object({
  "x-screen-resolution": shape(/^\d{1,5}x\d{1,5}$/),
  "x-timezone": shape(/^[A-Za-z0-9_+/-]{1,64}$/),
  "x-viewport": shape(/^\d{1,5}x\d{1,5}$/),
  "x-color-depth": shape(/^\d{1,2}$/),
  "x-pixel-ratio": shape(/^\d{1,2}(\.\d{1,4})?$/),
  "x-device-memory": shape(/^\d{1,3}(\.\d{1,3})?$/),
  "x-connection-type": shape(/^[a-z0-9-]{1,16}$/),
});
export type ClientHeaders = z.infer<typeof ClientHeaders>;
