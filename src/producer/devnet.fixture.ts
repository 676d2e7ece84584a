import { type Block, decodeBlock } from "../core/blocks/block.js"
import { applyGenesis } from "../core/genesis/apply.js"
import type { Genesis } from "../core/genesis/genesis.js"
import { LOCAL_START_TIME } from "../core/genesis/local.js"
import { printJson } from "../core/lib/json.js"
import type { Log } from "../core/lib/log.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { paramsFor } from "../core/networks/index.js"
import { LOCAL_ID } from "../core/networks/names.js"
import { applyRuleFlags } from "../core/networks/ruleFlags.js"
import { upgradesJson } from "../core/networks/upgradeFile.js"
import { privateChainUpgrades, type Upgrades } from "../core/networks/upgrades.js"
import { Diff } from "../core/state/diff.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import { emptyView } from "../core/state/view.js"
import type { Address } from "../core/types/address.js"
import { crypto } from "../platform/backends.js"
import { genesisFor } from "../platform/genesis.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import { TestDev } from "./dev.fixture.js"
import type { Payment } from "./funds/payment.js"
import { grantTo } from "./funds/treasury.js"
import type { PrivateChainChoices } from "./options.js"
import type { Timers } from "./ports.js"
import { PrivateChain } from "./privateChain.js"
import { producerTables } from "./tables.js"

/** A machine whose clock the test moves. */
export class Machine {
  /** Milliseconds since 1970. */
  time: number
  /** The number of pending `soon` callbacks. */
  #soon = 0
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>()

  constructor(seconds: bigint) {
    this.time = Number(seconds) * 1000
  }

  readonly wall = () => this.time

  readonly timers: Timers = {
    after: (milliseconds, callback) => {
      const timer = { due: this.time + milliseconds, callback }
      this.#timers.add(timer)
      return () => this.#timers.delete(timer)
    },
    soon: (callback) => {
      this.#soon++
      setImmediate(() => {
        this.#soon--
        callback()
      })
    },
  }

  /** Moves the clock by this many seconds, and runs the timers that become due. */
  async pass(seconds: number): Promise<void> {
    const end = this.time + seconds * 1000
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (!next) break
      this.#timers.delete(next)
      this.time = Math.max(this.time, next.due)
      next.callback()
      await this.idle()
    }
    this.time = end
    await this.idle()
  }

  /** Runs the pending `soon` callbacks, and those that they add. */
  async idle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 4; quietTurns = this.#soon > 0 ? 0 : quietTurns + 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

export interface DevnetOptions {
  readonly flags?: Readonly<Record<string, FlagValue>>
  readonly choices?: PrivateChainChoices
  readonly upgrades?: Upgrades
  readonly store?: Store
  readonly machine?: Machine
  readonly log?: Log
  readonly networkID?: number
  readonly tablesBesideChain?: readonly AnyTable[]
  readonly rebuild?: (genesis: Genesis) => void
  readonly initialState?: Uint8Array
}

export interface Devnet {
  readonly chain: PrivateChain
  readonly dev: TestDev
  readonly machine: Machine
  readonly store: Store
}

/** Start of a test's machine: an hour after the start of the local network, so that gas is available. */
export const TEST_START = LOCAL_START_TIME + 3600n

/** All tables of a private chain's store in tests. */
export const devnetTables = [...allTables, ...producerTables]

/** Returns every block after genesis, in order. */
export function blocksOf({ store }: Devnet): Block[] {
  const ids = [...store.latest.rows(tables.blockIDs)].slice(1).map(([, id]) => id)
  return ids.map((id) => decodeBlock(store.latest.get(tables.blocks, id)!))
}

/** Spends the funds of the well-known key. */
export async function emptyTreasury({ dev, chain }: Devnet): Promise<void> {
  const now = chain.now()
  const purse = chain.treasury.purse(chain.options.store.latest, now)
  const payment: Payment = { amount: 1n, outputs: [purse.outputOf(1n)], make: (parts) => ({ kind: "BaseTx", ...parts }) }
  const fee = purse.feeOfAll(payment, chain.treasury.price(now))
  await dev.fund(grantTo("ab".repeat(20) as Address, purse.balance - fee))
}

/** Opens a private chain in memory, or in a store that may already have one. */
export async function openDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const {
    flags = {},
    choices,
    upgrades = privateChainUpgrades,
    networkID = LOCAL_ID,
    log,
    tablesBesideChain = [],
    rebuild,
    initialState,
  } = options
  const { machine = new Machine(TEST_START), store = new MemoryStore({ tables: devnetTables, tablesBesideChain }) } = options
  const params = applyRuleFlags(paramsFor(networkID), flags)
  const genesis = genesisFor({ networkID, now: LOCAL_START_TIME, maxStakeDuration: params.staking.maxStakeDuration })
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  const genesisEdits = () => {
    const diff = new Diff(emptyView)
    applyGenesis(diff, genesis, rules)
    return diff.edits
  }
  if (!store.latest.get(tables.lastAccepted, null)) {
    const meta = { rules: printJson(flags), upgrades: printJson(upgradesJson(upgrades)), genesis: genesis.bytes() }
    store.commit(genesisEdits(), { meta })
  }
  const { wall, timers } = machine
  const chain = new PrivateChain({
    ...{ rules, genesis, store, genesisEdits, wall, timers, log, choices, tablesBesideChain, initialState },
    tables: devnetTables,
    ...(rebuild ? { rebuild } : {}),
  })
  await chain.start()
  return { chain, dev: new TestDev(chain), machine, store }
}
