import { expect, test } from "vitest"
import { judge } from "../../../test/judge.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { AVAX } from "../../core/networks/params.js"
import { upTo } from "../../core/networks/upgrades.js"
import { tables } from "../../core/state/tables.js"
import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { Actor } from "../actor.fixture.js"
import { openDevnet } from "../devnet.fixture.js"
import type { Parts } from "../funds/wallet.js"

const auth = { kind: "Input" as const, signatureIndices: [0] }

test.each([
  ["granite", "the next one"],
  ["helicon", "the same one"],
] as const)("since %s a validator that a block removes may come back with %s, and nothing is lost", async (upgrade, block) => {
  const devnet = await openDevnet({ upgrades: upTo(upgrade) })
  const { producer, store } = devnet
  const actor = await Actor.withFunds(devnet, 1, 10n * AVAX)
  const subnetID = await actor.issue(actor.make("CreateSubnetTx", { owner: actor.owner }))
  const { nodeID } = localStakers[0]!
  const end = producer.now() + 86_400n * 3n
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
      { amount: 0n, make: (parts: Parts) => ({ kind: "AddSubnetValidatorTx", ...parts, validator, subnetAuthorization: auth }) },
      1n,
    ),
  ]
  const first = producer.extend([remove, add], producer.now())
  const isTogether = block === "the same one"
  expect([first.packed, first.dropped]).toEqual([isTogether ? [remove, add] : [remove], []])
  if (!isTogether) expect(producer.extend([add], producer.now()).packed).toEqual([add])
  producer.head.flush()
  expect(store.latest.get(tables.currentValidators, { subnetID, nodeID })?.txID).toBe(add.id)
  expect(store.latest.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })).toBeDefined()
  judge(store)
})

test("who pays more goes first, and who pays too little for now waits", async () => {
  const devnet = await openDevnet({ choices: { blockMode: { mode: "manual" } } })
  const { producer, dev, machine } = devnet
  const users = [
    await Actor.withFunds(devnet, 1, AVAX),
    await Actor.withFunds(devnet, 2, AVAX),
    await Actor.withFunds(devnet, 3, AVAX),
  ]
  const txs = users.map((user, i) =>
    user.purse().pay({ amount: 0n, make: (parts) => ({ kind: "BaseTx", ...parts }) }, BigInt(i + 1)),
  )
  for (const tx of txs) await producer.issueTx(tx)
  expect(dev.mempool().map(({ tx }) => tx.id)).toEqual(txs.map(({ id }) => id).reverse())
  // Fillers use up gas until its price is 2.
  await dev.setBlockMode({ mode: "manual" })
  let price = producer.treasury.price(producer.now())
  while (price < 2n) {
    const filler = producer.treasury.filler(producer.treasury.purse(producer.now()), producer.now())
    const { packed } = producer.extend([filler], producer.now())
    if (packed.length === 0) machine.time += 1000
    price = producer.treasury.price(producer.now())
  }
  const { packed, gasReadyInSeconds } = producer.extend(producer.head.pool, producer.now())
  expect([packed.map(({ id }) => id), gasReadyInSeconds]).toEqual([[txs[2]!.id, txs[1]!.id], 1n])
  expect(producer.txStatus(txs[0]!.id)).toEqual({ status: "Processing" })
  machine.time += 60_000
  expect(producer.extend(producer.head.pool, producer.now()).packed).toEqual([txs[0]])
  producer.head.flush()
  judge(devnet.store)
})
