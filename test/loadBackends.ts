import { loadBackends } from "../src/platform/backends.js"

// Every test file runs this first. Signatures and proofs of possession are verified in WebAssembly, as in a running node, which takes a seventh of
// the time that JavaScript takes. The tests in src/core/crypto compare all implementations.
await loadBackends()
