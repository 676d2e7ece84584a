import { expect, test } from "vitest"
import type { Address } from "../types/address.js"
import type { GenesisConfig } from "./config.js"
import { checkConfig } from "./config.js"
import { localConfig } from "./local.js"
import { ewoq, vmRQ } from "./testKeys.js"

const context = { networkID: 9999, now: 1_721_016_000n, maxStakeDuration: 31_536_000n }
const config = localConfig(9999)
const [first, second, third] = config.allocations

test("the local configuration under another ID is a valid genesis, from its start time on", () => {
  checkConfig(config, context)
})

test("a genesis without message is valid, and so are several allocations of one address", () => {
  checkConfig({ ...config, message: "", allocations: [...config.allocations, second!] }, context)
})

const refused: readonly [code: string, changes: Partial<GenesisConfig>, reference: string][] = [
  ["genesis.wrong_network", { networkID: 9998 }, "conflicting networkIDs: expected 9999 but config contains 9998"],
  [
    "genesis.supply_overflow",
    { allocations: [first!, { ...second!, initialAmount: 2n ** 64n - 1n }] },
    "unable to calculate initial supply: overflow",
  ],
  ["genesis.no_supply", { allocations: [] }, "initial supply must be > 0"],
  ["genesis.future_start", { startTime: 1_721_016_001n }, "startTime cannot be in the future"],
  ["genesis.no_stake_duration", { initialStakeDuration: 0n }, "initial stake duration must be > 0"],
  [
    "genesis.stake_duration_too_long",
    { initialStakeDuration: 31_536_001n },
    "initial stake duration larger than maximum configured",
  ],
  ["genesis.no_stakers", { initialStakers: [] }, "initial stakers must be > 0"],
  [
    "genesis.stake_duration_too_short",
    { initialStakeDurationOffset: 7_884_001n },
    "initial stake duration is too low must be at least 31536004",
  ],
  // 2^62 times four stakers is 0 where products wrap around.
  [
    "genesis.stake_duration_too_short",
    { initialStakeDurationOffset: 2n ** 62n },
    `initial stake duration is too low must be at least ${2n ** 64n}`,
  ],
  [
    "genesis.no_staked_funds",
    { initialStakedFunds: [] },
    "initial staked funds validation failed: initial staked funds cannot be empty",
  ],
  [
    "genesis.doubled_staked_funds",
    { initialStakedFunds: [vmRQ.address, ewoq.address, vmRQ.address] },
    "initial staked funds validation failed: duplicate initially staked address: X-custom1g65uqn6t77p656w64023nh8nd9updzmxwd59gh",
  ],
  [
    "genesis.nothing_to_stake",
    { initialStakedFunds: [vmRQ.address, "00".repeat(20) as Address] },
    "initial staked funds validation failed: no allocation to stake in address X-custom1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq4mlve4",
  ],
  [
    "genesis.locked_amount_too_low",
    { allocations: [{ ...first!, initialAmount: 22n, unlockSchedule: [{ amount: 4n, locktime: 0n }] }] },
    "total allocations locked amount is too low: 4 locked < 5 stakers",
  ],
  ["genesis.no_c_chain_genesis", { cChainGenesis: "" }, "C-Chain genesis cannot be empty"],
]

test.each(refused)("a genesis is refused: %s %o", (code, changes, reference) => {
  expect(() => checkConfig({ ...config, ...changes }, context)).toThrow(
    expect.objectContaining({ code, avalanchegoMessage: reference }),
  )
})

test("of several faults the first in AvalancheGo's order is reported", () => {
  const faults = Object.assign({}, ...refused.map(([, changes]) => changes)) as Partial<GenesisConfig>
  expect(() => checkConfig({ ...config, ...faults }, context)).toThrow(expect.objectContaining({ code: "genesis.wrong_network" }))
  expect(() => checkConfig({ ...config, startTime: 2n ** 40n, initialStakers: [], cChainGenesis: "" }, context)).toThrow(
    expect.objectContaining({ code: "genesis.future_start" }),
  )
})

test("offsets may use up the whole stake duration", () => {
  checkConfig({ ...config, initialStakeDurationOffset: 7_884_000n }, context)
})

test("an allocation that is staked need not be the only one of the genesis", () => {
  checkConfig({ ...config, allocations: [third!, first!] }, context)
})
