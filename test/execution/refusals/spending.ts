import { MAX64 } from "../../../src/core/lib/math64.js"
import { tables } from "../../../src/core/state/tables.js"
import { EMPTY_ID, P_CHAIN_ID } from "../../../src/core/types/id.js"
import type { TransferableInput } from "../../../src/core/types/input.js"
import type { TransferableOutput } from "../../../src/core/types/output.js"
import { ownerOf } from "../../fixtures/keys.js"
import {
  alice,
  bob,
  COIN,
  carol,
  EXPORTED,
  FUNDS,
  LOCKTIME,
  MANAGER_CHAIN,
  MONEY,
  SHARED,
  STAKEABLE,
  TIME_LOCKED,
  VALIDATOR_TX,
} from "../../fixtures/smallChain.js"
import { AVAX, idOfByte } from "../../fixtures/txs.js"
import { from, toAlice } from "../../fixtures/validFor.js"
import type { Variants } from "./variant.js"

const lockedIn = (locktime: bigint): TransferableInput => ({
  ...from(STAKEABLE),
  input: { kind: "LockIn", locktime, input: { kind: "TransferInput", amount: FUNDS, signatureIndices: [0] } },
})

const lockedTo = (amount: bigint, locktime: bigint, owner = alice): TransferableOutput => ({
  assetID: AVAX,
  output: { kind: "LockOut", locktime, output: { ...ownerOf(owner), kind: "TransferOutput", amount } },
})

/** Spends an output of which two of three owners must sign, with these signature indices. */
const shared = (...signatureIndices: readonly number[]): TransferableInput[] => [
  { ...from(SHARED), input: { kind: "TransferInput", amount: FUNDS, signatureIndices: [...signatureIndices] } },
]

const [first, second, third] = [alice, bob, carol].sort((a, b) => (a.address < b.address ? -1 : 1)) as [
  typeof alice,
  typeof alice,
  typeof alice,
]

const owned = (owner: object): TransferableOutput => {
  const { assetID, output } = toAlice(1n)
  return { assetID, output: { ...output, ...owner } as TransferableOutput["output"] }
}

export const baseTx: Variants<"BaseTx"> = [
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "cortina" },
  { name: "an output in no asset", code: "types.empty_asset", exactly: () => ({ outputs: [toAlice(1n, EMPTY_ID)] }) },
  { name: "an input in no asset", code: "types.empty_asset", exactly: () => ({ inputs: [from(MONEY, EMPTY_ID)] }) },
  {
    name: "an input of nothing",
    code: "types.zero_input",
    exactly: ({ inputs }) => ({
      inputs: [{ ...inputs[0]!, input: { kind: "TransferInput", amount: 0n, signatureIndices: [0] } }],
    }),
  },
  {
    name: "outputs in the wrong order",
    code: "types.outputs_unsorted",
    exactly: () => ({ outputs: [toAlice(2n), toAlice(1n)] }),
  },
  { name: "an owner nobody can be", code: "types.owner_unspendable", exactly: () => ({ outputs: [owned({ threshold: 2 })] }) },
  {
    name: "an owner who need not sign",
    code: "types.owner_unoptimized",
    exactly: () => ({ outputs: [owned({ threshold: 0 })] }),
  },
  {
    name: "an owner twice",
    code: "types.addresses_unsorted",
    exactly: () => ({ outputs: [owned({ addresses: [alice.address, alice.address] })] }),
  },
  {
    name: "signers in the wrong order",
    code: "types.indices_unsorted",
    tx: () => ({ inputs: shared(1, 0) }),
    signers: () => [[second, first]],
  },
  { name: "too few signers", code: "rules.too_few_signers", tx: () => ({ inputs: shared(0) }), signers: () => [[first]] },
  {
    name: "more signers than need be",
    code: "rules.too_many_signers",
    tx: () => ({ inputs: shared(0, 1, 2) }),
    signers: () => [[first, second, third]],
  },
  {
    name: "a signer who is not there",
    code: "rules.no_such_address",
    tx: () => ({ inputs: shared(0, 3) }),
    signers: () => [[first, second]],
  },
  {
    name: "the right signers in each other's place",
    code: "rules.wrong_signature",
    tx: () => ({ inputs: shared(0, 1) }),
    signers: () => [[second, first]],
  },
  { name: "an owner's lock that still runs", code: "rules.time_locked", tx: () => ({ inputs: [from(TIME_LOCKED)] }) },
  { name: "a stakeable lock that is not named", code: "rules.lock_not_marked", tx: () => ({ inputs: [from(STAKEABLE)] }) },
  { name: "a stakeable lock named wrongly", code: "rules.locktime_mismatch", tx: () => ({ inputs: [lockedIn(LOCKTIME + 1n)] }) },
  {
    name: "a lock over named wrongly",
    code: "rules.locktime_mismatch",
    tx: () => ({ inputs: [lockedIn(LOCKTIME + 1n)] }),
    now: LOCKTIME,
  },
  { name: "a lock named until the beginning", code: "types.zero_locktime", exactly: () => ({ inputs: [lockedIn(0n)] }) },
  { name: "locked funds for the fee", code: "rules.insufficient_unlocked", exactly: () => ({ inputs: [lockedIn(LOCKTIME)] }) },
  {
    name: "locked funds to another owner",
    code: "rules.insufficient_locked",
    exactly: () => ({ inputs: [from(MONEY), lockedIn(LOCKTIME)], outputs: [lockedTo(2n * FUNDS, LOCKTIME, bob)] }),
    signers: () => [[alice], [alice]],
  },
  {
    name: "locked funds under another lock",
    code: "rules.insufficient_locked",
    exactly: () => ({ inputs: [lockedIn(LOCKTIME)], outputs: [lockedTo(FUNDS, LOCKTIME - 1n)] }),
  },
  {
    name: "another asset than it has",
    code: "rules.insufficient_unlocked",
    tx: ({ outputs }) => ({ outputs: [...outputs, toAlice(1n, COIN)] }),
  },
  {
    name: "outputs beyond any number",
    code: "math.overflow",
    exactly: () => ({ outputs: [toAlice(1n), toAlice(MAX64)] }),
  },
  {
    name: "more gas than the chain has",
    code: "rules.insufficient_capacity",
    given: (state) => state.put(tables.gas, null, { capacity: 4_000n, excess: 0n }),
  },
  {
    name: "the fee of a minute ago",
    code: "rules.insufficient_unlocked",
    given: (state) => state.put(tables.gas, null, { capacity: 1_000_000n, excess: 15_000_000n }),
  },
]

