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
