import { expect, test } from "vitest";

import { createToaster } from "./toaster.ts";

const texts = (toaster: ReturnType<typeof createToaster>) =>
  toaster.shown().map(({ text }) => text);

test("the newest three are shown", () => {
  const toaster = createToaster();
  for (const text of ["a", "b", "c", "d"]) toaster.show({ text });
  expect(texts(toaster)).toEqual(["b", "c", "d"]);
});

test("a dismissed toast leaves, and listeners hear of each change until they end", () => {
  const toaster = createToaster();
  let changes = 0;
  const end = toaster.subscribe(() => {
    changes += 1;
  });
  toaster.show({ text: "a" });
  const [first] = toaster.shown();
  toaster.dismiss(first?.id ?? 0);
  expect(texts(toaster)).toEqual([]);
  end();
  toaster.show({ text: "b" });
  expect(changes).toBe(2);
});
