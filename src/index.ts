// What users import from "serac". Every name here is a promise: a test keeps the list, and the changelog its changes.

export {
  type Block,
  type BlockBody,
  type BlockKind,
  blockFromJson,
  blockOf,
  blockToJson,
  decodeBlock,
  txsOf,
} from "./blocks/block.js"
export { blockTypes } from "./blocks/index.js"
export { decode, encode, type Limits, type Span, spansOf } from "./codec/decode.js"
export type { Codec, JsonSchema, Schema, Spelling, TypeOf } from "./codec/schema.js"
export { type BackendChoice, bls, chooseBackends, secp256k1 } from "./crypto/backends.js"
export type { Bls } from "./crypto/bls.js"
export { addressOf, type Secp256k1 } from "./crypto/secp256k1.js"
export { buildGenesis } from "./genesis/build.js"
export { type GenesisConfig, parseConfig } from "./genesis/config.js"
export { type GenesisChoice, genesisFor } from "./genesis/forNetwork.js"
export { decodeGenesis, type Genesis } from "./genesis/genesis.js"
export { localConfig, localStartTime } from "./genesis/local.js"
export { checkConfig } from "./genesis/validate.js"
export { fromHex, toHex } from "./lib/bytes.js"
export { Invalid, type Refusal, type RefusalData } from "./lib/invalid.js"
export { type Json, parseJson, printJson } from "./lib/json.js"
export { networkFor, networks, paramsFor, upgradesFor } from "./networks/index.js"
export { hrpOf, networkIDOf, networkNameOf } from "./networks/names.js"
export type { Network } from "./networks/network.js"
export type { Params } from "./networks/params.js"
export { isActive, type UpgradeName, type Upgrades, upgradeNames } from "./networks/upgrades.js"
export type { Account } from "./node/accounts.js"
export { type Devnet, type DevnetOptions, startDevnet } from "./node/devnet.js"
export { type AnswerOf, type Call, httpClient, type MethodName, type ParamsOf, type ServiceCalls } from "./rpc/client.js"
export type { CheckContext } from "./txs/base.js"
export { txTypes } from "./txs/index.js"
export { decodeTx, signedTxOf, type Tx, topLevelTx, txFromJson, unsignedBytesOf } from "./txs/tx.js"
export { checkTx, type TxKind, topLevelUnsignedTx, type UnsignedTx, unsignedTx } from "./txs/unsignedTx.js"
export {
  type Address,
  addressText,
  bech32Text,
  parseAddress,
  parsePChainAddress,
  parseShortID,
  shortIDText,
} from "./types/address.js"
export { fromCb58, toCb58 } from "./types/cb58.js"
export { type Credential, credential } from "./types/credential.js"
export { type Encoding, fromHexText, toHexText } from "./types/hexText.js"
export {
  EMPTY_ID,
  EMPTY_NODE_ID,
  type ID,
  idOf,
  idOfName,
  idText,
  type NodeID,
  nodeIDText,
  P_CHAIN_ID,
  PRIMARY_NETWORK_ID,
  parseID,
  parseNodeID,
} from "./types/id.js"
export { type Input, type TransferableInput, transferableInput } from "./types/input.js"
export { type Output, output, type TransferableOutput, transferableOutput } from "./types/output.js"
export { type OutputOwners, outputOwners, type PChainOwner, pChainOwner } from "./types/owners.js"
export { parsePrivateKey, privateKeyText } from "./types/privateKey.js"
export { type Container, decodeContainer, type Epoch, verifyContainer } from "./types/proposervm.js"
export { type ProofOfPossession, type Signer, signer } from "./types/signer.js"
export { parseUtxoReference, topLevelUtxo, type Utxo, utxo, utxoID, utxoReference } from "./types/utxo.js"
export { bitSetIndices, bitSetOf } from "./types/warp/bitSet.js"
export { decodeJustification, encodeJustification, type Justification } from "./types/warp/justification.js"
export {
  decodeSignedMessage,
  messageIDOf,
  type SignedMessage,
  signedMessage,
  type UnsignedMessage,
  unsignedMessage,
} from "./types/warp/message.js"
export { decodePayload, encodePayload, type Payload } from "./types/warp/payload.js"
export {
  type ConversionData,
  conversionIDOf,
  decodePChainMessage,
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "./types/warp/pChainMessage.js"
export type { Recognised } from "./wire/family.js"
export { type Reading, recognise } from "./wire/recognise.js"
