import type { Output, TransferOutput } from "../types/output.js"
import type { StakePart } from "./stakeSplit.js"

/** Makes an output of the genesis to one owner, under a stakeable lock if its time is after the start (Unix seconds). */
export function genesisOutput({ address, amount, locktime }: StakePart, startTime: bigint): Output {
  const plain: TransferOutput = { kind: "TransferOutput", amount, locktime: 0n, threshold: 1, addresses: [address] }
  return locktime > startTime ? { kind: "LockOut", locktime, output: plain } : plain
}
