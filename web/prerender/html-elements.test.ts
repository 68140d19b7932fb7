import { expect, test } from "vitest";

import { elementsOf, elementsOfClass, textOf } from "./html-elements.ts";

const html = `<div class="accordion"><div class="accordion__item"><h3><button><span>A &amp; B?</span><svg><path d="M0 0"></path></svg></button></h3><div class="accordion__text"><div>One<br/>two</div><p>It&#x27;s <a href="/">here</a>.</p></div></div><div class="other accordion__item">2</div></div>`;

test("an element is found by its class, with everything inside it", () => {
  const items = elementsOfClass(html, "accordion__item");
  expect(items).toHaveLength(2);
  expect(items[0]?.inner).toMatch(/^<h3>.*<\/div>$/);
  expect(items[1]?.inner).toBe("2");
  expect(elementsOfClass(html, "accordion")).toHaveLength(1);
  expect(elementsOf(html, (tag) => tag === "h3")).toHaveLength(1);
});

test("its text is what a reader sees, in one line", () => {
  const [item] = elementsOfClass(html, "accordion__item");
  expect(textOf(item?.inner ?? "")).toBe("A & B? One two It's here.");
  expect(textOf("98<!-- -->% of <strong>CVs</strong>")).toBe("98% of CVs");
});
