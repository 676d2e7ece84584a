import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { toHexText } from "../src/core/types/hexText.js"
import { changeOf, firstUnspent, localNetwork, payment } from "../test/fixtures/longChain.js"
import { AvalancheGoNetwork, ask, avalancheGo, localFlags, untilBootstrapped } from "../test/network/avalanchego.js"
import { startSerac } from "../test/network/seracProcess.js"

const PAYMENTS = 25
const POLL_MS = 5
const P = "/ext/bc/P"

/**
 * Joins five validators of AvalancheGo (`SERAC_AVALANCHEGO`), issues payments one after the other, and prints how much later than the
 * first validator this node showed each block.
 */
export async function reportFollow(print: (line: string) => void): Promise<void> {
  if (!avalancheGo) return print("peers: follow AvalancheGo: skipped, SERAC_AVALANCHEGO names no binary")
  const network = new AvalancheGoNetwork()
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  try {
    await network.startValidators()
    const urls = network.nodes.map(({ url }) => url)
    const serac = await startSerac(resolve("bin/serac"), [
      ...localFlags,
      `--data-dir=${dir}`,
      "--staking-port=0",
      `--bootstrap-ips=${network.nodes.map(({ ip }) => ip).join(",")}`,
      `--bootstrap-ids=${network.nodes.map(({ nodeID }) => nodeID).join(",")}`,
    ])
    try {
      await untilBootstrapped(serac.url)
      const delays = await followDelays(urls, serac.url)
      const [least, median, most] = [0, delays.length >> 1, delays.length - 1].map((i) => delays[i]?.toFixed(0))
      print(
        `peers: ${delays.length} blocks of five AvalancheGo validators, accepted here after the first of them: median ${median} ms (${least} to ${most} ms)`,
      )
    } finally {
      await serac.end()
    }
  } finally {
    await network.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** How many milliseconds later than the first validator a node showed each new height, in ascending order. */
async function followDelays(validators: readonly string[], own: string): Promise<number[]> {
  const { rules } = localNetwork()
  let unspent = firstUnspent
  const delays: number[] = []
  for (let i = 0; i < PAYMENTS; i++) {
    const before = await heightOf(own)
    const tx = payment(unspent, rules)
    unspent = changeOf(tx)
    const seen = [own, ...validators].map((url) => timeAbove(url, before))
    await ask(validators[i % validators.length] as string, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
    const [ours, ...theirs] = (await Promise.all(seen)) as [number, ...number[]]
    delays.push(Math.max(0, ours - Math.min(...theirs)))
  }
  return delays.sort((a, b) => a - b)
}

/** When a node first showed more than a height. */
async function timeAbove(url: string, height: number): Promise<number> {
  while ((await heightOf(url)) <= height) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  return performance.now()
}

const heightOf = async (url: string) => Number((await ask(url, P, "platform.getHeight")).height)
