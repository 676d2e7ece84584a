import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { attempts, Random, seed } from "../../../test/fuzz/random.js"
import { toHex } from "../../core/lib/bytes.js"
import { AVAX } from "../../core/networks/params.js"
import type { Address } from "../../core/types/address.js"
import { openLmdbStore } from "../../store/lmdb/openLmdbStore.js"
import { stateHash } from "../../store/maintenance/stateHash.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import type { Store } from "../../store/store.js"
import { Actor } from "../actor.fixture.js"
import { type Devnet, devnetTables, openDevnet } from "../devnet.fixture.js"
import { grantTo } from "../funds/treasury.js"

/** All that a snapshot must bring back. */
function standOf({ chain, dev, store }: Devnet) {
  const { offset: _, ...status } = dev.status()
  const waiting = dev.mempool().map(({ id }) => id)
  const { impersonated, uptimes } = chain.status.overrides
  const overrides = [[...impersonated].sort(), [...uptimes].sort()]
  return { hash: stateHash(store.latest, devnetTables), status, waiting, overrides, epoch: chain.status.wrappers.currentEpoch() }
}

type Action = (devnet: Devnet, actor: Actor, random: Random) => Promise<unknown>

const someone = (random: Random) => toHex(random.bytes(20)) as Address

const actions: readonly Action[] = [
  ({ dev }, _, random) => dev.fund(grantTo(someone(random), AVAX)),
  ({ dev }, _, random) => dev.fund({ ...grantTo(someone(random), AVAX), stakeableLocktime: dev.now() + 1000n }),
  (_, actor) => actor.issue(actor.make("BaseTx", {})),
  (_, actor) => actor.issue(actor.make("CreateSubnetTx", { owner: actor.owner })),
  async ({ dev }, actor) => actor.addValidator(await dev.newIdentity(), 2_000n * AVAX, 86_400n + 50n),
  ({ dev }, _, random) =>
    dev.addValidators({ count: 1, delegators: random.below(3), duration: 86_400n + BigInt(random.below(5000)) }),
  ({ dev }, _, random) => {
    const autoRenew = { period: 20_000n + BigInt(random.below(40_000)), compoundShares: random.pick([0, 400_000, 1_000_000]) }
    return dev.addValidators({ count: 1, delegators: 0, autoRenew })
  },
  ({ dev }, _, random) => dev.setTime({ to: dev.now() + BigInt(random.below(100_000)), settle: random.below(2) === 0 }),
  ({ dev }, _, random) => dev.setTime({ to: dev.now(), isFrozen: random.below(2) === 0 }),
  ({ dev }) => dev.mine({ blocks: 2, filler: true }),
  ({ dev }) => dev.setBlockMode({ mode: "manual" }),
  ({ dev }) => dev.setBlockMode({ mode: "auto" }),
  ({ dev }) => dev.setBlockMode({ mode: "interval", seconds: 3 }),
  ({ dev, chain }, _, random) =>
    dev.setUptime(chain.options.genesis.body().validators[0]!.unsignedTx.validator.nodeID, random.below(100)),
  ({ dev }, _, random) => dev.impersonate([someone(random)]),
  ({ dev, chain }, _, random) => dev.creditAtomic(chain.options.genesis.xChainID, someone(random), 5n),
  async ({ dev }) => (dev.mempool()[0] ? dev.dropTx(dev.mempool()[0]!.id) : undefined),
  ({ dev }) => dev.snapshot(),
  ({ machine }, _, random) => machine.pass(random.below(20)),
]

async function wander(devnet: Devnet, actor: Actor, random: Random, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    const action = actions[random.below(actions.length)]!
    try {
      await action(devnet, actor, random)
    } catch (error) {
      // Some are refused where the wandering has led: nothing is left of the actor's funds, or the name is taken.
      if (!(error as { code?: string }).code) throw error
    }
  }
}

async function checkReverts(store: Store, rounds: number, start: number): Promise<void> {
  const devnet = await openDevnet({ store })
  const random = new Random(start)
  const actor = await Actor.withFunds(devnet, 7, 50_000n * AVAX)
  await wander(devnet, actor, random, 10)
  const { id } = await devnet.dev.snapshot()
  const before = standOf(devnet)
  for (let round = 0; round < rounds; round++) {
    await wander(devnet, actor, random, 100)
    await devnet.dev.revert(id)
    expect(standOf(devnet)).toEqual(before)
  }
}