export const exportTx: Variants<"ExportTx"> = [
  { name: "nothing exported", code: "tx.nothing_exported", exactly: () => ({ exportedOutputs: [] }) },
  { name: "itself for destination", code: "rules.same_chain", tx: () => ({ destinationChain: P_CHAIN_ID }) },
  { name: "an unknown destination", code: "rules.peer_chain_unknown", tx: () => ({ destinationChain: idOfByte(0xdd) }) },
  {
    name: "another transaction for destination",
    code: "rules.peer_chain_unknown",
    tx: () => ({ destinationChain: VALIDATOR_TX.id }),
  },
  { name: "a subnet's chain for destination", code: "rules.other_subnet", tx: () => ({ destinationChain: MANAGER_CHAIN }) },
  { name: "locked funds", code: "tx.exports_locked", tx: () => ({ exportedOutputs: [lockedTo(1n, LOCKTIME)] }) },
  { name: "an export of nothing", code: "types.zero_output", exactly: () => ({ exportedOutputs: [toAlice(0n)] }) },
  {
    name: "exports in the wrong order",
    code: "types.outputs_unsorted",
    tx: () => ({ exportedOutputs: [toAlice(2n), toAlice(1n)] }),
  },
  {
    name: "an asset it has not",
    code: "rules.insufficient_unlocked",
    tx: () => ({ exportedOutputs: [toAlice(1n, COIN)] }),
  },
]

export const importTx: Variants<"ImportTx"> = [
  { name: "nothing imported", code: "tx.nothing_imported", exactly: () => ({ importedInputs: [] }) },
  { name: "itself for source", code: "rules.same_chain", tx: () => ({ sourceChain: P_CHAIN_ID }) },
  { name: "an unknown source", code: "rules.peer_chain_unknown", tx: () => ({ sourceChain: idOfByte(0xdd) }) },
  { name: "a subnet's chain for source", code: "rules.other_subnet", tx: () => ({ sourceChain: MANAGER_CHAIN }) },
  { name: "a UTXO that does not wait", code: "rules.not_waiting", tx: () => ({ importedInputs: [from(MONEY)] }) },
  {
    name: "the import twice",
    code: "types.inputs_unsorted",
    tx: ({ importedInputs }) => ({ importedInputs: [importedInputs[0]!, importedInputs[0]!] }),
  },
  {
    name: "an import of nothing",
    code: "types.zero_input",
    exactly: () => ({
      importedInputs: [{ ...from(EXPORTED), input: { kind: "TransferInput", amount: 0n, signatureIndices: [0] } }],
    }),
  },
  { name: "another's signature for the import", code: "rules.wrong_signature", signers: () => [[alice], [carol]] },
  { name: "another asset for the import", code: "rules.asset_mismatch", tx: () => ({ importedInputs: [from(EXPORTED, COIN)] }) },
]

export const createSubnetTx: Variants<"CreateSubnetTx"> = [
  { name: "an owner nobody can be", code: "types.owner_unspendable", tx: () => ({ owner: { ...ownerOf(bob), threshold: 2 } }) },
  {
    name: "an owner who need not sign",
    code: "types.owner_unoptimized",
    tx: () => ({ owner: { ...ownerOf(bob), threshold: 0 } }),
  },
  {
    name: "an owner twice",
    code: "types.addresses_unsorted",
    tx: () => ({ owner: { ...ownerOf(bob), addresses: [bob.address, bob.address] } }),
  },
]
