import { type BlockBody, topLevelBlock, txsOf } from "../blocks/block.js"
import { blockTypes } from "../blocks/kinds.js"
import { versioned } from "../codec/decode.js"
import type { AnyVariant, OneOf } from "../codec/oneOf.js"
import { type Codec, inlined, type JsonMember, jsonMember } from "../codec/schema.js"
import { genesisBytes, MAX_GENESIS_SIZE } from "../genesis/genesis.js"
import { txTypes } from "../txs/index.js"
import { MAX_SIZE, topLevelTx } from "../txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../txs/unsignedTx.js"
import { credential } from "../types/credential.js"
import { type ID, idOf, nodeID } from "../types/id.js"
import { auth, input, transferableInput } from "../types/input.js"
import { output, transferableOutput } from "../types/output.js"
import { owner, pChainOwner } from "../types/owners.js"
import { type Container, decodeContainer, proposerContainer, signedHeader } from "../types/proposervm.js"
import { signer } from "../types/signer.js"
import { topLevelUtxo, utxo, utxoID } from "../types/utxo.js"
import { conversionValidator, validator } from "../types/validator.js"
import { messageIDOf, signedMessage, unsignedMessage } from "../types/warp/message.js"
import { MAX_PAYLOAD_SIZE, payload } from "../types/warp/payload.js"
import { conversionData, conversionIDOf, pChainMessage, registrationIDOf } from "../types/warp/pChainMessage.js"
import { defineWireType, type Opaque, type WireType } from "./wireType.js"

const kindsOf = (types: readonly { readonly kind: string }[]) => types.map(({ kind }) => kind)
const typeIDsOf = (types: readonly { readonly typeID: number }[]) => types.map(({ typeID }) => typeID)
const isReadable = (held: Uint8Array, as: WireType) => typeof as.find(held) !== "number"

/** Messages between an L1 and the P-Chain, inside an addressed call. */
const pChainMessages = defineWireType({
  name: "PChainMessage",
  kinds: ["SubnetToL1Conversion", "RegisterL1Validator", "L1ValidatorRegistration", "L1ValidatorWeight"],
  codec: pChainMessage,
  typeIDs: [0, 1, 2, 3],
  kindOf: ({ kind }) => kind,
  // The ID of the validator to register; the other messages have none.
  idOf: (value) => (value.kind === "RegisterL1Validator" ? registrationIDOf(value) : null),
})

const payloads = defineWireType({
  name: "Payload",
  kinds: ["Hash", "AddressedCall"],
  codec: payload,
  maxSize: MAX_PAYLOAD_SIZE,
  typeIDs: [0, 1],
  kindOf: ({ kind }) => kind,
  opaque: (value) => (value.kind === "Hash" ? [] : [{ path: "payload", bytes: value.payload, as: pChainMessages }]),
})

const signedMessages = defineWireType({
  name: "SignedMessage",
  codec: signedMessage,
  idOf: messageIDOf,
  networkIDOf: ({ networkID }) => networkID,
  opaque: (value) => [{ path: "payload", bytes: value.payload, as: payloads }],
})

const unsignedMessages = defineWireType({
  name: "UnsignedMessage",
  codec: unsignedMessage,
  idOf: messageIDOf,
  networkIDOf: ({ networkID }) => networkID,
  opaque: (value) => [{ path: "payload", bytes: value.payload, as: payloads }],
  // On Mainnet its first bytes are those of a ProposerVM option.
  isSure: (value) => isReadable(value.payload, payloads),
})

function networkIDOf(tx: UnsignedTx): number | undefined {
  return "networkID" in tx ? tx.networkID : undefined
}

function messageIn(tx: UnsignedTx, path: string): Opaque[] {
  return "message" in tx ? [{ path: `${path}message`, bytes: tx.message, as: signedMessages }] : []
}

const txs = defineWireType({
  name: "Tx",
  kinds: kindsOf(txTypes),
  codec: topLevelTx,
  maxSize: MAX_SIZE,
  typeIDs: typeIDsOf(txTypes),
  kindOf: ({ unsignedTx }) => unsignedTx.kind,
  idOf: ({ id }) => id,
  networkIDOf: ({ unsignedTx }) => networkIDOf(unsignedTx),
  opaque: ({ unsignedTx }) => messageIn(unsignedTx, "unsignedTx."),
})

const unsignedTxs = defineWireType({
  name: "UnsignedTx",
  kinds: kindsOf(txTypes),
  codec: topLevelUnsignedTx as Codec<UnsignedTx>,
  maxSize: MAX_SIZE,
  typeIDs: typeIDsOf(txTypes),
  kindOf: ({ kind }) => kind,
  networkIDOf,
  opaque: (value) => messageIn(value, ""),
})

function messagesIn(block: BlockBody): Opaque[] {
  const one = "tx" in block ? messageIn(block.tx.unsignedTx, "tx.unsignedTx.") : []
  const many = "txs" in block ? block.txs.flatMap((tx, i) => messageIn(tx.unsignedTx, `txs.${i}.unsignedTx.`)) : []
  return [...many, ...one]
}

