import { expect, onTestFinished, test, vi } from "vitest"
import { expectJudged, judgedTest } from "../../../test/judge.js"
import { AVAX } from "../../core/networks/params.js"
import { upTo } from "../../core/networks/upgrades.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { blocksOf, openDevnet, TEST_START } from "../devnet.fixture.js"
import { devTables } from "../tables.js"

const DAY = 86_400n

const identitiesIn = ({ latest }: { readonly latest: View }) => [...latest.rows(devTables.identities)].length

judgedTest(
  "many validators with delegators come by real transactions, and the clock moves no further than gas needs",
  async (judge) => {
    const devnet = await openDevnet({ choices: { isFrozen: true, startTime: TEST_START } })
    const { dev, store, chain } = devnet
    const { identities, txIDs, seconds } = await dev.addValidators({ count: 8, delegators: 20, duration: 30n * DAY })
    expect([identities.length, txIDs.length]).toEqual([8, 168])
    expect(txIDs.every((txID) => store.latest.get(tables.txs, txID) !== undefined)).toBe(true)
    expect(chain.now() - TEST_START).toBe(seconds)
    expect([...store.latest.rows(tables.currentStakers)].length).toBe(5 + 168)
    // They take some 1.5 million gas: what there is, and as many seconds of the target as it took. A block has sixteen of them at most.
    expect([seconds, blocksOf(devnet).length]).toEqual([18n, 11])
    judge(() => expectJudged(store))
  },
)

test("other work runs between any two validators, however fast the machine is", async () => {
  const { dev, machine } = await openDevnet()
  // A clock by which every step takes long.
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 20
    return now
  })
  const pauses = vi.spyOn(machine.timers, "soon")
  onTestFinished(() => void vi.restoreAllMocks())
  await dev.addValidators({ count: 20, delegators: 0, duration: 30n * DAY })
  // One for the keys of each, one for its transaction, one before it is executed.
  expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(60)
})

test("a running clock is moved by the reported seconds, and the machine's own seconds come on top", async () => {
  const { dev, machine, chain } = await openDevnet()
  const adding = dev.addValidators({ count: 3, delegators: 60, duration: 30n * DAY })
  machine.time += 2_000
  const { seconds } = await adding
  expect(seconds).toBeGreaterThan(0n)
  expect([chain.now(), chain.clock.isFrozen]).toEqual([TEST_START + seconds + 2n, false])
})

test.each([
  ["more delegators than a validator may carry", { count: 3, delegators: 321 }, {}, "rules.over_delegated"],
  ["too little weight", { count: 3, delegators: 0, weight: AVAX }, {}, "rules.weight_too_small"],
  ["too much weight", { count: 1, delegators: 0, weight: 3_000_001n * AVAX }, {}, "rules.weight_too_large"],
  ["too short a time", { count: 3, delegators: 1, duration: 60n }, {}, "rules.stake_too_short"],
  ["too long a time", { count: 3, delegators: 1, duration: 366n * DAY }, {}, "rules.stake_too_long"],
  ["the longest time of 64 bits", { count: 1, delegators: 0, duration: 2n ** 64n - 1n }, {}, "rules.stake_too_long"],
  ["half of that", { count: 1, delegators: 0, duration: 2n ** 63n }, {}, "rules.stake_too_long"],
  [
    "the longest cycle of 64 bits",
    { count: 1, delegators: 0, autoRenew: { period: 2n ** 64n - 1n, compoundShares: 0 } },
    {},
    "rules.stake_too_long",
  ],
  ["more than there is", { count: 19_000, delegators: 100 }, {}, "producer.insufficient_funds"],
  ["no gas ever", { count: 1, delegators: 0 }, { "dynamic-fees-max-gas-capacity": "5000" }, "producer.too_little_gas"],
] as const)("%s is refused, and nothing is left of it", async (_, wanted, flags, code) => {
  const { dev, store, chain } = await openDevnet({
    flags,
    upgrades: upTo("helicon"),
    choices: { isFrozen: true, startTime: TEST_START },
  })
  await expect(dev.addValidators(wanted)).rejects.toMatchObject({ code })
  expect([dev.status().height, chain.now(), identitiesIn(store)]).toEqual([0n, TEST_START, 0])
})

test("where one is refused on the way, the keys of those that were accepted are held", async () => {
  // Delegators who come in a second round find too short a time left.
  const flags = { "min-stake-duration": "24h", "dynamic-fees-max-gas-capacity": "100000" }
  const { dev, store } = await openDevnet({ flags })
  await expect(dev.addValidators({ count: 2, delegators: 30, duration: DAY })).rejects.toMatchObject({
    code: "rules.stake_too_short",
  })
  const validators = [...store.latest.rows(tables.currentValidators)].length - 5
  expect([validators, identitiesIn(store)]).toEqual([1, 1])
})
