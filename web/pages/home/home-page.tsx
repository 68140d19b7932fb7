import { StaticContent } from "../../app/static-content.tsx";
import { AtsSection } from "./ats-section.tsx";
import { BrandSection } from "./brand-section.tsx";
import { FeaturesSection } from "./features-section.tsx";
import { HeroSection } from "./hero-section.tsx";
import { NewsletterSection } from "./newsletter-section.tsx";
import { PricingSection } from "./pricing-section.tsx";
import { PromiseSection } from "./promise-section.tsx";
import { QuestionsSection } from "./questions-section.tsx";
import { RecordSection } from "./record-section.tsx";
import { ValuesSection } from "./values-section.tsx";
import { VoicesSection } from "./voices-section.tsx";

export function HomePage() {
  return (
    <>
      <HeroSection />
      <StaticContent>
        <ValuesSection />
        <RecordSection />
        <PromiseSection />
        <FeaturesSection />
        <AtsSection />
        <BrandSection />
      </StaticContent>
      <PricingSection />
      <StaticContent>
        <VoicesSection />
      </StaticContent>
      <QuestionsSection />
      <NewsletterSection />
    </>
  );
}
