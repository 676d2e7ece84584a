// The codec that users import as "serac/codec": transactions, blocks, IDs and addresses as bytes, text and JSON. It uses no module of Node.js, no
// native code and no global but those of ECMAScript and the encoders of text; a test runs it in a browser.
export {
  type Block,
  type BlockBody,
  type BlockJson,
  type BlockKind,
  blockFromJson,
  blockOf,
  blockToJson,
  decodeBlock,
  txsOf,
} from "./core/blocks/block.js"
export { blockTypes } from "./core/blocks/kinds.js"
export { decode, encode, type Limits, type Span, spansOf } from "./core/codec/decode.js"
export type { Codec, JsonSchema, Schema, TextFormat, TypeOf } from "./core/codec/schema.js"
export { toJson } from "./core/codec/valueSink.js"
export { decodeGenesis, type Genesis } from "./core/genesis/genesis.js"
export { avaxText } from "./core/lib/avaxText.js"
export { fromHex, toHex } from "./core/lib/bytes.js"
export { Invalid, type Refusal, type RefusalData } from "./core/lib/invalid.js"
export { type Json, printJson } from "./core/lib/json.js"
export { parseJson } from "./core/lib/parseJson.js"
export { networkFor, networks, paramsFor, upgradesFor } from "./core/networks/index.js"
export { hrpOf, networkIDOf, networkNameOf } from "./core/networks/names.js"
export type { Network } from "./core/networks/network.js"
export type { Params } from "./core/networks/params.js"
export { isActive, type UpgradeName, type Upgrades, upgradeNames } from "./core/networks/upgrades.js"
export type { CheckContext } from "./core/txs/base.js"
export { txTypes } from "./core/txs/index.js"
export { decodeTx, signedTxOf, type Tx, type TxJson, topLevelTx, txFromJson, txToJson, unsignedBytesOf } from "./core/txs/tx.js"
export {
  checkTx,
  type TxKind,
  topLevelUnsignedTx,
  type UnsignedTx,
  type UnsignedTxJson,
  unsignedTx,
} from "./core/txs/unsignedTx.js"
export {
  type Address,
  addressOfKey,
  addressText,
  bech32Text,
  parseAddress,
  parsePChainAddress,
  parseShortID,
  shortIDText,
} from "./core/types/address.js"
export { fromCb58, toCb58 } from "./core/types/cb58.js"
export { type Credential, credential } from "./core/types/credential.js"
export { type Encoding, fromHexText, toHexText } from "./core/types/hexText.js"
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
} from "./core/types/id.js"
export { type Input, type TransferableInput, transferableInput } from "./core/types/input.js"
export { type Output, output, type TransferableOutput, transferableOutput } from "./core/types/output.js"
export { type OutputOwners, outputOwners, type PChainOwner, pChainOwner } from "./core/types/owners.js"
export { parseAvax } from "./core/types/parseAvax.js"
export { parsePrivateKey, privateKeyText } from "./core/types/privateKey.js"
export { type Container, decodeContainer, type Epoch } from "./core/types/proposervm.js"
export { type ProofOfPossession, type Signer, signer } from "./core/types/signer.js"
export { decodeUtxo, parseUtxoReference, topLevelUtxo, type Utxo, utxo, utxoID, utxoReference } from "./core/types/utxo.js"
export { bitSetIndices, bitSetOf } from "./core/types/warp/bitSet.js"
export { decodeJustification, encodeJustification, type Justification } from "./core/types/warp/justification.js"
export {
  decodeSignedMessage,
  messageIDOf,
  type SignedMessage,
  signedMessage,
  type UnsignedMessage,
  unsignedMessage,
} from "./core/types/warp/message.js"
export { decodePayload, encodePayload, type Payload } from "./core/types/warp/payload.js"
export {
  type ConversionData,
  conversionIDOf,
  decodePChainMessage,
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "./core/types/warp/pChainMessage.js"
export { type Reading, recognise } from "./core/wire/recognise.js"
export type { DecodedValue } from "./core/wire/wireType.js"
export { type EvmLog, sentMessages, warpAccessList } from "./evm/warpLogs.js"
