import { expect } from "vitest"
import { expectJudged, judgedTest } from "../../../test/judge.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { AVAX } from "../../core/networks/params.js"
import { upTo } from "../../core/networks/upgrades.js"
import { tables } from "../../core/state/tables.js"
import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { Actor } from "../actor.fixture.js"
import { openDevnet } from "../devnet.fixture.js"
import type { Parts } from "../funds/payment.js"

const auth = { kind: "Input" as const, signatureIndices: [0] }

for (const [upgrade, block] of [
  ["granite", "the next one"],
  ["helicon", "the same one"],
] as const)
  judgedTest(
    `since ${upgrade} a validator that a block removes may come back with ${block}, and nothing is lost`,
    async (judge) => {
      const devnet = await openDevnet({ upgrades: upTo(upgrade) })
      const { chain, store } = devnet
      const actor = await Actor.withFunds(devnet, 1, 10n * AVAX)
      const subnetID = await actor.issue(actor.make("CreateSubnetTx", { owner: actor.owner }))
      const { nodeID } = localStakers[0]!
      const end = chain.now() + 86_400n * 3n
      const validator = { nodeID, start: 0n, end, weight: 5n, subnetID }
      await actor.issue(actor.make("AddSubnetValidatorTx", { validator, subnetAuthorization: auth }))
      const purse = actor.purse()
      const [remove, add] = [
        purse.pay(
          {
            amount: 0n,
            make: (parts: Parts) => ({ kind: "RemoveSubnetValidatorTx", ...parts, nodeID, subnetID, subnetAuthorization: auth }),
          },
          1n,
        ),
        purse.pay(
          {
            amount: 0n,
            make: (parts: Parts) => ({ kind: "AddSubnetValidatorTx", ...parts, validator, subnetAuthorization: auth }),
          },
          1n,
        ),
      ]
      const first = await chain.turn((turn) => turn.extend([remove, add]))
      const isTogether = block === "the same one"
      expect([first.packed, first.dropped]).toEqual([isTogether ? [remove, add] : [remove], []])
      if (!isTogether) expect((await chain.turn((turn) => turn.extend([add]))).packed).toEqual([add])
      expect(store.latest.get(tables.currentValidators, { subnetID, nodeID })?.txID).toBe(add.id)
      expect(store.latest.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })).toBeDefined()
      judge(() => expectJudged(store))
    },
  )

judgedTest("transactions with a higher fee go first, and those below the current price wait", async (judge) => {
  const devnet = await openDevnet({ choices: { blockMode: { mode: "manual" } } })
  const { chain, dev, machine } = devnet
  const users = [
    await Actor.withFunds(devnet, 1, AVAX),
    await Actor.withFunds(devnet, 2, AVAX),
    await Actor.withFunds(devnet, 3, AVAX),
  ]
  const txs = users.map((user, i) =>
    user.purse().pay({ amount: 0n, make: (parts) => ({ kind: "BaseTx", ...parts }) }, BigInt(i + 1)),
  )
  for (const tx of txs) await chain.issueTx(tx)
  expect(dev.mempool().map(({ id }) => id)).toEqual(txs.map(({ id }) => id).reverse())
  // Fillers use up gas until its price is 2.
  await dev.setBlockMode({ mode: "manual" })
  let price = chain.treasury.price(chain.now())
  while (price < 2n) {
    const filler = chain.treasury.filler(chain.treasury.purse(chain.options.store.latest, chain.now()), chain.now())
    const { packed } = await chain.turn((turn) => turn.extend([filler]))
    if (packed.length === 0) machine.time += 1000
    price = chain.treasury.price(chain.now())
  }
  const { packed, gasReadyInSeconds } = await chain.turn((turn) => turn.extend(chain.status.pool))
  expect([packed.map(({ id }) => id), gasReadyInSeconds]).toEqual([[txs[2]!.id, txs[1]!.id], 1n])
  expect(chain.txStatus(txs[0]!.id)).toEqual({ status: "Processing" })
  machine.time += 60_000
  expect((await chain.turn((turn) => turn.extend(chain.status.pool))).packed).toEqual([txs[0]])
  judge(() => expectJudged(devnet.store))
})
