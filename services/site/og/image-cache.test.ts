import { until } from "@pro-talent/platform/testing/until";
import { expect, test } from "vitest";

import { cardTitle } from "./card-title.ts";
import { createImageCache } from "./image-cache.ts";

const titled = (text: string) => cardTitle(text, "");

/** A painter that waits for the test, and records what it began to draw. */
function slowPainter() {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const paint = ({ text }: { text: string }): Promise<Buffer> => {
    begun.push(text);
    return new Promise((resolve) => finish.push(() => resolve(Buffer.from(text))));
  };
  const finishNext = async (): Promise<void> => {
    await until("an image is being drawn", () => finish.length > 0);
    finish.shift()?.();
  };
  return { begun, finishNext, paint };
}

test("an image that many request at once is drawn once, and kept", async () => {
  const painter = slowPainter();
  const images = createImageCache(painter.paint);
  const asked = [images.image(titled("a")), images.image(titled("a"))];
  await painter.finishNext();
  const [one, other] = await Promise.all(asked);
  expect(one).toBe(other);
  expect(await images.image(titled("a"))).toBe(one);
  expect(painter.begun).toEqual(["a"]);
});

test("the least recently used image is dropped when there is no space", async () => {
  const drawn: string[] = [];
  const paint = async ({ text }: { text: string }): Promise<Buffer> => {
    drawn.push(text);
    return Buffer.from(text);
  };
  const images = createImageCache(paint, { keptMax: 2, drawingMax: 1, waitingMax: 9 });
  for (const text of ["a", "b", "a", "c", "a", "b"]) await images.image(titled(text));
  expect(drawn).toEqual(["a", "b", "c", "b"]);
});

test("few are drawn at the same time, some wait, and more are refused until there is space", async () => {
  const painter = slowPainter();
  const images = createImageCache(painter.paint, { keptMax: 9, drawingMax: 1, waitingMax: 1 });
  const first = images.image(titled("a"));
  const second = images.image(titled("b"));
  await expect(images.image(titled("c"))).rejects.toMatchObject({
    code: "upstream_unavailable",
    retryAfterSeconds: 1,
  });
  expect(painter.begun).toEqual(["a"]);
  await painter.finishNext();
  await first;
  await painter.finishNext();
  await second;
  const third = images.image(titled("c"));
  await painter.finishNext();
  expect((await third).png.toString()).toBe("c");
});

test("an image that could not be drawn is tried again", async () => {
  let tries = 0;
  const images = createImageCache(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no ink");
    return Buffer.from("drawn");
  });
  await expect(images.image(titled("a"))).rejects.toThrow("no ink");
  expect((await images.image(titled("a"))).png.toString()).toBe("drawn");
});
