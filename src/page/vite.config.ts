import { defineConfig } from "vite"

/** Builds the page. `scripts/page.mjs` sets the output folder and compresses the files. */
export default defineConfig({
  root: import.meta.dirname,
  // Paths are absolute: the views of the page live in the fragment, so the document is always at `/`.
  base: "/",
  publicDir: false,
  logLevel: "warn",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // The policy of the page forbids data: scripts and styles, and small files are few.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
