// The library that users import as "serac": a private chain in a process, and clients of any node. A test compares the list of names of every
// entry point, and the changelog records their changes.

export type { Transfer, TransferRequest } from "./client/transfer.js"
export * from "./client.js"
export type { Bls } from "./core/crypto/bls.js"
export type { Crypto } from "./core/crypto/crypto.js"
export type { Secp256k1 } from "./core/crypto/secp256k1.js"
export { avaxText } from "./core/lib/avaxText.js"
export { parseAvax } from "./core/types/parseAvax.js"
export { type Devnet, type DevnetCChain, type DevnetL1, type L1Options, startDevnet } from "./devnet/devnet.js"
export type { DevnetOptions } from "./devnet/devnetOptions.js"
export { type BackendChoice, bls, chooseBackends, crypto, loadBackends, secp256k1 } from "./platform/backends.js"
export type { Account } from "./sources/private/accounts.js"
