import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { httpClient } from "../src/client/client.js"
import { AtomicWallet } from "../test/l1/cChain.js"
import { eth } from "../test/l1/evm.js"
import type { Report } from "./harness.js"

const STARTS = 5
const TRANSFERS = 41
const STORIES = 3
const EXPORTS = 10
const AVAX = 10n ** 9n
const TWO_WEEKS = 1_209_600n

// Bundled into dist/dev/, two folders below the project.
const bin = join(dirname(fileURLToPath(import.meta.url)), "../../bin/serac")

/** Measures a C-Chain beside the P-Chain of a process, with the plugin of coreth in the directory SERAC_PLUGINS. */
export const cChainReports: readonly Report[] = [
  {
    name: "C-Chain",
    async run(print) {
      const pluginDir = process.env.SERAC_PLUGINS
      if (pluginDir === undefined) return print("C-Chain: SERAC_PLUGINS names no directory with a plugin of coreth")
      const starts = []
      for (let i = 0; i < STARTS; i++) starts.push(await withNode(pluginDir, async ({ total, ours }) => ({ total, ours })))
      print(`C-Chain, start to eth_chainId: ${median(starts.map(({ total }) => total))} ms (aim 2,000)`)
      print(`C-Chain, of which before its plugin starts: ${median(starts.map(({ ours }) => ours))} ms (aim 500)`)
      await withNode(pluginDir, async ({ user }) => {
        const transfers = await times(TRANSFERS, () => user.pay("0x00000000000000000000000000000000000000Ab", 5n))
        print(`C-Chain, transfer with a tip to its receipt: ${median(transfers)} ms (aim 80)`)
        const delays = []
        for (let i = 0; i < EXPORTS; i++) delays.push(await delayOnP(user))
        print(`C-Chain, export on P after its block on C: ${median(delays)} ms, at most ${Math.max(...delays)} ms (aim 20)`)
      })
      const stories = []
      for (let i = 0; i < STORIES; i++) stories.push(await withNode(pluginDir, story))
      print(`C-Chain, C → P, two weeks of delegation, reward, P → C: ${median(stories)} ms (aim 5,000)`)
    },
  },
]

interface Started {
  readonly call: ReturnType<typeof httpClient>
  readonly user: AtomicWallet
  /** The time from the command to the first answer of the C-Chain, and to the start of its plugin, milliseconds. */
  readonly total: number
  readonly ours: number
}

/** Starts a node with a C-Chain, does a task, and stops the node. */
async function withNode<T>(pluginDir: string, task: (node: Started) => Promise<T>): Promise<T> {
  const [began, beganUp] = [performance.now(), uptime()]
  // The payments of accounts come from the key with which is measured.
  const cChainFlags = ["--plugin-dir", pluginDir, "--c-chain-accounts=false"]
  const flags = ["--ephemeral", "--http-port", "0", "--json", "--log-level", "off", ...cChainFlags]
  const child = spawn(process.execPath, [bin, ...flags], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
    const { url, keys } = JSON.parse(String(line)) as { url: string; keys: readonly { privateKey: string }[] }
    const rpcUrl = `${url}/ext/bc/C/rpc`
    while ((await eth(rpcUrl, "eth_chainId").catch(() => undefined)) === undefined) await pause(2)
    const total = performance.now() - began
    const call = httpClient(url)
    const { cChain } = await call("dev.status")
    const evm = cChain?.keys[0] as AtomicWallet["evm"]
    const chain = {
      blockchainID: "",
      chainID: 43_112,
      wsUrl: "",
      tip: AVAX,
      keys: [evm],
      rpcUrl,
      avaxUrl: `${url}/ext/bc/C/avax`,
    }
    const user = await AtomicWallet.open(url, { privateKey: keys[0]?.privateKey as string, evm }, chain)
    return await task({ call, user, total, ours: startOf(cChain?.pid as number) - beganUp })
  } finally {
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
}

/** The time since the machine has started, milliseconds. */
const uptime = (): number => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000

/** The time from the start of the machine to that of a process, milliseconds, in steps of ten. */
const startOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19]) * 10

/** The time by which the P-Chain shows an export later than the C-Chain shows its block, milliseconds; negative if earlier. */
async function delayOnP(user: AtomicWallet): Promise<number> {
  const [before, height] = [(await user.amountsForP()).length, await eth(user.cChain.rpcUrl, "eth_blockNumber")]
  const since = async (isThere: () => Promise<boolean>) => {
    while (!(await isThere())) {}
    return performance.now()
  }
  const onP = since(async () => (await user.amountsForP()).length > before)
  const onC = since(async () => (await eth(user.cChain.rpcUrl, "eth_blockNumber")) !== height)
  await user.exportFromC(AVAX)
  return Math.round((await onP) - (await onC))
}

/** The whole way of AVAX: to the P-Chain, two weeks of delegation, and back with the reward. */
async function story({ call, user }: Started): Promise<number> {
  const { nodeIDs } = await call("dev.addValidators", { count: 1, duration: 3n * TWO_WEEKS })
  const [time] = await times(1, async () => {
    await user.exportFromC(50n * AVAX)
    await user.importToP()
    await user.delegate(nodeIDs[0] as string, 25n * AVAX, BigInt(Math.floor(Date.now() / 1000)) + TWO_WEEKS)
    const staked = await user.wallet.balance(user.key)
    await call("dev.advanceTime", { seconds: TWO_WEEKS + 60n })
    await user.exportFromP((await user.wallet.balance(user.key)) - staked)
    await user.importToC()
  })
  return time as number
}

async function times(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await work()
    all.push(performance.now() - began)
  }
  return all
}

const median = (all: readonly number[]): number => Math.round([...all].sort((a, b) => a - b)[all.length >> 1] as number)
