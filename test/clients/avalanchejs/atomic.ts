import { pvm, type pvmSerial } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX } from "../made.js"
import type { Step } from "./step.js"

/** Exports to other chains, and imports from them. */
export const atomic: readonly Step[] = [
  {
    builder: "newExportTx",
    title: "exports to the X- and the C-Chain",
    async run({ wallet, a, b }) {
      const { xBlockchainID, cBlockchainID } = wallet.context
      for (const destinationChainId of [xBlockchainID, cBlockchainID]) {
        const before = await wallet.balance(a)
        const outputs = [wallet.output(3n * AVAX, [b])]
        const txID = await wallet.issue((common) => pvm.newExportTx({ ...common, destinationChainId, outputs }, wallet.context), {
          from: [a],
        })
        const { unsignedTx } = await wallet.platform.getTx({ txID })
        expect((unsignedTx as pvmSerial.ExportTx).destination.toString()).toBe(destinationChainId)
        expect(before - 3n * AVAX - (await wallet.balance(a))).toBeLessThan(100_000n)
      }
    },
  },
  {
    builder: "newImportTx",
    title: "imports what the X- and the C-Chain have exported",
    async run({ wallet, dev, a, b }) {
      for (const [alias, sourceChainId] of [
        ["X", wallet.context.xBlockchainID],
        ["C", wallet.context.cBlockchainID],
      ] as const) {
        await dev("dev.creditAtomic", { sourceChain: alias, address: b.address, amount: String(11n * AVAX) })
        const waiting = { addresses: [b.address], sourceChain: alias }
        const { utxos } = await wallet.platform.getUTXOs(waiting)
        const before = await wallet.balance(a)
        await wallet.issue(
          ({ feeState }) =>
            pvm.newImportTx(
              { feeState, fromAddressesBytes: [b.bytes], toAddressesBytes: [a.bytes], sourceChainId, utxos },
              wallet.context,
            ),
          { from: [b] },
        )
        expect(before + 11n * AVAX - (await wallet.balance(a))).toBeLessThan(100_000n)
        expect((await wallet.platform.getUTXOs(waiting)).utxos).toEqual([])
      }
    },
  },
]
