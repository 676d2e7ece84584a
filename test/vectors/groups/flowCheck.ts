import type { TxContext } from "../../../src/core/rules/context.js"
import { verifySpend } from "../../../src/core/rules/spend.js"
import { signedTxOf } from "../../../src/core/txs/tx.js"
import type { ID } from "../../../src/core/types/id.js"
import type { Input } from "../../../src/core/types/input.js"
import type { Output } from "../../../src/core/types/output.js"
import { blockContextWith, given, idOfNumber, rulesWith, timeRow } from "../../fixtures/state.js"
import { AVAX, idOfByte, validTxs } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"

const assets: Record<string, ID> = { AVAX, CUSTOM: idOfByte(0xcc) }
const assetOf = (name: string): ID => assets[name] ?? idOfNumber(BigInt(`0x${Buffer.from(name).toString("hex")}`))

const isLocked = ({ stakeableLocktime }: Entry) => stakeableLocktime !== null && stakeableLocktime !== undefined

function outputOf(entry: Entry): Output {
  const output = { kind: "TransferOutput" as const, amount: BigInt(entry.amount), locktime: 0n, threshold: 0, addresses: [] }
  return isLocked(entry) ? { kind: "LockOut", locktime: BigInt(entry.stakeableLocktime), output } : output
}

function inputOf(entry: Entry): Input {
  const input = { kind: "TransferInput" as const, amount: BigInt(entry.amount), signatureIndices: [] }
  return isLocked(entry) ? { kind: "LockIn", locktime: BigInt(entry.stakeableLocktime), input } : input
}

/** An unsigned transaction at a moment of the clock; all owners are arbitrary addresses. */
function runAt(now: bigint): TxContext {
  const state = given(timeRow(now))
  const tx = signedTxOf(validTxs.BaseTx, [])
  return {
    blockContext: { ...blockContextWith(rulesWith(), now, state), trustSignatures: false },
    diff: state,
    txID: tx.id,
    credentials: [],
    signingHash: () => new Uint8Array(32),
    fee: () => 0n,
    chainTime: now,
    imports: new Set(),
    mayReturn: false,
    accepted: () => undefined,
  }
}

export const flowCheck: Group = {
  verifySpend({ input, expected }, verdict) {
    const place = (i: number) => ({ txID: idOfNumber(i), outputIndex: 0 })
    const spend = {
      utxos: input.utxos.map((each: Entry, i: number) => ({ ...place(i), assetID: assetOf(each.asset), output: outputOf(each) })),
      inputs: input.inputs.map((each: Entry, i: number) => ({ ...place(i), assetID: assetOf(each.asset), input: inputOf(each) })),
      outputs: input.outputs.map((each: Entry) => ({ assetID: assetOf(each.asset), output: outputOf(each) })),
      credentials: Array.from({ length: Number(input.numCredentials) }, () => ({ kind: "Credential" as const, signatures: [] })),
      burns: new Map(Object.entries(input.produced).map(([asset, amount]) => [assetOf(asset), BigInt(amount as string)])),
    }
    const verify = () => verifySpend(runAt(BigInt(input.now)), spend)
    if (expected.valid !== true) return verdict.refuses(`spend (${expected.error})`, verify)
    verify()
  },
}
