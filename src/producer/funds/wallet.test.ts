import { expect, test } from "vitest"
import { AVAX } from "../../core/networks/params.js"
import { burnedAvax } from "../../core/txs/amounts.js"
import { feeOf } from "../../core/txs/execute.js"
import { Actor } from "../actor.fixture.js"
import { type Devnet, openDevnet } from "../devnet.fixture.js"
import type { Parts } from "./payment.js"
import { grantTo } from "./treasury.js"
import { Purse } from "./wallet.js"

const BASE = { amount: 0n, make: (parts: Parts) => ({ kind: "BaseTx" as const, ...parts }) }

async function withUtxos(...amounts: bigint[]): Promise<{ devnet: Devnet; actor: Actor; purse: Purse }> {
  const devnet = await openDevnet()
  const actor = new Actor(devnet, 3)
  for (const amount of amounts) await devnet.dev.fund(grantTo(actor.key.address, amount))
  return { devnet, actor, purse: actor.purse() }
}

test("a payment burns its fee to the nAVAX, and the change comes back", async () => {
  const { devnet, purse } = await withUtxos(5n * AVAX, 2n * AVAX)
  const { rules } = devnet.chain.status
  const output = purse.outputOf(3n * AVAX)
  const tx = purse.pay({ ...BASE, amount: 3n * AVAX, outputs: [output] }, 7n)
  expect(burnedAvax(tx.unsignedTx, rules.avaxAssetID)).toBe(feeOf(tx.unsignedTx, rules, 7n))
  // The largest UTXO was enough, and its change can be spent at once.
  expect("inputs" in tx.unsignedTx && [tx.unsignedTx.inputs.length, tx.unsignedTx.outputs.length]).toEqual([1, 2])
  expect(purse.balance).toBe(7n * AVAX - feeOf(tx.unsignedTx, rules, 7n))
  const next = purse.pay(BASE, 1n)
  await devnet.chain.issueTx(tx).catch(() => {})
  expect("inputs" in next.unsignedTx && next.unsignedTx.inputs[0]?.txID).toBe(tx.id)
})

test("change that is too small for an output is burned with the fee", async () => {
  const { devnet, purse } = await withUtxos(1n * AVAX)
  const { rules } = devnet.chain.status
  // There is one output either way: the payment itself, or the change of a payment without outputs.
  const amount = AVAX - purse.gasOf(BASE) - 5n
  const tx = purse.pay({ ...BASE, amount, outputs: [purse.outputOf(amount)] }, 1n)
  expect("outputs" in tx.unsignedTx && tx.unsignedTx.outputs.length).toBe(1)
  expect(burnedAvax(tx.unsignedTx, rules.avaxAssetID)).toBe(AVAX - amount)
})

test("amounts above the balance, locked funds and UTXOs of waiting transactions cannot be spent", async () => {
  const { devnet, actor, purse } = await withUtxos(AVAX)
  const { dev, chain, store } = devnet
  expect(() => purse.pay({ ...BASE, amount: AVAX }, 1n)).toThrow(
    expect.objectContaining({ code: "producer.insufficient_funds", data: expect.objectContaining({ balance: AVAX }) }),
  )
  const locktime = chain.now() + 100n
  await dev.fund({ ...grantTo(actor.key.address, 5n * AVAX), locktime })
  await dev.fund({ ...grantTo(actor.key.address, 7n * AVAX), stakeableLocktime: locktime })
  expect(actor.purse().balance).toBe(AVAX)
  const options = { now: locktime, isTaken: () => false }
  expect(new Purse(store.latest, actor.key, chain.status.rules, options).balance).toBe(13n * AVAX)
  expect(new Purse(store.latest, actor.key, chain.status.rules, { now: 0n, isTaken: () => true }).balance).toBe(0n)
  await dev.setTime({ to: locktime })
  await actor.issue(actor.make("BaseTx", {}, 0n))
  expect(actor.balance).toBeGreaterThan(13n * AVAX - 100_000n)
})
