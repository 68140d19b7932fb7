import { ClickHouseError } from "@clickhouse/client";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { insightLimits } from "@pro-talent/schemas/insights/limits";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { LRUCache } from "lru-cache";
import { z } from "zod";

/** A question to ClickHouse: its text, with parameters as `{name:Type}`, and the form of its rows. */
export type Question<Params extends object, Row> = {
  readonly name: string;
  readonly sql: string;
  readonly row: z.ZodType<Row>;
  /** Never read: what has to be stated to ask. */
  readonly params?: Params;
};

export type Params = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly number[]>
>;

/** Names the parameters; ones of another question, or too few, are type errors. */
export const defineQuestion =
  <Given extends Params>() =>
  <Row>(question: Question<Given, Row>): Question<Given, Row> =>
    question;

/** A span of time: from the first instant up to the second, which is not part of it. */
export type Span = { readonly from: Instant; readonly until: Instant };

/** As ClickHouse reads a time of milliseconds. */
export const timeOf = (instant: Instant): string => instant.slice(0, -1).replace("T", " ");

/** Milliseconds since 1970, as rows state times. */
export const Ms = z.int().transform((ms) => instantFromMs(ms));

/** Asks about one owner; the account is added here, and no question can state another. */
export type AskOwner = <Given extends object, Row>(
  question: Question<Given, Row>,
  params: Omit<Given, "accounts">,
) => Promise<readonly Row[]>;

const answersMax = 5_000;

/** Asks ClickHouse, and keeps answers for seconds. Kept ones are the account's that asked. */
export class Questions {
  readonly #clickhouse: ClickHouseClient;
  readonly #kept = new LRUCache<string, Promise<readonly unknown[]>>({
    max: answersMax,
    ttl: insightLimits.answersKeptMs,
  });

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse;
  }

  /** Questions about the links of one account. */
  ofOwner(accountId: string): AskOwner {
    return (question, params) =>
      this.#keep(`${accountId} ${question.name} ${JSON.stringify(params)}`, () =>
        this.now(question, { ...params, accounts: [accountId] }),
      );
  }

  /** Questions about the site itself. */
  ofSite<Given extends object, Row>(question: Question<Given, Row>, params: Given) {
    return this.#keep(`site ${question.name} ${JSON.stringify(params)}`, () =>
      this.now(question, params),
    );
  }

  /** Asks without keeping the answer. @throws ProblemError when ClickHouse does not answer */
  async now<Row>(question: Question<object, Row>, params: object): Promise<readonly Row[]> {
    const result = await this.#query(question.sql, params);
    return z.array(question.row).parse(await result.json());
  }

  /** The rows of an answer in the parts in which they arrive, for answers of any length. */
  async *streamed<Row>(
    question: Question<object, Row>,
    params: object,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    const result = await this.#query(question.sql, params);
    for await (const rows of result.stream()) {
      yield z.array(question.row).parse(rows.map((row) => row.json()));
    }
  }

  async #query(query: string, params: object) {
    const asked = { query, query_params: { ...params }, format: "JSONEachRow" } as const;
    try {
      return await this.#clickhouse.query(asked);
    } catch (cause) {
      // A question that ClickHouse refuses is a fault of ours.
      if (cause instanceof ClickHouseError) throw cause;
      throw new ProblemError("upstream_unavailable", { cause });
    }
  }

  async #keep<Row>(key: string, ask: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const known = this.#kept.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key names the question that the type comes from
    if (known !== undefined) return (await known) as readonly Row[];
    const asked = ask();
    this.#kept.set(key, asked);
    asked.catch(() => this.#kept.delete(key));
    return asked;
  }
}
