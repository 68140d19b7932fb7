import { until } from "@pro-talent/platform/testing/until";
import { expect, test } from "vitest";

import { CardShelf } from "./card-shelf.ts";
import { cardTitle } from "./card-title.ts";

const titled = (text: string) => cardTitle(text, "");

/** A painter that waits for the test, and remembers what it was asked to draw. */
function slowPainter() {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const paint = ({ text }: { text: string }): Promise<Buffer> => {
    begun.push(text);
    return new Promise((resolve) => finish.push(() => resolve(Buffer.from(text))));
  };
  const finishNext = async (): Promise<void> => {
    await until("a card is being drawn", () => finish.length > 0);
    finish.shift()?.();
  };
  return { begun, finishNext, paint };
}

test("a card that many ask for at once is drawn once, and kept", async () => {
  const painter = slowPainter();
  const shelf = new CardShelf(painter.paint);
  const asked = [shelf.card(titled("a")), shelf.card(titled("a"))];
  await painter.finishNext();
  const [one, other] = await Promise.all(asked);
  expect(one).toBe(other);
  expect(await shelf.card(titled("a"))).toBe(one);
  expect(painter.begun).toEqual(["a"]);
});

test("the card that nobody asked for the longest goes when there is no room", async () => {
  const drawn: string[] = [];
  const paint = async ({ text }: { text: string }): Promise<Buffer> => {
    drawn.push(text);
    return Buffer.from(text);
  };
  const shelf = new CardShelf(paint, { keptMax: 2, drawingMax: 1, waitingMax: 9 });
  for (const text of ["a", "b", "a", "c", "a", "b"]) await shelf.card(titled(text));
  expect(drawn).toEqual(["a", "b", "c", "b"]);
});

test("few are drawn at the same time, some wait, and more are refused until there is room", async () => {
  const painter = slowPainter();
  const shelf = new CardShelf(painter.paint, { keptMax: 9, drawingMax: 1, waitingMax: 1 });
  const first = shelf.card(titled("a"));
  const second = shelf.card(titled("b"));
  await expect(shelf.card(titled("c"))).rejects.toMatchObject({
    code: "upstream_unavailable",
    retryAfterSeconds: 1,
  });
  expect(painter.begun).toEqual(["a"]);
  await painter.finishNext();
  await first;
  await painter.finishNext();
  await second;
  const third = shelf.card(titled("c"));
  await painter.finishNext();
  expect((await third).png.toString()).toBe("c");
});

test("a card that could not be drawn is tried again", async () => {
  let tries = 0;
  const shelf = new CardShelf(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no ink");
    return Buffer.from("drawn");
  });
  await expect(shelf.card(titled("a"))).rejects.toThrow("no ink");
  expect((await shelf.card(titled("a"))).png.toString()).toBe("drawn");
});
