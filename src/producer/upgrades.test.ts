import { expect } from "vitest"
import { expectJudged, judgedTest } from "../../test/judge.js"
import { upTo } from "../core/networks/upgrades.js"
import { tables } from "../core/state/tables.js"
import type { Address } from "../core/types/address.js"
import { openDevnet } from "./devnet.fixture.js"
import { grantTo } from "./funds/treasury.js"

const DAY = 86_400n

for (const name of ["banff", "cortina", "durango", "etna", "fortuna", "granite", "helicon"] as const) {
  judgedTest(`under the rules of ${name} validators come, are paid and renewed`, async (judge) => {
    const upgrades = upTo(name)
    // A network of its own: AvalancheGo takes no other schedule for the local one.
    const networkID = 424_242
    const { dev, store } = await openDevnet({ upgrades, networkID })
    const isPaid = !["banff", "cortina"].includes(name)
    const { txID } = await dev.fund(grantTo("ab".repeat(20) as Address))
    expect(txID !== undefined).toBe(isPaid)
    await dev.addValidators({ count: 2, delegators: 2, duration: 20n * DAY })
    await dev.mine({ blocks: 2, filler: true })
    const { rewarded, aborted } = await dev.setTime({ to: dev.now() + 400n * DAY, settle: true })
    expect([rewarded, aborted]).toEqual([11, 0])
    expect([...store.latest.rows(tables.currentValidators)].length).toBe(5)
    // AvalancheGo does not know the minted funds, but no block spends them.
    judge(() => expectJudged(store, { networkID }))
  })
}
