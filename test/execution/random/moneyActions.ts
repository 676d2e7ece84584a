import { type Action, attempt, someone, X_CHAIN } from "./attempt.js"
import { outputTo, type Wish } from "./draft.js"

export const pays: Action = (scene) => {
  if (!scene.model.isDurango) return undefined
  const outputs = [outputTo(someone(scene), BigInt(1 + scene.random.below(1_000_000)))]
  return attempt(
    "pay",
    scene,
    { payer: someone(scene), spends: 0n, outputs, make: (base) => ({ kind: "BaseTx", ...base }) },
    undefined,
  )
}

export const exports: Action = (scene) => {
  const amount = BigInt(1 + scene.random.below(1_000_000))
  const wish: Wish = {
    payer: someone(scene),
    spends: amount,
    make: (base) => ({
      kind: "ExportTx",
      ...base,
      destinationChain: X_CHAIN,
      exportedOutputs: [outputTo(someone(scene), amount)],
    }),
  }
  return attempt("export", scene, wish, undefined)
}

export const imports: Action = (scene) => {
  const { model, random } = scene
  if (model.waiting.size === 0) return undefined
  const coin = random.pick([...model.waiting.values()])
  const isThere = random.below(5) > 0
  const imported = isThere ? coin : { ...coin, outputIndex: coin.outputIndex + 1 }
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    imported: [imported],
    make: (base) => ({
      kind: "ImportTx",
      ...base,
      sourceChain: X_CHAIN,
      importedInputs: [
        {
          txID: imported.txID,
          outputIndex: imported.outputIndex,
          assetID: base.outputs[0]!.assetID,
          input: { kind: "TransferInput", amount: imported.amount, signatureIndices: [0] },
        },
      ],
    }),
  }
  return attempt("import", scene, wish, isThere ? undefined : "rules.not_waiting", () => model.waiting.delete(coin.txID))
}
