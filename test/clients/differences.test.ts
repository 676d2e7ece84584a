import { pvm } from "@avalabs/avalanchejs"
import { afterAll, beforeAll, describe, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { Wallet } from "./avalanchejs/wallet.js"
import { differences, type ObservedChain } from "./differences.js"

let seen: ObservedChain
let scarce: Devnet

beforeAll(async () => {
  const devnet = await startDevnet({ accounts: 0 })
  // Gas for two or three payments.
  scarce = await startDevnet({ accounts: 0, flags: { "dynamic-fees-max-gas-capacity": 15_000 } })
  seen = { devnet, statusOf: async (path) => (await fetch(devnet.url + path)).status, payBeyondGas }
})
afterAll(() => Promise.all([seen?.devnet.stop(), scarce?.stop()]))

async function payBeyondGas(): Promise<readonly string[]> {
  const wallet = await Wallet.open(scarce.url)
  const from = [wallet.key(scarce.keys[0]!.privateKey)]
  const outputs = [wallet.output(1n, from)]
  const statuses: string[] = []
  for (let i = 0; i < 10; i++) {
    const tx = await wallet.build(
      ({ feeState, ...rest }) => {
        // The library itself refuses if it sees too little gas.
        return pvm.newBaseTx({ ...rest, feeState: { ...feeState, capacity: 1_000_000n }, outputs }, wallet.context)
      },
      { from },
    )
    const { txID } = await wallet.platform.issueSignedTx(tx.getSignedTx())
    statuses.push((await wallet.platform.getTxStatus({ txID })).status)
  }
  return statuses
}

describe("a private chain differs from a network:", () => {
  for (const { what, serac, holds } of differences) test(`${what}: ${serac}`, () => holds(seen))
})
