import { execFile } from "node:child_process"
import { expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { seracOfFile } from "../cli/serac.js"
import { startWithCChain } from "./conservation.js"
import { eth } from "./evm.js"
import { needsPlugin } from "./plugins.js"

const built = seracOfFile("transfer")
const AVAX = 10n ** 9n

test("AVAX goes from C to P and back by the library and by serac send, less the fees", {
  ...needsPlugin("coreth"),
  timeout: 120_000,
}, async () => {
  await using devnet = await startWithCChain({ accounts: 2 })
  const [account] = devnet.accounts
  const { privateKey, address, evmAddress } = account!
  const onP = async () => (await devnet.rpc("platform.getBalance", { addresses: [address] })).balance
  const onC = async () => BigInt((await eth(devnet.cChain.rpcUrl, "eth_getBalance", [evmAddress, "latest"])) as string)
  const [p, c] = [await onP(), await onC()]

  const there = await devnet.transfer({ from: "C", to: "P", amount: 50n * AVAX, privateKey })
  expect(await onP()).toBe(p + there.received)
  const exportFee = (c - (await onC())) / AVAX - 50n * AVAX
  expect(exportFee).toBeGreaterThan(0n)
  expect(exportFee).toBeLessThan(AVAX / 1000n)
  expect((await devnet.rpc("platform.getTxInfo", { txID: there.importTxID })).kind).toBe("ImportTx")

  const back = await devnet.transfer({ from: "P", to: "C", amount: 20n * AVAX, privateKey })
  expect(await onC()).toBe(c - (50n * AVAX + exportFee - back.received) * AVAX)
  expect((await devnet.rpc("platform.getTxInfo", { txID: back.exportTxID })).kind).toBe("ExportTx")

  const send = (...words: string[]) =>
    new Promise<string>((resolve) => {
      execFile(process.execPath, [built.bin, "send", ...words, "--url", devnet.url, "--account", "0"], (_, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
  const before = await onP()
  const { received } = JSON.parse(await send("P", "3avax", "--json"))
  expect(await onP()).toBe(before + BigInt(received))
  expect(await send("C", "2avax")).toMatch(
    /^From +P\nTo +C\nExported +2 AVAX\nReceived +1\.99\d+ AVAX\nExport +\w+\nImport +\w+\n$/,
  )

  await expect(devnet.transfer({ from: "C", to: "P", amount: 10n ** 18n, privateKey })).rejects.toMatchObject({
    code: "client.refused_by_c_chain",
  })
  const last = [await onP(), await onC()]
  for (const [from, to] of [
    ["P", "C"],
    ["C", "P"],
  ] as const) {
    const tooLittle = devnet.transfer({ from, to, amount: 1n, privateKey })
    await expect(tooLittle).rejects.toMatchObject({ code: "client.amount_too_small" })
  }
  expect([await onP(), await onC()]).toEqual(last)
})

test("a node without a C-Chain says so", async () => {
  await using devnet = await startDevnet()
  await expect(devnet.transfer({ from: "C", to: "P", amount: AVAX })).rejects.toMatchObject({ code: "client.no_c_chain" })
  await using portless = await startDevnet({ port: false })
  await expect(portless.transfer({ from: "P", to: "C", amount: AVAX })).rejects.toMatchObject({ code: "client.no_c_chain" })
})
