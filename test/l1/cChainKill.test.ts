import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { httpClient } from "../../src/client/client.js"
import { decodeBlock } from "../../src/core/blocks/block.js"
import { feePaid } from "../../src/core/txs/amounts.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import type { ID } from "../../src/core/types/id.js"
import { parseID } from "../../src/core/types/id.js"
import { atomicTxsOf } from "../../src/evm/atomicTx.js"
import { seracOfFile } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { AtomicWallet } from "./cChain.js"
import { expectConserved } from "./conservation.js"
import { eth } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("c-chain-kill")
const kills = attempts(50)
const AVAX = 10n ** 9n
const WEI = 10n ** 9n
const flags = ["--c-chain", "required", "--c-chain-accounts=false", "--accounts", "0", "--log-level", "error"]

/** Starts a node with a C-Chain, and waits until the C-Chain runs. */
async function start(dir: string) {
  const args = ["--data-dir", dir, "--http-port", "0", "--json", "--plugin-dir", pluginDir, ...flags]
  const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const { url, keys } = JSON.parse(String(line)) as { url: string; keys: readonly { privateKey: string }[] }
  const call = httpClient(url)
  const running = await vi.waitUntil(
    async () => {
      const { cChain } = await call("dev.status")
      return cChain?.state === "running" && cChain
    },
    { timeout: 60_000 },
  )
  const chain = {
    ...{ blockchainID: "", chainID: 43_112, wsUrl: "", tip: WEI, keys: running.keys },
    ...{ rpcUrl: `${url}/ext/bc/C/rpc`, avaxUrl: `${url}/ext/bc/C/avax` },
  }
  const user = await AtomicWallet.open(url, { privateKey: keys[0]!.privateKey, evm: running.keys[0]! }, chain)
  return { child, ended: once(child, "exit"), call, url, user, pid: running.pid as number }
}

type Started = Awaited<ReturnType<typeof start>>

/** The AVAX in wei that atomic transactions of the C-Chain have burned. */
async function burnedOnC({ user: { cChain } }: Started): Promise<bigint> {
  const last = Number(await eth(cChain.rpcUrl, "eth_blockNumber"))
  let burned = 0n
  for (let height = 1; height <= last; height++) {
    const block = (await eth(cChain.rpcUrl, "eth_getBlockByNumber", [`0x${height.toString(16)}`, false])) as {
      blockExtraData: string
    }
    for (const { unsignedTx } of atomicTxsOf(Buffer.from(block.blockExtraData.slice(2), "hex"))) {
      if (unsignedTx.kind === "import") {
        for (const { input } of unsignedTx.inputs) if (input.kind === "TransferInput") burned += input.amount
        for (const { amount } of unsignedTx.outputs) burned -= amount
      } else {
        for (const { amount } of unsignedTx.inputs) burned += amount
        for (const { output } of unsignedTx.outputs) if (output.kind === "TransferOutput") burned -= output.amount
      }
    }
  }
  return burned
}

/** The AVAX that transactions of the P-Chain have burned. */
async function burnedOnP({ call }: Started, avax: ID): Promise<bigint> {
  const { height } = await call("platform.getHeight")
  let burned = 0n
  for (let at = 1n; at <= height; at++) {
    const { block } = await call("platform.getBlockByHeight", { height: at, encoding: "hex" })
    const { txs = [] } = decodeBlock(fromHexText(block as string)) as {
      txs?: readonly { unsignedTx: Parameters<typeof feePaid>[0] }[]
    }
    for (const { unsignedTx } of txs) burned += feePaid(unsignedTx, avax)
  }
  return burned
}

/** The AVAX of the user on both chains and between them, with what was burned. No transaction changes it. */
async function sumOf(node: Started): Promise<bigint> {
  const { user } = node
  const avax = parseID(user.context.avaxAssetID)
  const onC = await user.weiBalance()
  expect(onC % WEI).toBe(0n)
  const between = (await user.waitingForP()) + (await user.waitingForC())
  return (await user.wallet.balance(user.key)) + onC / WEI + between + (await burnedOnC(node)) + (await burnedOnP(node, avax))
}

/** Moves AVAX between the chains at random until something fails. `begun` is called after the first transaction. */
async function moveUntilFailure({ user }: Started, random: Random, begun: () => void): Promise<void> {
  try {
    for (let count = 0; ; count++) {
      const amount = BigInt(1 + random.below(5)) * AVAX
      const wait = await (random.below(2) === 0 ? user.waitingForP() : user.waitingForC())
      if (wait === 0n) await (random.below(2) === 0 ? user.exportFromC(amount) : user.exportFromP(amount))
      if ((await user.waitingForP()) > 0n && random.below(2) === 0) await user.importToP()
      if ((await user.waitingForC()) > 0n && random.below(2) === 0) await user.importToC()
      if (count === 0) begun()
    }
  } catch {}
}

test(`${kills} kills of node and plugin while AVAX goes between the chains double nothing and lose nothing`, {
  ...needsPlugin("coreth"),
  timeout: 120_000 + kills * 20_000,
}, async () => {
  const random = new Random(seed("moments of killing a node with a C-Chain"))
  const dir = join(built.folder, "node")
  mkdirSync(built.folder, { recursive: true })
  let sum: bigint | undefined
  for (let round = 0; round < kills; round++) {
    const node = await start(dir)
    sum ??= await sumOf(node)
    expect(await sumOf(node), `round ${round}`).toBe(sum)
    const killsNode = random.below(2) === 0
    const moment = random.below(300)
    const kill = () => setTimeout(() => (killsNode ? node.child.kill("SIGKILL") : process.kill(node.pid, "SIGKILL")), moment)
    await moveUntilFailure(node, random, kill)
    node.child.kill("SIGKILL")
    await node.ended
  }
  const last = await start(dir)
  if ((await last.user.waitingForP()) > 0n) await last.user.importToP()
  if ((await last.user.waitingForC()) > 0n) await last.user.importToC()
  expect([await last.user.waitingForP(), await last.user.waitingForC()]).toEqual([0n, 0n])
  expect(await sumOf(last)).toBe(sum)
  await expectConserved(dir, last.user.cChain.rpcUrl)
  last.child.kill("SIGTERM")
  await last.ended
})
