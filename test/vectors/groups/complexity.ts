import { mul64 } from "../../../src/core/lib/math64.js"
import { networkFor } from "../../../src/core/networks/index.js"
import { MAINNET_ID } from "../../../src/core/networks/names.js"
import type { Dimensions } from "../../../src/core/networks/params.js"
import {
  authComplexity,
  conversionValidatorComplexity,
  inputsComplexity,
  outputsComplexity,
  ownerComplexity,
  signerComplexity,
} from "../../../src/core/rules/complexity.js"
import { toGas } from "../../../src/core/rules/gas.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import { txTypes } from "../../../src/core/txs/index.js"
import { decodeTx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { Address } from "../../../src/core/types/address.js"
import type { Input, TransferableInput } from "../../../src/core/types/input.js"
import type { Output, TransferableOutput } from "../../../src/core/types/output.js"
import { AVAX, idOfByte, possession, validTxs } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"
import { bytesOf } from "../values.js"

export const dimensionsOf = ({ bandwidth, dbRead, dbWrite, compute }: Entry): Dimensions => ({
  bandwidth: BigInt(bandwidth),
  dbRead: BigInt(dbRead),
  dbWrite: BigInt(dbWrite),
  compute: BigInt(compute),
})

const addresses = (count: Entry): Address[] => Array.from({ length: Number(count ?? 0) }, () => "00".repeat(20) as Address)
const indices = (count: Entry): number[] => Array.from({ length: Number(count ?? 0) }, (_, i) => i)

function outputOf({ numAddresses, stakeableLocked }: Entry): Output {
  const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses: addresses(numAddresses) }
  return stakeableLocked ? { kind: "LockOut", locktime: 1n, output } : output
}

function inputOf({ numSignatures, stakeableLocked }: Entry): Input {
  const input = { kind: "TransferInput" as const, amount: 1n, signatureIndices: indices(numSignatures) }
  return stakeableLocked ? { kind: "LockIn", locktime: 1n, input } : input
}

export const complexity: Group = {
  tx({ input, expected }, verdict) {
    const tx = decodeTx(bytesOf(input.tx)).unsignedTx
    if (expected.error !== undefined) return verdict.refuses(`complexity (${expected.error})`, () => complexityOf(tx))
    const units = complexityOf(tx)
    verdict.equal("complexity", units, expected.complexity)
    const gas = toGas(units, dimensionsOf(input.testWeights))
    verdict.equal("testWeightsFee", mul64(gas, BigInt(input.testPrice)), expected.testWeightsFee)
    const mainnetGas = toGas(units, dimensionsOf(input.mainnetWeights))
    verdict.equal("mainnetGas", mainnetGas, expected.mainnetGas)
    verdict.equal("mainnetFeeAtPrice1", mul64(mainnetGas, 1n), expected.mainnetFeeAtPrice1)
  },

  output: ({ input, expected }, verdict) =>
    verdict.equal("complexity", outputsComplexity([{ output: outputOf(input) }]), dimensionsOf(expected)),

  input: ({ input, expected }, verdict) =>
    verdict.equal("complexity", inputsComplexity([{ input: inputOf(input) }]), dimensionsOf(expected)),

  convertValidator({ input, expected }, verdict) {
    const validator = {
      nodeID: new Uint8Array(Number(input.nodeIDLength)),
      weight: 1n,
      balance: 0n,
      signer: possession,
      remainingBalanceOwner: { threshold: 1, addresses: addresses(input.remainingBalanceAddresses) },
      deactivationOwner: { threshold: 1, addresses: addresses(input.deactivationAddresses) },
    }
    verdict.equal("complexity", conversionValidatorComplexity(validator), dimensionsOf(expected))
  },

  owner: ({ input, expected }, verdict) =>
    verdict.equal("complexity", ownerComplexity({ addresses: addresses(input.numAddresses) }), dimensionsOf(expected)),

  auth: ({ input, expected }, verdict) =>
    verdict.equal(
      "complexity",
      authComplexity({ kind: "Input", signatureIndices: indices(input.numSignatures) }),
      dimensionsOf(expected),
    ),

  signer({ input, expected }, verdict) {
    const signer =
      input.signer === "empty" ? { kind: "EmptySigner" as const } : { kind: "ProofOfPossession" as const, ...possession }
    verdict.equal("complexity", signerComplexity(signer), dimensionsOf(expected))
  },

  intrinsic({ input, expected }, verdict) {
    const type = txTypes.find(({ typeID }) => typeID === Number(input.typeID))
    verdict.equal("complexity", type && "intrinsic" in type ? type.intrinsic : undefined, dimensionsOf(expected))
  },

  shape({ input, expected }, verdict) {
    const units = complexityOf(shaped(input))
    verdict.equal("complexity", units, expected.complexity)
    verdict.equal("mainnetGas", toGas(units, networkFor(MAINNET_ID).params.dynamicFee.weights), expected.mainnetGas)
  },
}

/** A transaction of a kind with these inputs and outputs; all other fields are those of the fixture. */
function shaped({ type, inputs, outputs }: Entry): UnsignedTx {
  const part = { assetID: AVAX, txID: idOfByte(1), outputIndex: 0 }
  return {
    ...validTxs[type as UnsignedTx["kind"]],
    inputs: inputs.map((each: Entry): TransferableInput => ({ ...part, input: inputOf(each) })),
    outputs: outputs.map((each: Entry): TransferableOutput => ({ ...part, output: outputOf(each) })),
  } as UnsignedTx
}
