// The library that users import as "serac": a private chain in a process, and clients of any node. A test compares the list of names of every
// entry point, and the changelog records their changes.

export { type CChainCall, cChainCallTo } from "./client/cChainAccount.js"
export type { Transfer, TransferRequest } from "./client/transfer.js"
export {
  buildAtomicTxAt,
  buildTxAt,
  issueTxFile,
  type NodeAtomicRequest,
  type NodeTxRequest,
  utxosNotAt,
  wrapTxAt,
} from "./client/txFile/atNode.js"
export {
  type AtomicTxRequest,
  buildAtomicTxFile,
  buildTxFile,
  type TxRequest,
} from "./client/txFile/buildTxFile.js"
export type { SignaturePlace, TxFile } from "./client/txFile/format.js"
export { type ReviewOptions, reviewTxFile, type TxReview } from "./client/txFile/reviewTxFile.js"
export { combineTxFiles, type SignedTx, signedTxOfFile, signTxFile } from "./client/txFile/txFile.js"
export { delegationForm, exportForm, importForm, jsonForm, paymentForm, type TxForm } from "./client/txFile/txForms.js"
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
