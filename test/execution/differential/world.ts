import { Chain } from "../../../src/core/chain/chain.js"
import { configToJson } from "../../../src/core/genesis/configJson.js"
import { printJson } from "../../../src/core/lib/json.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { upgradesJson } from "../../../src/core/networks/upgradeFile.js"
import { UNSCHEDULED, type UpgradeName, type Upgrades, upgradeNames } from "../../../src/core/networks/upgrades.js"
import type { Rules } from "../../../src/core/rules/context.js"
import { tables } from "../../../src/core/state/tables.js"
import { EMPTY_ID, type ID, type NodeID } from "../../../src/core/types/id.js"
import { nodeTables } from "../../../src/datadir/nodeTables.js"
import { openCopy } from "../../../src/datadir/storedChain.js"
import { MemoryStore } from "../../../src/store/memory/memoryStore.js"
import { blsKeyOf, type Key, keyOf } from "../../fixtures/keys.js"
import { type PeerIdentity, peerIdentity } from "../../fixtures/peerIdentity.js"
import { idOfByte } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"

/** A private network, whose genesis, upgrades and rules can be chosen. */
export const NETWORK = 424242
/** The time at which the chains of these tests begin, Unix seconds. */
export const START = 1_790_000_000n
/** The asset that comes from the X-Chain, for open subnets. */
export const COIN = idOfByte(0xfc)

export const people: readonly Key[] = [1, 2, 3, 4, 5].map(keyOf)
/** The keys of the nodes, with which a test can sign their blocks. */
export const identities: readonly PeerIdentity[] = [1, 2, 3, 4, 5, 6, 7].map((number) => peerIdentity(`node ${number}`))
export const nodes: readonly NodeID[] = identities.map(({ nodeID }) => nodeID)
/** The approximate supply at genesis, nAVAX. */
const SUPPLY = 101_000_000n * NAVAX
/** Number of BLS keys. Validators share them. */
export const BLS_KEYS = 5

/** The inputs of the judge besides the blocks of a chain. */
export interface World {
  readonly chain: Chain
  readonly store: MemoryStore
  /** Makes another store that has only genesis. */
  newStore(): MemoryStore
  readonly rules: Rules
  readonly xChainID: ID
  readonly cChainID: ID
  readonly genesisText: string
  readonly upgradeText: string
  readonly flags: Readonly<Record<string, string>>
}

/** The upgrades, with the seconds after the start at which each activates; omitted ones never do. */
export type Schedule = Partial<Record<UpgradeName, bigint>>

/** A schedule in which all upgrades up to one are active from the beginning, and no later upgrade. */
export function eraOf(last: UpgradeName): Schedule {
  return Object.fromEntries(upgradeNames.slice(0, upgradeNames.indexOf(last) + 1).map((name) => [name, -1n]))
}

/** A schedule that activates all upgrades from Apricot Phase 3 to Helicon within an hour. */
export const passing: Schedule = {
  ...eraOf("apricotPhase2"),
  apricotPhase3: 100n,
  apricotPhase4: 150n,
  apricotPhase5: 200n,
  apricotPhasePre6: 210n,
  apricotPhase6: 220n,
  apricotPhasePost6: 230n,
  banff: 400n,
  cortina: 600n,
  durango: 900n,
  etna: 1_200n,
  fortuna: 1_400n,
  granite: 1_500n,
  helicon: 2_000n,
}

const DAY = 86_400n

/**
 * A schedule in which Helicon was activated this many days before the start, so that the minimum consumption rate changes or has reached
 * its end.
 */
export const heliconSince = (days: bigint): Schedule => Object.fromEntries(upgradeNames.map((name) => [name, -days * DAY]))

/** The schedules of random chains, by name. */
export const schedules: readonly (readonly [string, Schedule])[] = [
  ["through all upgrades", passing],
  ["under Granite", eraOf("granite")],
  ["before Apricot Phase 3", eraOf("apricotPhase2")],
  ["under Apricot Phase 5", eraOf("apricotPhase5")],
  ["under Banff", eraOf("banff")],
  ["under Durango", eraOf("durango")],
  ["from Cortina to Helicon", { ...eraOf("cortina"), durango: 300n, etna: 600n, fortuna: 700n, granite: 800n, helicon: 1_500n }],
  ["under Helicon", eraOf("helicon")],
  ["into Helicon", { ...eraOf("granite"), helicon: 700n }],
  ["after 40 days of Helicon", heliconSince(40n)],
  ["after a year of Helicon", heliconSince(365n)],
]

/**
 * Makes a new chain of this schedule, with rules whose limits are reached within minutes. `cheapGas` omits the flags that make gas
 * expensive.
 */
