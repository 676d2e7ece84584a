import { pvm } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX } from "../made.js"
import type { Step } from "./step.js"
import { sortedBytes } from "./wallet.js"

/** Payments to one owner, and to several owners of one output. */
export const payments: readonly Step[] = [
  {
    builder: "newBaseTx",
    title: "pays an address, whose balance grows by the amount",
    async run({ wallet, a, b }) {
      const before = await wallet.balance(b)
      const outputs = [wallet.output(5n * AVAX, [b])]
      await wallet.issue((common) => pvm.newBaseTx({ ...common, outputs }, wallet.context), { from: [a] })
      expect(await wallet.balance(b)).toBe(before + 5n * AVAX)
    },
  },
  {
    builder: "newBaseTx",
    title: "pays to an output that two of three addresses own, which all three see",
    async run({ wallet, made, a, b, c }) {
      const outputs = [wallet.output(7n * AVAX, [a, b, c], 2)]
      const txID = await wallet.issue((common) => pvm.newBaseTx({ ...common, outputs }, wallet.context), { from: [a] })
      for (const { address } of [a, b, c]) {
        const { utxos } = await wallet.platform.getUTXOs({ addresses: [address] })
        const [shared] = utxos.filter(
          (utxo) => utxo.utxoId.txID.toString() === txID && utxo.getOutputOwners().threshold.value() === 2,
        )
        expect(shared?.getOutputOwners().addrs.map((owner) => owner.toBytes())).toEqual(sortedBytes([a, b, c]))
      }
      made.keep("shared output", txID)
    },
  },
  {
    builder: "newBaseTx",
    title: "spends an output that two of three addresses own, signed by two of them",
    async run({ wallet, made, a, b, c }) {
      const before = await wallet.balance(c)
      const outputs = [wallet.output(6n * AVAX, [c])]
      const isShared = (utxo: { utxoId: { txID: unknown }; getOutputOwners(): { threshold: { value(): number } } }) =>
        String(utxo.utxoId.txID) === made.id("shared output") && utxo.getOutputOwners().threshold.value() === 2
      await wallet.issue(
        ({ utxos, ...common }) => pvm.newBaseTx({ ...common, utxos: utxos.filter(isShared), outputs }, wallet.context),
        { from: [a, b] },
      )
      // In balances c also has a share of the UTXOs that they own together.
      expect(await wallet.balance(c)).toBe(before - 7n * AVAX + 6n * AVAX)
    },
  },
]
