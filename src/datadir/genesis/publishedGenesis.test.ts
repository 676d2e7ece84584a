import { expect, test } from "vitest"
import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../core/networks/names.js"
import { idText } from "../../core/types/id.js"
import { genesisFor } from "../../platform/genesis.js"
import { loadPublishedGenesis } from "./publishedGenesis.js"

const choice = { now: 1_794_000_000n, maxStakeDuration: 31_536_000n }

test("the package brings the genesis of Mainnet and Fuji along", async () => {
  const ids = []
  for (const networkID of [MAINNET_ID, FUJI_ID]) {
    const genesis = genesisFor({ ...choice, networkID, publishedBytes: await loadPublishedGenesis(networkID) })
    ids.push([idText(genesis.id), genesis.networkID, genesis.body().validators.length])
  }
  expect(ids).toEqual([
    ["UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk", 1, 75],
    ["MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3", 5, 20],
  ])
})

test("the genesis of one network is refused on another", async () => {
  const publishedBytes = await loadPublishedGenesis(FUJI_ID)
  expect(() => genesisFor({ ...choice, networkID: MAINNET_ID, publishedBytes })).toThrow(
    expect.objectContaining({ code: "genesis.not_published" }),
  )
  expect(await loadPublishedGenesis(LOCAL_ID)).toBeUndefined()
})
