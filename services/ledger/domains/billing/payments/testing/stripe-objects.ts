import type Stripe from "stripe";

type Metadata = Stripe.Metadata;
const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};
const billing_details = { address: noAddress, email: null, name: null, phone: null, tax_id: null };

export function customerObject(id: string, created: number, metadata: Metadata): Stripe.Customer {
  return {
    id,
    object: "customer",
    balance: 0,
    created,
    default_source: null,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    shipping: null,
  };
}

export function cardObject(
  id: string,
  created: number,
  last4: string,
  expired: boolean,
): Stripe.PaymentMethod {
  return {
    id,
    object: "payment_method",
    billing_details,
    card: {
      brand: "visa",
      checks: null,
      country: "US",
      display_brand: "visa",
      exp_month: 8,
      exp_year: expired ? 2020 : 2040,
      funding: "credit",
      generated_from: null,
      last4,
      networks: null,
      regulated_status: null,
      three_d_secure_usage: null,
      wallet: null,
    },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

export function intentObject(
  own: Pick<
    Stripe.PaymentIntent,
    "id" | "created" | "amount" | "currency" | "customer" | "description" | "metadata"
  >,
): Stripe.PaymentIntent {
  return {
    object: "payment_intent",
    allowed_payment_method_types: ["card"],
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: `${own.id}_secret_test`,
    confirmation_method: "automatic",
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: "off_session",
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: null,
    ...own,
  };
}

export function setupObject(
  own: Pick<Stripe.SetupIntent, "id" | "created" | "customer" | "metadata">,
): Stripe.SetupIntent {
  return {
    object: "setup_intent",
    allowed_payment_method_types: ["card"],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${own.id}_secret_test`,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: "off_session",
    ...own,
  };
}

export function chargeObject(
  id: string,
  created: number,
  intent: Stripe.PaymentIntent,
): Stripe.Charge {
  const { amount, currency, customer, description, metadata } = intent;
  return {
    id,
    object: "charge",
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details,
    calculated_statement_descriptor: null,
    captured: true,
    created,
    currency,
    customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata,
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === "string" ? intent.payment_method : null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}

export function refundObject(
  own: Pick<
    Stripe.Refund,
    "id" | "created" | "amount" | "currency" | "charge" | "metadata" | "payment_intent"
  >,
): Stripe.Refund {
  return {
    object: "refund",
    balance_transaction: null,
    customer: null,
    customer_account: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
    ...own,
  };
}

const noEvidence: Stripe.Dispute["evidence"] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export function disputeObject(
  own: Pick<
    Stripe.Dispute,
    "id" | "created" | "amount" | "currency" | "charge" | "payment_intent" | "status"
  >,
): Stripe.Dispute {
  const { status } = own;
  return {
    object: "dispute",
    balance_transactions: [],
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: status.startsWith("warning_") || status === "won",
    livemode: false,
    metadata: {},
    reason: "general",
    ...own,
  };
}
