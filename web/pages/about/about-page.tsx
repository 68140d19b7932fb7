import { AboutHeader } from "./about-header.tsx";
import { AimsSection } from "./aims-section.tsx";
import { NextSection } from "./next-section.tsx";
import { StorySection } from "./story-section.tsx";
import { TeamSection } from "./team-section.tsx";
import { ValuesSection } from "./values-section.tsx";

export function AboutPage() {
  return (
    <>
      <AboutHeader />
      <AimsSection />
      <StorySection />
      <ValuesSection />
      <TeamSection />
      <NextSection />
    </>
  );
}
