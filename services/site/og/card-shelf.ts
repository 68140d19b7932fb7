import { createHash } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";

import type { CardPainter } from "./card-painter.ts";
import type { CardTitle } from "./card-title.ts";

export type Card = { png: Buffer; etag: string };

export type ShelfLimits = {
  /** Cards kept in memory; the one that was asked for longest ago goes first. */
  keptMax: number;
  /** Cards drawn at the same time. */
  drawingMax: number;
  /** Cards that may wait to be drawn; beyond it requests are refused. */
  waitingMax: number;
};

export const shelfLimits: ShelfLimits = { keptMax: 256, drawingMax: 2, waitingMax: 32 };

/**
 * Cards by title: each drawn once, however many ask for it at the same time, a few at a time, and
 * kept while there is room.
 */
export class CardShelf {
  readonly #paint: CardPainter;
  readonly #limits: ShelfLimits;
  readonly #cards = new Map<string, Promise<Card>>();
  readonly #waiting: (() => void)[] = [];
  #drawing = 0;

  constructor(paint: CardPainter, limits: ShelfLimits = shelfLimits) {
    this.#paint = paint;
    this.#limits = limits;
  }

  /** @throws ProblemError `upstream_unavailable` when too many cards wait already */
  async card(title: CardTitle): Promise<Card> {
    const known = this.#cards.get(title.text);
    if (known !== undefined) {
      // Asked for again: now the youngest.
      this.#cards.delete(title.text);
      this.#cards.set(title.text, known);
      return known;
    }
    const drawn = this.#draw(title);
    this.#cards.set(title.text, drawn);
    for (const oldest of this.#cards.keys()) {
      if (this.#cards.size <= this.#limits.keptMax) break;
      this.#cards.delete(oldest);
    }
    drawn.catch(() => {
      if (this.#cards.get(title.text) === drawn) this.#cards.delete(title.text);
    });
    return drawn;
  }

  async #draw(title: CardTitle): Promise<Card> {
    await this.#turn();
    try {
      const png = await this.#paint(title);
      const tag = createHash("sha256").update(png).digest("base64url").slice(0, 22);
      return { png, etag: `"${tag}"` };
    } finally {
      const next = this.#waiting.shift();
      // A turn that is handed on stays taken.
      if (next === undefined) this.#drawing -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#drawing < this.#limits.drawingMax) {
      this.#drawing += 1;
      return;
    }
    if (this.#waiting.length >= this.#limits.waitingMax) {
      throw new ProblemError("upstream_unavailable", { retryAfterSeconds: 1 });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
