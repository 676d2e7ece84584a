/** Injects an error at every call of the store's file layer while a node runs, and checks the refusals, the answers from memory, and the state after a restart. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { Invalid } from "../../src/core/lib/invalid.js"
import { printJson } from "../../src/core/lib/json.js"
import { silentLog } from "../../src/core/lib/log.js"
import type { Address } from "../../src/core/types/address.js"
import { type Node, startNode } from "../../src/node/node.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { checkRows, summaryOf } from "../../src/node/summary.js"
import type { Dev } from "../../src/producer/dev/dev.js"
import { grantTo } from "../../src/producer/funds/treasury.js"
import { CODES_BY_ERROR, failingAt } from "../../src/store/failingFiles.fixture.js"
import { openLmdbStore } from "../../src/store/openLmdbStore.js"
import type { Store } from "../../src/store/store.js"
import { type StoreFiles, systemFiles } from "../../src/store/storeFiles.js"
import { isSoak } from "../strangers/random.js"

const folder = mkdtempSync(join(tmpdir(), "serac-every-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW = 1_790_000_000
const ADDRESS = "5a".repeat(20) as Address
const NAMES = Object.keys(CODES_BY_ERROR)

/** Actions on a chain, each with one commit; two runs, with a restart between them. */
const RUNS: readonly (readonly ((dev: Dev) => Promise<unknown>)[])[] = [
  [
    (dev) => dev.fund(grantTo(ADDRESS, 5n)),
    (dev) => dev.mine({ blocks: 1, filler: true }),
    (dev) => dev.fund({ ...grantTo(ADDRESS, 7n), stakeableLocktime: 4_000_000_000n }),
  ],
  [
    (dev) => dev.newIdentity(),
    (dev) => dev.setTime({ to: BigInt(NOW) + 50n }),
    (dev) => dev.fund(grantTo(ADDRESS, 9n)),
    async (dev) => {
      const { id } = await dev.snapshot()
      await dev.revert(id)
    },
    async (dev) => dev.loadState(await dev.dumpState()),
    (dev) => dev.fund(grantTo(ADDRESS, 11n)),
  ],
]

/** All that a state amounts to: the digest as `serac state` prints it, and the hash over all rows. */
const standOf = (store: Store) => {
  const { digest, hash } = summaryOf(store, store.latest)
  return printJson({ digest, hash })
}

const open = (dir: string, files: StoreFiles) => openLmdbStore({ dir, tables: nodeTables, tablesBesideChain, files })

function start(store: Store): Promise<Node> {
  return startNode({
    store,
    mode: "dev",
    choice: { now: BigInt(NOW) },
    producer: { renewsValidators: false },
    dialect: "contract",
    isPublic: false,
    log: silentLog,
    wall: () => NOW * 1000,
  })
}

/** Does something until it succeeds; calls back with each refusal of the store. */
async function insist<T>(work: () => Promise<T>, onRefusal: (code: string) => void): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      // One call fails in a run, once.
      if (!(error instanceof Invalid) || attempt > 3) throw error
      onRefusal(error.code)
    }
  }
}

/** Runs the node twice on a directory. Returns the state after each action and the refusals. */
async function runWith(dir: string, files: StoreFiles): Promise<{ readonly stands: string[]; readonly refusals: string[] }> {
  const stands: string[] = []
  const refusals: string[] = []
  for (const deeds of RUNS) {
    let store = undefined as unknown as Store
    const node = await insist(
      () => {
        store = open(dir, files)
        return start(store)
      },
      (code) => refusals.push(code),
    )
    stands.push(standOf(store))
    for (const deed of deeds) {
      await insist(
        () => deed(node.dev as Dev),
        (code) => {
          refusals.push(code)
          // Answers from memory show the last acknowledged state.
          expect(standOf(store)).toBe(stands.at(-1))
        },
      )
      stands.push(standOf(store))
    }
    await node.stop()
  }
  return { stands, refusals }
}

test("an error at any call of a run is named, memory shows the last acknowledged state, and so does a restart", async () => {
  const counting = failingAt(0, "EIO")
  const undisturbed = await runWith(join(folder, "undisturbed"), counting.files)
  expect(undisturbed.refusals).toEqual([])
  const total = counting.calls()
  expect(total).toBeGreaterThan(40)
  const step = isSoak ? 1 : 4
  for (let n = 1; n <= total; n += step) {
    for (const name of isSoak ? NAMES : [NAMES[n % NAMES.length] as string]) {
      const dir = join(folder, `${n}-${name}`)
      const { stands, refusals } = await runWith(dir, failingAt(n, name).files)
      // An error while a closing store removes its leftover files is not reported.
      expect([[], [CODES_BY_ERROR[name]]], `call ${n} of ${total}`).toContainEqual(refusals)
      expect(stands, `call ${n} of ${total}`).toEqual(undisturbed.stands)
      const again = open(dir, systemFiles)
      expect(standOf(again)).toBe(undisturbed.stands.at(-1))
      checkRows(again.latest, () => {})
      again.checkPages()
      await again.close()
      rmSync(dir, { recursive: true })
    }
  }
}, 600_000)
