/** Injects an error at every call of the store's file layer while a node runs, and checks the refusals, the answers from memory, and the state after a restart. */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { Invalid } from "../../src/core/lib/invalid.js"
import { printJson } from "../../src/core/lib/json.js"
import { silentLog } from "../../src/core/lib/log.js"
import type { Address } from "../../src/core/types/address.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { devOf, type TestDev } from "../../src/producer/dev.fixture.js"
import { grantTo } from "../../src/producer/funds/treasury.js"
import { type PrivateNode, startPrivateChain } from "../../src/sources/private/privateNode.js"
import { CODES_BY_ERROR, failingAt } from "../../src/store/lmdb/failingFiles.fixture.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { type StoreFiles, systemFiles } from "../../src/store/lmdb/storeFiles.js"
import type { Store } from "../../src/store/store.js"
import { checkRows, summaryOf } from "../../src/tools/summary.js"
import { isSoak } from "../fuzz/random.js"

const folder = mkdtempSync(join(tmpdir(), "serac-every-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW = 1_790_000_000
const ADDRESS = "5a".repeat(20) as Address
const NAMES = Object.keys(CODES_BY_ERROR)

/**
 * Returns the cases of a run with this number of calls. In a soak every call fails with every error; otherwise every third call fails with
 * one error, and the errors take turns.
 */
function casesOf(calls: number): (readonly [n: number, name: string])[] {
  const all = Array.from({ length: calls }, (_, i) => i + 1)
  if (isSoak) return all.flatMap((n) => NAMES.map((name) => [n, name] as const))
  return all.filter((n) => n % 3 === 1).map((n, i) => [n, NAMES[i % NAMES.length] as string] as const)
}

type Action = (dev: TestDev) => Promise<unknown>

/** Actions on a chain, each with one commit; two runs, with a restart between them. */
const RUNS: readonly (readonly Action[])[] = [
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

/** The digest of a state as `serac state` prints it, and the hash over all rows. */
const stateIn = (store: Store) => {
  const { digest, hash } = summaryOf(store, store.latest)
  return printJson({ digest, hash })
}

const open = (dir: string, files: StoreFiles) => openLmdbStore({ dir, tables: nodeTables, tablesBesideChain, files })

function start(store: Store): Promise<PrivateNode> {
  return startPrivateChain(store, {
    choice: { now: BigInt(NOW) },
    producer: { renewsValidators: false },
    dialect: "contract",
    isPublic: false,
    log: silentLog,
    wall: () => NOW * 1000,
  })
}

/** Repeats an action until it succeeds; calls back with each refusal of the store. */
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

/** Runs the node once on a directory. Returns the state after the start and after each action, and the refusals. */
async function runWith(
  dir: string,
  files: StoreFiles,
  actions: readonly Action[],
): Promise<{ readonly states: string[]; readonly refusals: string[] }> {
  const states: string[] = []
  const refusals: string[] = []
  const { store, node } = await insist(
    async () => {
      const store = open(dir, files)
      return { store, node: await start(store) }
    },
    (code) => refusals.push(code),
  )
  states.push(stateIn(store))
  for (const action of actions) {
    await insist(
      () => action(devOf(node)),
      (code) => {
        refusals.push(code)
        // Answers from memory show the last acknowledged state.
        expect(stateIn(store)).toBe(states.at(-1))
      },
    )
    states.push(stateIn(store))
  }
  await node.stop()
  return { states, refusals }
}

/** Checks that a restart without errors finds a state, and nothing damaged. */
async function expectAfterRestart(dir: string, state: string | undefined): Promise<void> {
  const store = open(dir, systemFiles)
  expect(stateIn(store)).toBe(state)
  checkRows(store.latest, () => {})
  store.checkFile()
  await store.close()
}

test.each([
  ["the first run of a node", 0],
  ["a run after a restart", 1],
] as const)(
  "an error at any call of %s is named, memory shows the last acknowledged state, and so does a restart",
  async (_, run) => {
    const before = join(folder, `before-${run}`)
    mkdirSync(before)
    for (const actions of RUNS.slice(0, run)) await runWith(before, systemFiles, actions)
    const actions = RUNS[run] as readonly Action[]
    const copyOf = (name: string) => {
      const dir = join(folder, `${run}-${name}`)
      cpSync(before, dir, { recursive: true })
      return dir
    }
    const counting = failingAt(0, "EIO")
    const undisturbed = await runWith(copyOf("undisturbed"), counting.files, actions)
    expect(undisturbed.refusals).toEqual([])
    const total = counting.calls()
    expect(total).toBeGreaterThan(20)
    for (const [n, name] of casesOf(total)) {
      const dir = copyOf(`${n}-${name}`)
      const { states, refusals } = await runWith(dir, failingAt(n, name).files, actions)
      // An error while a closing store removes its leftover files is not reported.
      expect([[], [CODES_BY_ERROR[name]]], `call ${n} of ${total}`).toContainEqual(refusals)
      expect(states, `call ${n} of ${total}`).toEqual(undisturbed.states)
      await expectAfterRestart(dir, undisturbed.states.at(-1))
      rmSync(dir, { recursive: true })
    }
  },
  600_000,
)
