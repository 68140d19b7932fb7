/** An address to write to, after the words that say what for. */
export function MailLine({ label, address }: { label: string; address: string }) {
  return (
    <p>
      {label}{" "}
      <a href={`mailto:${address}`} dir="ltr">
        {address}
      </a>
    </p>
  );
}