const rounds = attempts(100, 25)

test(`a revert restores the state of its snapshot after random actions, ${rounds} times`, { timeout: 600_000 }, async () => {
  await checkReverts(new MemoryStore({ tables: devnetTables }), rounds, seed("revert in memory"))
})

test("a revert restores the state of its snapshot on the disk, too", { timeout: 600_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-snapshots-"))
  const store = openLmdbStore({ dir, tables: devnetTables })
  await checkReverts(store, attempts(20, 20), seed("revert on the disk"))
  await store.close()
  rmSync(dir, { recursive: true })
})

test("a revert keeps its snapshot and removes later ones, and an unknown snapshot is refused", async () => {
  const { dev } = await openDevnet()
  const first = await dev.snapshot()
  await dev.mine({ blocks: 3, filler: true })
  const second = await dev.snapshot("second")
  expect(dev.status().snapshots).toEqual([
    { id: first.id, height: 0n, name: "", time: expect.any(BigInt) },
    { id: second.id, height: 3n, name: "second", time: expect.any(BigInt) },
  ])
  await dev.mine({ blocks: 1, filler: true })
  expect(await dev.revert(second.id)).toEqual({ height: 3n })
  expect(await dev.revert(first.id)).toEqual({ height: 0n })
  await expect(dev.revert(second.id)).rejects.toMatchObject({
    code: "producer.unknown_snapshot",
    data: { id: second.id, known: [first.id] },
  })
  await dev.mine({ blocks: 2, filler: true })
  expect(await dev.revert(first.id)).toEqual({ height: 0n })
})

test("with --warp-lag the heights that blocks name are also reverted, and continue from there", async () => {
  const { dev, chain, machine } = await openDevnet({ choices: { hasWarpLag: true } })
  await dev.mine({ blocks: 2, filler: true })
  await machine.pass(20)
  await dev.mine({ blocks: 1, filler: true })
  const { id } = await dev.snapshot()
  expect(chain.status.wrappers.proposedHeight()).toBe(0n)
  for (let round = 0; round < 2; round++) {
    await machine.pass(100)
    expect(chain.status.wrappers.proposedHeight()).toBe(3n)
    await dev.revert(id)
    expect(chain.status.wrappers.proposedHeight()).toBe(0n)
    await machine.pass(11)
    expect(chain.status.wrappers.proposedHeight()).toBe(2n)
  }
})

test("a revert answers the clients that wait for a transaction, and the transactions that waited at the snapshot wait again", async () => {
  const devnet = await openDevnet({ choices: { blockMode: { mode: "manual" } } })
  const { dev, chain, machine } = devnet
  const actor = await Actor.withFunds(devnet, 1, AVAX)
  const tx = actor.make("BaseTx", {})
  await chain.issueTx(tx)
  const { id } = await dev.snapshot()
  const clock = chain.now()
  await machine.pass(100)
  await dev.setBlockMode({ mode: "auto" })
  expect(chain.status.pool.size).toBe(0)
  await dev.revert(id)
  expect([chain.txStatus(tx.id), chain.now(), dev.status().blockMode]).toEqual([
    { status: "Processing" },
    clock,
    { mode: "manual" },
  ])
  await machine.pass(5)
  expect(chain.now()).toBe(clock + 5n)

  await dev.setBlockMode({ mode: "auto" })
  const { id: later } = await dev.snapshot()
  const next = actor.make("BaseTx", {})
  const issuing = chain.issueTx(next)
  await Promise.all([expect(issuing).rejects.toMatchObject({ code: "producer.reverted" }), dev.revert(later)])
  expect(chain.txStatus(next.id)).toBeUndefined()
  await chain.issueTx(next)
})

test("of many snapshots the first and the latest thousand are kept", async () => {
  const { dev } = await openDevnet()
  for (let i = 0; i < 1010; i++) await dev.snapshot()
  const ids = dev.status().snapshots.map(({ id }) => id)
  expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([1000, 1, 12, 1010])
  await dev.mine({ blocks: 1, filler: true })
  expect(await dev.revert(1)).toEqual({ height: 0n })
  await expect(dev.revert(5)).rejects.toMatchObject({ code: "producer.unknown_snapshot" })
})