type IdentifiedBlock = BlockBody & { readonly id: ID }

/** The codec of blocks, whose JSON also has the ID, which the bytes do not contain. */
const identifiedBlock: Codec<IdentifiedBlock> = {
  ...(topLevelBlock as Codec<unknown> as Codec<IdentifiedBlock>),
  read(r) {
    const start = r.offset
    const body = topLevelBlock.read(r)
    return { ...body, id: idOf(r.slice(start, r.offset)) }
  },
}

const blocks = defineWireType<IdentifiedBlock>({
  name: "Block",
  kinds: kindsOf(blockTypes),
  codec: identifiedBlock,
  maxSize: MAX_SIZE,
  typeIDs: typeIDsOf(blockTypes),
  kindOf: ({ kind }) => kind,
  idOf: ({ id }) => id,
  networkIDOf: (block) =>
    txsOf(block)
      .map((tx) => networkIDOf(tx.unsignedTx))
      .find((networkID) => networkID !== undefined),
  opaque: messagesIn,
})

const plainContainer = proposerContainer as Codec<unknown> as Codec<Container>
const containerMembers: readonly JsonMember<Container>[] = [
  inlined(plainContainer, (value) => value),
  jsonMember("proposer", nodeID),
]

/** The codec of wrappers, whose JSON also has the proposer, and whose certificate must be valid for a node. */
const container: Codec<Container> = {
  ...plainContainer,
  read(r) {
    const start = r.offset
    proposerContainer.read(r)
    return decodeContainer(r.slice(start, r.offset))
  },
  writeJson: (sink, value, as) => sink.object(containerMembers, value, as),
}

/** Blocks as consensus carries them, in their wrapper. */
const containers = defineWireType({
  name: "ProposerVM",
  kinds: ["ProposerVMBlock", "ProposerVMOption", "ProposerVMGraniteBlock"],
  codec: container,
  typeIDs: [0, 1, 2],
  kindOf: ({ kind }) => kind,
  idOf: ({ id }) => id,
  networkIDOf(value) {
    const inner = blocks.find(value.block)
    return typeof inner === "number" ? undefined : inner.networkID()
  },
  opaque: (value) => [{ path: "block", bytes: value.block, as: blocks }],
  // Blocks from before wrappers have the same type IDs, so the content decides.
  isSure: (value) => isReadable(value.block, blocks),
})

const genesis = defineWireType({
  name: "Genesis",
  codec: genesisBytes,
  maxSize: MAX_GENESIS_SIZE,
  idOf: (_, bytes) => idOf(bytes),
  networkIDOf: ({ chains, validators }) =>
    [...chains, ...validators].map((tx) => networkIDOf(tx.unsignedTx)).find((networkID) => networkID !== undefined),
})

/** Makes the wire type of a structure with a type ID that occurs with and without codec version. */
function component<V extends readonly AnyVariant[]>(name: string, codec: OneOf<V>) {
  return defineWireType<{ readonly kind: string }>({
    name,
    kinds: kindsOf(codec.variants),
    codec: codec as Codec<unknown> as Codec<{ readonly kind: string }>,
    alsoAs: versioned(codec) as Codec<unknown> as Codec<{ readonly kind: string }>,
    typeIDs: typeIDsOf(codec.variants),
    kindOf: ({ kind }) => kind,
  })
}

/** Every structure of the wire, in the order in which bytes are tried. A new one is one entry here. */
export const wireTypes: readonly WireType[] = [
  containers,
  txs,
  unsignedTxs,
  blocks,
  genesis,
  signedMessages,
  defineWireType({
    name: "UTXO",
    codec: utxo,
    alsoAs: topLevelUtxo,
    idOf: ({ txID, outputIndex }) => utxoID(txID, outputIndex),
  }),
  // An output and its asset, as platform.getStake answers it.
  defineWireType({ name: "TransferableOutput", codec: transferableOutput, alsoAs: versioned(transferableOutput) }),
  defineWireType({ name: "TransferableInput", codec: transferableInput, alsoAs: versioned(transferableInput) }),
  component("Out", output),
  component("In", input),
  component("Owner", owner),
  component("Cred", credential),
  component("Auth", auth),
  component("Signer", signer),
  unsignedMessages,
  payloads,
  pChainMessages,
  // Its hash is the conversion ID.
  defineWireType({ name: "ConversionData", codec: conversionData, idOf: conversionIDOf }),
  // The part of a wrapper that its proposer signs.
  defineWireType({ name: "ProposerVMHeader", codec: signedHeader, isRecognised: false }),
  defineWireType({ name: "Validator", codec: validator, isRecognised: false }),
  // A validator that an L1 starts with, in ConvertSubnetToL1Tx.
  defineWireType({ name: "L1Validator", codec: conversionValidator, isRecognised: false }),
  // An owner in an L1's structures.
  defineWireType({ name: "PChainOwner", codec: pChainOwner, isRecognised: false }),
]
