import type { BenchCard, ProviderBench } from "./provider-bench.ts";

export const usd = (amount: number) => ({ amount, currency: "USD" });

export type Customers = ReturnType<typeof customersOf>;

/** Customers of a provider, each under an account of their own. */
export function customersOf(bench: ProviderBench) {
  const { provider } = bench;
  let accounts = 0;
  const freshAccount = (): string => `account-${(accounts += 1)}`;
  const open = (
    accountId: string,
    amount: { amount: number; currency: string } | null,
    key?: string,
  ) =>
    provider.openCheckout({
      key: key ?? `checkout-${accountId}`,
      accountId,
      amount,
      description: "Premium, monthly",
      language: "en",
      returnUrl: "https://pro-talent.example/checkout/done?from=plans",
      cancelUrl: "https://pro-talent.example/checkout",
    });
  const found = async (checkoutId: string) => {
    const checkout = await provider.findCheckout(checkoutId);
    if (checkout === undefined) throw new Error("no such checkout");
    return checkout;
  };
  const paid = async (card: BenchCard = "success", amount = usd(2000)) => {
    const accountId = freshAccount();
    const { checkoutId } = await open(accountId, amount);
    await bench.press(checkoutId, card);
    const { payment } = await found(checkoutId);
    if (payment === null) throw new Error("nothing was paid");
    return { accountId, checkoutId, payment };
  };
  const charge = (accountId: string, key: string, amount = usd(2000)) =>
    provider.charge({ key, accountId, amount, description: "Premium, monthly" });
  return { freshAccount, open, found, paid, charge };
}
