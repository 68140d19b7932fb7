import { type Delivery, DeliveryPlan } from "@pro-talent/schemas/analysts/saved-work";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { AnsweredRequest } from "./answer-calls.ts";

export type Answer = { status: number; json: unknown };
export const ok = (json: unknown, status = 200): Answer => ({ status, json });
export const refusal = (status: number, code: string): Answer => ({
  status,
  json: { code, error: "No." },
});

/** Deliveries of one analyst as journeys without the service need them. */
export class DeliveryAnswers {
  all: { deliveryId: string; last: Delivery["last"]; [name: string]: unknown }[] = [];
  readonly #titleOf: (workId: string) => string | undefined;

  /** @param titleOf saved work */
  constructor(titleOf: (workId: string) => string | undefined) {
    this.#titleOf = titleOf;
  }

  answer(request: AnsweredRequest, path: string): Answer {
    const method = request.method();
    const deliveryId = /deliveries\/([^/]+)/u.exec(path)?.[1];
    if (method === "GET") return this.#outcomes();
    if (deliveryId === undefined) {
      const plan = DeliveryPlan.parse(request.postDataJSON());
      const delivery = {
        ...plan,
        deliveryId: `0198c5a0-0000-7000-8004-${String(this.all.length + 1).padStart(12, "0")}`,
        title: this.#titleOf(plan.of.workId) ?? null,
        paused: null,
        nextAt: "2026-11-30T06:00:00.000Z",
        last: null,
      };
      this.all.push(delivery);
      return ok({ delivery }, 201);
    }
    if (method === "DELETE") {
      this.all = this.all.filter((one) => one.deliveryId !== deliveryId);
      return ok({ status: "removed" });
    }
    if (path.endsWith("/send")) return this.#send(deliveryId);
    const paused = path.endsWith("/pause");
    this.all = this.all.map((one) =>
      one.deliveryId === deliveryId
        ? {
            ...one,
            ...(method === "PUT" ? z.looseObject({}).parse(request.postDataJSON()) : {}),
            paused: paused ? "by-owner" : null,
            nextAt: paused ? null : "2026-11-30T06:00:00.000Z",
          }
        : one,
    );
    return ok({ delivery: this.all.find((one) => one.deliveryId === deliveryId) });
  }

  /** What is being sent arrives after it was asked for once. */
  #outcomes(): Answer {
    const answer = ok({ deliveries: this.all });
    this.all = this.all.map((one) => ({
      ...one,
      last: one.last && { ...one.last, outcome: "sent" },
    }));
    return answer;
  }

  #send(deliveryId: string): Answer {
    const delivery = this.all.find((one) => one.deliveryId === deliveryId);
    if (delivery === undefined) return refusal(404, "delivery_not_found");
    if (delivery.last !== null) return refusal(409, "delivery_sent_lately");
    delivery.last = { dueAt: instantFromMs(Date.now()), outcome: null };
    return ok({ delivery });
  }
}
