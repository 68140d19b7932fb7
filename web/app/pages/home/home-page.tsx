import { ClosingSection } from "./closing-section.tsx";
import { HeroSection } from "./hero-section.tsx";
import { PromiseSection } from "./promise-section.tsx";
import { RecordSection } from "./record-section.tsx";
import { ValueSection } from "./value-section.tsx";

export function HomePage() {
  return (
    <>
      <HeroSection />
      <RecordSection />
      <ValueSection />
      <PromiseSection />
      <ClosingSection />
    </>
  );
}
