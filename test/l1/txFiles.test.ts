import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../terminal.js"
import { startWithCChain } from "./conservation.js"
import { eth } from "./evm.js"
import { needsPlugin } from "./plugins.js"

test("atomic transactions are built without a key, signed and combined in files, and taken by the C-Chain", {
  ...needsPlugin("coreth"),
  timeout: 120_000,
}, async () => {
  await using devnet = await startWithCChain({ accounts: 2 })
  const folder = mkdtempSync(join(tmpdir(), "serac-atomic-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let count = 0
  /** Runs a verb of serac tx, and returns the file to which its output was written. */
  const tx = async (...words: readonly string[]) => {
    const { stdout, stderr, code } = await run(["tx", ...words], { now: () => Date.now() })
    if (code !== 0) throw new Error(stderr)
    const file = join(folder, `${count++}.json`)
    writeFileSync(file, stdout)
    return file
  }
  const node = ["--url", devnet.url]
  const keys = devnet.accounts.map(({ privateKey }, i) => {
    const file = join(folder, `key${i}`)
    writeFileSync(file, privateKey)
    return file
  })
  const signBy = async (file: string, ...signers: readonly number[]) => {
    const signed = await Promise.all(signers.map((i) => tx("sign", file, "--private-key-file", keys[i] as string)))
    return tx("combine", ...signed)
  }
  const send = async (file: string) =>
    JSON.parse((await run(["tx", "send", file, "--json", ...node], { now: () => Date.now() })).stdout)
  const [first, second] = devnet.accounts
  const committed = { txID: expect.any(String), status: "Committed" }
  const onP = async () => (await devnet.rpc("platform.getBalance", { addresses: [first!.address] })).balance
  const onC = async () => BigInt((await eth(devnet.cChain.rpcUrl, "eth_getBalance", [second!.evmAddress, "latest"])) as string)

  // From C to P: the account signs for itself, and the address signs for the import.
  const before = await onP()
  const exported = await tx("build", "export", "P", "7avax", first!.address, "--from", first!.evmAddress, ...node)
  expect(await send(await signBy(exported, 0))).toEqual(committed)
  const imported = await tx("build", "import", "P", "--from", first!.address, ...node)
  expect(await send(await signBy(imported, 0))).toEqual(committed)
  const received = (await onP()) - before
  expect(received).toBeGreaterThan(6_990_000_000n)
  expect(received).toBeLessThan(7_000_000_000n)

  // From P to C: what two owners have is exported to both of them, and both sign for the import.
  await devnet.dev.fund({ addresses: [first!.address, second!.address], threshold: 2, amount: 5_000_000_000n })
  const { txs } = await devnet.rpc("platform.getTxsByAddress", { address: second!.address })
  const { outputs } = await devnet.rpc("platform.getTxInfo", { txID: txs[0]!.txID })
  const utxo = `${txs[0]!.txID}:${outputs.findIndex(({ threshold }) => threshold === 2)}`
  const both = `${first!.address},${second!.address}`
  const out = await tx("build", "export", "C", "4avax", "--from", both, "--utxos", utxo, ...node)
  expect(await send(await signBy(out, 0, 1))).toEqual(committed)
  const wei = await onC()
  const taken = await tx("build", "import", "C", second!.evmAddress, "--from", both, ...node)
  const review = JSON.parse((await run(["tx", "inspect", taken, "--json", ...node])).stdout)
  expect([review.chain, review.kind, review.unknownUtxos]).toEqual(["C", "import", []])
  expect(await send(await signBy(taken, 0, 1))).toEqual({ ...committed, txID: expect.any(String) })
  expect(await onC()).toBe(wei + BigInt(review.outputs[0].amount) * 1_000_000_000n)
  expect(BigInt(review.outputs[0].amount) + BigInt(review.fee)).toBe(4_000_000_000n)
  expect((await run(["tx", "build", "import", "C", second!.evmAddress, "--from", both, ...node])).stderr).toContain(
    "client.nothing_to_import",
  )
})
