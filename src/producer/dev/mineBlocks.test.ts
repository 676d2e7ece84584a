import { expect, test } from "vitest"
import { AVAX } from "../../core/networks/params.js"
import { tables } from "../../core/state/tables.js"
import { Actor } from "../actor.fixture.js"
import { blocksOf, emptyTreasury, openDevnet } from "../devnet.fixture.js"
import { grantTo } from "../funds/treasury.js"

const manual = { blockMode: { mode: "manual" } } as const

test("a block is filled also where all that waits is no longer valid", async () => {
  const devnet = await openDevnet({ choices: manual })
  const { dev, chain, machine } = devnet
  const actor = await Actor.withFunds(devnet, 1, 5_000n * AVAX)
  const late = await actor.addValidator(await dev.newIdentity(), 2_000n * AVAX, 3_600n + 60n)
  machine.time += 120_000
  expect(await dev.mine({ blocks: 2, filler: true })).toEqual({ height: 3n, blocks: 2 })
  expect(chain.txStatus(late)).toMatchObject({ status: "Dropped" })
})

test("blocks with waiting transactions and filled blocks count together", async () => {
  const devnet = await openDevnet({ choices: manual })
  const actor = await Actor.withFunds(devnet, 1, AVAX)
  const txID = await actor.issue(actor.make("BaseTx", {}))
  expect(await devnet.dev.mine({ blocks: 3, filler: true })).toEqual({ height: 4n, blocks: 3 })
  expect(devnet.store.latest.get(tables.txs, txID)?.height).toBe(2n)
})

test("blocks that were accepted are written also where the next cannot be paid for", async () => {
  const devnet = await openDevnet({ choices: manual })
  const { dev, store } = devnet
  const actor = await Actor.withFunds(devnet, 1, AVAX)
  await emptyTreasury(devnet)
  const txID = await actor.issue(actor.make("BaseTx", {}))
  await expect(dev.mine({ blocks: 9, filler: true })).rejects.toMatchObject({ code: "producer.insufficient_funds" })
  expect(store.latest.get(tables.txs, txID)?.height).toBe(3n)
})

test("blocks that fell due before the call come first, at their times, and are not counted", async () => {
  const devnet = await openDevnet()
  const { dev, machine, store, chain } = devnet
  const actor = await Actor.withFunds(devnet, 1, 5_000n * AVAX)
  await actor.addValidator(await dev.newIdentity(), 2_000n * AVAX, 86_400n)
  await dev.setBlockMode({ mode: "manual" })
  const end = chain.now() + 86_400n
  // The machine slept: its timers did not.
  machine.time += 100_000_000
  await dev.fund(grantTo(actor.key.address, 1n))
  const made = blocksOf(devnet).slice(2)
  expect(made.map(({ kind }) => kind)).toEqual(["BanffProposalBlock", "BanffCommitBlock", "BanffStandardBlock"])
  expect(made.map((block) => "time" in block && block.time)).toEqual([end, end, chain.now()])
  await actor.addValidator(await dev.newIdentity(), 2_000n * AVAX, 90_000n)
  await dev.mine({ blocks: 1, filler: false })
  const waiting = await actor.issue(actor.make("BaseTx", {}))
  machine.time += 100_000_000
  expect(await dev.mine({ blocks: 1, filler: false })).toEqual({ height: 9n, blocks: 1 })
  expect(store.latest.get(tables.txs, waiting)?.height).toBe(9n)
})
