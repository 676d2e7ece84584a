import { expect } from "vitest"
import { encode } from "../../../../src/core/codec/decode.js"
import { hexToBytes, toHex } from "../../../../src/core/lib/bytes.js"
import type { Address } from "../../../../src/core/types/address.js"
import { idText, parseID } from "../../../../src/core/types/id.js"
import { unsignedMessage } from "../../../../src/core/types/warp/message.js"
import { encodePayload } from "../../../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage } from "../../../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../../../src/platform/backends.js"
import { after, both, type Call, type Case, missing, refusalText, refused, type Table } from "../../methods/table.js"
import { account, type DevFixture, START } from "../fixture.js"

const ID = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{40,52}$/)
const NODE_ID = expect.stringMatching(/^NodeID-[1-9A-HJ-NP-Za-km-z]{25,35}$/)
const hexOf = (bytes: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`))
const keys = { nodeID: NODE_ID, publicKey: hexOf(48), secret: hexOf(32) }
const first = (each: Case): Case => after([], each)

const LONG_HEX = expect.stringMatching(/^0x[0-9a-f]{300,}$/)
const NO_POSSESSION =
  "the node does not hold the BLS key of the new validator: give its proof of possession (`proofOfPossession`)"
const NO_MANAGER_MESSAGE =
  "the message is not one that a validator manager sends to the P-Chain: it is neither RegisterL1Validator nor L1ValidatorWeight"

const creating: readonly Call[] = [["dev.createL1", {}]]
const PRIMARY = "11111111111111111111111111111111LpoYY"
export const NO_VMS =
  "this node hosts no VMs: start it with --plugin-dir, in the library with the option `pluginDir`, and the directory of your VM plugins"
const NO_VM = "`name`, `genesis`, `config`, `upgrades` and `evmChainID` are for an L1 whose VM runs here: `vm` names it"
const VM_OR_GENESIS_DATA =
  "`vm` names the VM and `genesis` its file: `vmID` and `genesisData` are for L1s whose VM does not run here"
const NOWHERE = idText("77".repeat(32) as never)

/** Cases of L1s and of changes of their validators. */
export function l1Cases(facts: DevFixture): Table {
  return { ...creatingCases(), ...hostedCases(), ...registeringCases(facts), ...weightCases(facts), ...managerCases(facts) }
}

function creatingCases(): Table {
  const created = (params: object, count: number) =>
    first(
      both(params as never, {
        subnetID: ID,
        chainID: ID,
        txIDs: [ID, ID, ID],
        validators: Array.from({ length: count }, () => ({ validationID: ID, ...keys })),
        seconds: "0",
      }),
    )
  const count = (validators: number) =>
    refused(
      { validators },
      "dev.bad_count",
      { param: "validators", value: validators, least: 1, most: 64 },
      "the number is out of bounds",
    )
  return {
    "dev.createL1": {
      takes: {
        ...{ validators: "u32", weight: "u64", balance: "u64", owner: "string", chainName: "string", vmID: "ID" },
        ...{ genesisData: "string", vm: "string", name: "string", genesis: "vmFile", config: "vmFile", upgrades: "vmFile" },
        ...{ evmChainID: "u64", managerAddress: "string", managerChainID: "ID" },
      },
      normal: [created({}, 1), created({ validators: 3 }, 3)],
      "all parameters": [
        created(
          {
            ...{ validators: 2, weight: 7, balance: "2000000000", owner: account(1), chainName: "My L1" },
            ...{ vmID: NOWHERE, genesisData: "0x7b7d", managerAddress: "0xaa", managerChainID: NOWHERE },
          },
          2,
        ),
      ],
      "omitted parameters": [created({}, 1)],
      errors: [
        count(0),
        count(65),
        first(refused({ weight: 0 }, "tx.zero_l1_weight", {}, "validator weight must be non-zero")),
        first(refused({ chainName: "a-b" }, "tx.chain_name_character", {}, "illegal name character")),
        refused({ genesisData: "7b7d" }, "dev.bad_hex", { param: "genesisData" }, "the bytes are not written as 0x and hex"),
        refused({ vm: "subnet-evm", name: "mine" }, "dev.no_vms", {}, NO_VMS),
        refused({ vm: "subnet-evm", genesis: { a: [1] }, config: "{}", upgrades: "0x7b7d" }, "dev.no_vms", {}, NO_VMS),
        refused({ vm: "x", vmID: NOWHERE }, "dev.vm_or_genesis_data", {}, VM_OR_GENESIS_DATA),
        refused(
          { vm: "subnet-evm", genesis: "{}", evmChainID: 7 },
          "dev.genesis_or_evm_chain_id",
          {},
          "a genesis names its own chain ID: give either `genesis` or `evmChainID`",
        ),
        refused({ vm: "subnet-evm", evmChainID: 0 }, "dev.zero_evm_chain_id", {}, "the chain ID of an EVM chain is at least 1"),
        refused({ evmChainID: 7 }, "dev.no_vm", {}, NO_VM),
        ...["name", "genesis", "config", "upgrades"].map((name) => refused({ [name]: "x" }, "dev.no_vm", {}, NO_VM)),
      ],
    },
  }
}

/** Cases of the methods about VMs, on a node without plugins. Those with a plugin are in test/l1. */
function hostedCases(): Table {
  const ofOne: Table[string] = {
    takes: { name: "string" },
    normal: [refused({ name: "mine" }, "dev.no_vms", {}, NO_VMS)],
    "all parameters": [refused({ name: "mine" }, "dev.no_vms", {}, NO_VMS)],
    "omitted parameters": [missing("name", refusalText(NO_VMS))],
    errors: [refused({ name: "mine" }, "dev.no_vms", {}, NO_VMS)],
  }
  return {
    "dev.listL1s": { takes: {}, normal: [both({}, { l1s: [] })], "omitted parameters": [both({}, { l1s: [] })] },
    "dev.listMessages": { takes: {}, normal: [both({}, { messages: [] })], "omitted parameters": [both({}, { messages: [] })] },
    "dev.relay": {
      takes: {},
      normal: [refused({}, "dev.no_vms", {}, NO_VMS)],
      "omitted parameters": [refused({}, "dev.no_vms", {}, NO_VMS)],
      errors: [refused({}, "dev.no_vms", {}, NO_VMS)],
    },
    "dev.startL1": ofOne,
    "dev.stopL1": ofOne,
    "dev.removeL1": ofOne,
  }
}

function registeringCases({ l1: { subnetID, node } }: DevFixture): Table {
  const registered = (params: object, secret: object = { secret: hexOf(32) }) =>
    after(
      creating,
      both({ subnetID, ...params } as never, {
        validationID: ID,
        txID: ID,
        nodeID: NODE_ID,
        publicKey: hexOf(48),
        ...secret,
        seconds: "0",
      }),
    )
  const notL1 = (id: string) =>
    refused(
      { subnetID: id },
      "producer.not_an_l1",
      { subnetID: id },
      "the subnet is not an L1: no ConvertSubnetToL1Tx has converted it",
    )
  const keysText = "give `nodeID`, `publicKey` and `proofOfPossession` together, or none of them"
  return {
    "dev.registerL1Validator": {
      takes: {
        ...{ subnetID: "ID", weight: "u64", balance: "u64", owner: "string" },
        ...{ nodeID: "NodeID", publicKey: "string", proofOfPossession: "string" },
      },
      normal: [registered({}), registered({ weight: 10 })],
      "all parameters": [
        after(
          [["dev.newIdentity", {}], ...creating],
          both(
            { subnetID, weight: 10, balance: 5, owner: account(1), ...node },
            { validationID: ID, txID: ID, nodeID: node.nodeID, publicKey: node.publicKey, seconds: "0" },
          ),
        ),
      ],
      "omitted parameters": [
        missing("subnetID", refusalText("the subnet is not an L1: no ConvertSubnetToL1Tx has converted it")),
      ],
      errors: [
        notL1(PRIMARY),
        notL1(NOWHERE),
        after(creating, refused({ subnetID, nodeID: node.nodeID }, "dev.node_keys", {}, keysText)),
        after(creating, refused({ subnetID, weight: 0 }, "tx.zero_l1_weight", {}, "invalid weight")),
      ],
    },
  }
}

function weightCases({ l1: { validationID } }: DevFixture): Table {
  const set = (params: object, nonce: string) =>
    after(creating, both({ validationID, ...params } as never, { txID: ID, nonce, seconds: "0" }))
  return {
    "dev.setL1Weight": {
      takes: { validationID: "ID", weight: "u64", nonce: "u64" },
      normal: [set({ weight: 25 }, "0")],
      "all parameters": [set({ weight: "5", nonce: 7 }, "7")],
      "omitted parameters": [missing("validationID", refusalText("could not load L1 validator: not found"))],
      errors: [
        after(
          creating,
          refused(
            { validationID, weight: 0 },
            "tx.last_l1_validator",
            {},
            "attempting to remove the last L1 validator from a converted subnet",
          ),
        ),
        after(
          [...creating, ["dev.setL1Weight", { validationID, weight: 3, nonce: 4 }]],
          refused(
            { validationID, weight: 2, nonce: 4 },
            "tx.stale_nonce",
            { nonce: 4, minNonce: 5 },
            "warp message contains stale nonce 4 must be at least 5",
          ),
        ),
        refused(
          { validationID: NOWHERE, weight: 2 },
          "tx.unknown_l1_validator",
          { validationID: NOWHERE },
          "could not load L1 validator: not found",
        ),
      ],
    },
  }
}

/** A message of the manager of an L1 from dev.createL1, which has the default address. */
function managerMessage(chainID: string, content: PChainMessage): string {
  const payload = encodePayload({
    kind: "AddressedCall",
    sourceAddress: new Uint8Array(20),
    payload: encodePChainMessage(content),
  })
  return `0x${toHex(encode(unsignedMessage, { networkID: 12345, sourceChainID: parseID(chainID), payload }))}`
}

function managerCases({ l1: { subnetID, chainID, validationID, node } }: DevFixture): Table {
  const weight = (nonce: bigint) =>
    managerMessage(chainID, { kind: "L1ValidatorWeight", validationID: parseID(validationID), nonce, weight: 9n })
  const stranger = { threshold: 1, addresses: ["ab".repeat(20) as Address] }
  const registration = (publicKey: string) =>
    managerMessage(chainID, {
      kind: "RegisterL1Validator",
      subnetID: parseID(subnetID),
      nodeID: new Uint8Array(20).fill(7),
      blsPublicKey: hexToBytes(publicKey.slice(2)),
      expiry: START + 3_600n,
      remainingBalanceOwner: stranger,
      disableOwner: stranger,
      weight: 5n,
    })
  const strangeKey = `0x${toHex(bls().publicKey(new Uint8Array(32).fill(9)))}`
  const issued = (kind: string) => ({ kind, validationID: ID, txID: ID, answer: LONG_HEX, seconds: "0" })
  const unknown = refused(
    { validationID: NOWHERE },
    "tx.unknown_l1_validator",
    { validationID: NOWHERE },
    "could not load L1 validator: not found",
  )
  const increased = after(creating, both({ validationID, amount: 5 }, { txID: ID, seconds: "0" }))
  const disabled = after(creating, both({ validationID }, { txID: ID, seconds: "0" }))
  return {
    "dev.issueL1Message": {
      takes: { unsignedMessage: "string", balance: "u64", proofOfPossession: "string" },
      normal: [
        after(creating, both({ unsignedMessage: weight(0n) }, issued("L1ValidatorWeight"))),
        after(
          [["dev.newIdentity", {}], ...creating],
          both({ unsignedMessage: registration(node.publicKey), balance: 5 }, issued("RegisterL1Validator")),
        ),
      ],
      "all parameters": [
        after(
          [["dev.newIdentity", {}], ...creating],
          both(
            { unsignedMessage: registration(node.publicKey), balance: 5, proofOfPossession: node.proofOfPossession },
            issued("RegisterL1Validator"),
          ),
        ),
      ],
      "omitted parameters": [missing("unsignedMessage", refusalText("the bytes are not written as 0x and hex"))],
      errors: [
        after(creating, refused({ unsignedMessage: registration(strangeKey) }, "producer.no_possession", {}, NO_POSSESSION)),
        after(
          creating,
          refused(
            { unsignedMessage: managerMessage(chainID, { kind: "SubnetToL1Conversion", id: parseID(chainID) }) },
            "producer.not_a_manager_message",
            { kind: "SubnetToL1Conversion" },
            NO_MANAGER_MESSAGE,
          ),
        ),
      ],
    },
    "dev.increaseL1Balance": {
      takes: { validationID: "ID", amount: "u64" },
      normal: [increased],
      "all parameters": [increased],
      "omitted parameters": [
        missing("validationID", refusalText("balance must be greater than 0")),
        missing("amount", refusalText("balance must be greater than 0"), { validationID }),
      ],
      errors: [refused({ validationID: NOWHERE, amount: 5 }, "tx.unknown_l1_validator", { validationID: NOWHERE }, "not found")],
    },
    "dev.disableL1Validator": {
      takes: { validationID: "ID" },
      normal: [disabled],
      "all parameters": [disabled],
      "omitted parameters": [missing("validationID", refusalText("could not load L1 validator: not found"))],
      errors: [unknown],
    },
  }
}
