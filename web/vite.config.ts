import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Development: `npm run dev -w web`. The build is made by prerender/build.ts with these settings. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: {
    port: 5173,
    proxy: { "^/api/": "http://localhost:3000", "^/lang$": "http://localhost:3000" },
  },
  build: { target: "es2022", modulePreload: { polyfill: false } },
});

/**
 * Chunks: the libraries apart, because they change seldom; the words of the shell together, one
 * file per language; everything else as the pages need it.
 */
export const chunkGroups = [
  {
    name: "libraries",
    test: /[\\/]node_modules[\\/]|rolldown[\\/]runtime|vite[\\/]preload-helper/,
  },
  { name: "words-en", test: /[\\/]i18n[\\/]en[\\/](shell|consent|newsletter)\.json/ },
  { name: "words-he", test: /[\\/]i18n[\\/]he[\\/](shell|consent|newsletter)\.json/ },
];
