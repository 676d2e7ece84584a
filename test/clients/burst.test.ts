import { pvm } from "@avalabs/avalanchejs"
import { expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { Wallet } from "./avalanchejs/wallet.js"

/**
 * The soak test issues a thousand payments at the default gas capacity. Every other run issues sixty at a tenth of it, which twenty
 * payments use up.
 */
const isSoak = process.env.SERAC_SOAK !== undefined
const PAYMENTS = isSoak ? 1000 : 60
const flags: Record<string, string> = isSoak ? {} : { "dynamic-fees-max-gas-capacity": "100000" }

test("payments one after the other from one key are all accepted", async () => {
  const devnet = await startDevnet({ accounts: 2, flags })
  try {
    const wallet = await Wallet.open(devnet.url)
    const [from, to] = devnet.keys.slice(-2).map(({ privateKey }) => wallet.key(privateKey))
    const before = await wallet.balance(to!)
    for (let i = 0; i < PAYMENTS; i++) {
      await wallet.issue((common) => pvm.newBaseTx({ ...common, outputs: [wallet.output(1_000n, [to!])] }, wallet.context), {
        from: [from!],
      })
    }
    expect((await wallet.balance(to!)) - before).toBe(BigInt(PAYMENTS) * 1_000n)
    expect(Number((await devnet.dev.status()).height)).toBeGreaterThanOrEqual(PAYMENTS)
  } finally {
    await devnet.stop()
  }
}, 600_000)
