import { decode } from "../../../src/core/codec/decode.js"
import { tables } from "../../../src/core/state/tables.js"
import { P_CHAIN_ID } from "../../../src/core/types/id.js"
import { compareOutputs } from "../../../src/core/types/output.js"
import { topLevelUtxo } from "../../../src/core/types/utxo.js"
import { compose, type Maker } from "./compose.js"
import { outputOf, shuffled, spendable, spendables } from "./spendable.js"
import { COIN } from "./world.js"

export const pays: Maker = (scene) => {
  const { random, now, rules } = scene
  const amount = BigInt(1 + random.below(1_000_000))
  const locked = random.below(4) === 0 ? spendables(scene.state, now, random).find(({ locktime }) => locktime > 0n) : undefined
  const outputs = [outputOf(random, now, rules.avaxAssetID, amount)]
  if (locked) outputs.push({ assetID: locked.input.assetID, output: locked.owner })
  return compose(scene, {
    spends: amount,
    ...(locked ? { takes: [locked] } : {}),
    outputs,
    make: (base) => ({ kind: "BaseTx", ...base }),
  })
}

export const exports: Maker = (scene) => {
  const { random, now, rules, world } = scene
  const amount = BigInt(1 + random.below(1_000_000))
  const ofCoins = random.below(4) === 0
  const assetID = ofCoins ? COIN : rules.avaxAssetID
  const other = [...scene.state.rows(tables.chains)].map(([id]) => id)
  const destinationChain =
    random.below(8) === 0 ? random.pick([...other, P_CHAIN_ID]) : random.pick([world.xChainID, world.cChainID])
  return compose(scene, {
    ...(ofCoins ? { spendsCoins: amount } : { spends: amount }),
    make: (base) => ({
      kind: "ExportTx",
      ...base,
      destinationChain,
      exportedOutputs: [outputOf(random, now, assetID, amount)].sort(compareOutputs),
    }),
  })
}

export const imports: Maker = (scene) => {
  const { random, now, world } = scene
  // Sometimes also UTXOs that an undecided block or this block spends.
  const view = random.below(4) === 0 ? world.store.latest : scene.state
  const waiting = [...view.rows(tables.atomicUtxos)]
    .filter(([{ receiver, sender }]) => receiver === P_CHAIN_ID && sender === world.xChainID)
    .flatMap(([, { value }]) => spendable(decode(topLevelUtxo, value), now, random) ?? [])
  if (waiting.length === 0) return undefined
  const imported = shuffled(waiting, random).slice(0, 1 + random.below(2))
  return compose(scene, {
    imported,
    make: (base, importedInputs) => ({ kind: "ImportTx", ...base, sourceChain: world.xChainID, importedInputs }),
  })
}