export function worldOf(random: Random, schedule: Schedule, { cheapGas = false } = {}): World {
  const times = Object.fromEntries(
    upgradeNames.map((name) => [name, schedule[name] === undefined ? UNSCHEDULED : START + schedule[name]]),
  ) as Upgrades["times"]
  const upgrades = {
    times,
    apricotPhase4MinPChainHeight: 0n,
    cortinaXChainStopVertexID: EMPTY_ID,
    graniteEpochDuration: 10_000_000_000n,
  }
  const [genesisText, upgradeText, anyFlags] = [genesisOf(random), printJson(upgradesJson(upgrades)), flagsOf(random)]
  const isKept = ([name]: readonly [string, string]) => !cheapGas || !name.startsWith("dynamic-fees")
  const flags = Object.fromEntries(Object.entries(anyFlags).filter(isKept))
  const choice = { networkID: NETWORK, ruleFlags: flags, genesisText, upgrades: upgradeText, now: 2n ** 40n }
  const newStore = () => {
    const made = new MemoryStore({ tables: nodeTables })
    openCopy(made, choice)
    return made
  }
  const store = newStore()
  const { rules } = openCopy(store, choice)
  const chains = new Map([...store.latest.rows(tables.chains)].map(([id, { chainName }]) => [chainName, id]))
  const [xChainID, cChainID] = [chains.get("X-Chain")!, chains.get("C-Chain")!]
  const chain = new Chain({ rules, state: store, checksImports: true })
  return { chain, store, newStore, rules, xChainID, cChainID, genesisText, upgradeText, flags }
}

function genesisOf(random: Random): string {
  const locktime = () => START + BigInt(random.pick([50, 300, 900, 5_000, 100_000_000]))
  const money = () => BigInt(1 + random.below(20_000)) * NAVAX + BigInt(random.below(3))
  return printJson(
    configToJson({
      networkID: NETWORK,
      allocations: [
        ...people.map(({ address }) => ({
          ethAddr: "00".repeat(20),
          avaxAddr: address,
          initialAmount: 0n,
          unlockSchedule: [
            ...Array.from({ length: 12 }, () => ({ amount: money(), locktime: 0n })),
            ...Array.from({ length: 4 }, () => ({ amount: money(), locktime: locktime() })),
          ],
        })),
        {
          ethAddr: "00".repeat(20),
          avaxAddr: keyOf(99).address,
          initialAmount: 100_000_000n * NAVAX,
          unlockSchedule: [
            { amount: 5_000n * NAVAX, locktime: 0n },
            { amount: 4_000n * NAVAX, locktime: START + 1_000n },
          ],
        },
      ],
      startTime: START,
      initialStakeDuration: 100_000n,
      initialStakeDurationOffset: BigInt(random.pick([0, 40_000, 49_500])),
      initialStakedFunds: [keyOf(99).address],
      initialStakers: [1, 2, 3].map((number) => ({
        nodeID: nodes[number - 1]!,
        rewardAddress: people[number]!.address,
        delegationFee: random.pick([0, 20_000, 333_333, 1_000_000]),
        ...(number < 3 ? { signer: signerOf(number) } : {}),
      })),
      cChainGenesis: "{}",
      message: "judged",
    }),
  )
}

/** The key and the proof, without the secret. */
export function signerOf(number: number) {
  const { publicKey, proofOfPossession } = blsKeyOf(number)
  return { publicKey, proofOfPossession }
}

function flagsOf(random: Random): Record<string, string> {
  const flags: Record<string, string> = {
    "min-stake-duration": random.pick(["60s", "60s", "20s"]),
    "helicon-min-stake-duration": random.pick(["20s", "60s", "61s", "1500ms", "90.5s"]),
    "max-validator-stake": String(random.pick([3_000_000n, 10_000n, 2_500n]) * NAVAX),
    "validator-fees-target": random.pick(["0", "1", "2", "10000"]),
    "validator-fees-capacity": random.pick(["2", "5", "20000"]),
    "validator-fees-min-price": random.pick(["1", "512"]),
    "validator-fees-excess-conversion-constant": random.pick(["7", "500", "865617"]),
  }
  if (random.below(3) === 0) flags["dynamic-fees-excess-conversion-constant"] = "20000"
  if (random.below(20) === 0) flags["dynamic-fees-excess-conversion-constant"] = "500"
  if (random.below(3) === 0) flags["dynamic-fees-max-gas-capacity"] = "60000"
  if (random.below(4) === 0) flags["dynamic-fees-max-gas-per-second"] = "2000"
  if (random.below(4) === 0) flags["dynamic-fees-min-gas-price"] = random.pick(["0", "77"])
  if (random.below(4) === 0) flags["dynamic-fees-target-gas-per-second"] = "100"
  if (random.below(6) === 0) flags["dynamic-fees-bandwidth-weight"] = random.pick(["0", "9", String(2n ** 56n)])
  if (random.below(4) === 0) flags["stake-supply-cap"] = String((random.pick([90n, 100n, 101n, 500n]) * SUPPLY) / 100n)
  if (random.below(3) === 0) flags["max-stake-duration"] = "100000s"
  if (flags["max-stake-duration"] && random.below(2) === 0) flags["stake-minting-period"] = "100000s"
  if (random.below(3) === 0) flags["stake-min-consumption-rate"] = random.pick(["10000", "74999", "75000", "75001", "119999"])
  if (random.below(4) === 0) flags["min-delegation-fee"] = random.pick(["0", "300000"])
  return flags
}

/** IDs, node IDs and addresses of a chain, to replace others. */
export function idsIn({ store, rules }: World): string[] {
  const view = store.latest
  const tablesOfIDs = [tables.subnets, tables.chains, tables.l1Validators] as const
  return [
    ...tablesOfIDs.flatMap((table) => [...view.rows(table as typeof tables.subnets)].map(([id]) => id)),
    ...[...view.rows(tables.txs)].slice(0, 5).map(([id]) => id),
    ...nodes,
    ...people.map(({ address }) => address),
    rules.avaxAssetID,
    COIN,
  ]
}
