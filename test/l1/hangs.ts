import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildSync } from "esbuild"
import { afterAll, onTestFinished, vi } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { privateChainUpgrades } from "../../src/core/networks/upgrades.js"
import type { ID, NodeID } from "../../src/core/types/id.js"
import { databaseInMemory } from "../../src/hosting/hostedDatabase.js"
import { ChainPlugin, type ChainPluginOptions } from "../../src/vmhost/chainPlugin.js"
import type { HostPorts } from "../../src/vmhost/chainRun.js"
import { PluginClock } from "../../src/vmhost/plugin/pluginClock.js"
import { StartTurns } from "../../src/vmhost/startTurns.js"

/** Makes a directory with a plugin in JavaScript, under the name of a VM. */
export function scriptedPlugin(fixture: URL, vm = "xsvm") {
  const dir = mkdtempSync(join(tmpdir(), "serac-plugin-"))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const pluginDir = join(dir, "plugins")
  mkdirSync(pluginDir)
  const bundle = join(dir, "plugin.mjs")
  const entryPoints = [fixture.pathname]
  buildSync({ entryPoints, outfile: bundle, bundle: true, platform: "node", format: "esm", target: "node20" })
  const path = join(pluginDir, vm)
  writeFileSync(path, `#!/bin/sh\nexec ${process.execPath} ${bundle}\n`, { mode: 0o755 })
  return { dir, pluginDir, path }
}

/** Orders to a hanging plugin. */
export class Orders {
  readonly path: string
  /** The genesis that names these orders. */
  readonly genesis: `0x${string}`

  constructor(dir: string, name: string) {
    this.path = join(dir, name)
    this.genesis = `0x${Buffer.from(this.path).toString("hex")}`
  }

  /** Lets the VM hang in a method, such as `buildBlock`, or end at its start: `exit`. */
  write(order: string): void {
    writeFileSync(this.path, order)
  }

  obey(): void {
    rmSync(this.path, { force: true })
  }

  /** Gives the VM something for a block. */
  addTx(): void {
    writeFileSync(`${this.path}.tx`, "")
  }
}

const id = (byte: string) => byte.repeat(32) as ID

/** A chain of a hanging plugin whose timers a test runs. Blocks are made on request. */
export function hangingChain(
  plugin: ReturnType<typeof scriptedPlugin>,
  name: string,
  findPlugin: ChainPluginOptions["plugin"] = () => plugin.path,
) {
  const orders = new Orders(plugin.dir, name)
  const timers: { readonly milliseconds: number; readonly task: () => void }[] = []
  const printed: string[] = []
  const faults: unknown[] = []
  const ports: HostPorts = {
    pChain: { height: () => 5n, minimumHeight: () => 5n } as HostPorts["pChain"],
    aliases: { chainOf: () => undefined, aliasesOf: () => [] },
    hasLag: false,
    sign: () => new Uint8Array(96),
    signerOf: () => undefined,
    blockMode: () => ({ mode: "manual" }),
    now: () => 1_700_000_000_000,
    after(milliseconds, task) {
      const timer = { milliseconds, task }
      timers.push(timer)
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
      }
    },
    onFault: (error) => faults.push(error),
    log: silentLog,
  }
  const chains = { subnetID: id("11"), chainID: id("22"), xChainID: id("aa"), cChainID: id("cc"), avaxAssetID: id("dd") }
  const network = { networkID: 12_345, upgrades: privateChainUpgrades, nodeID: "33".repeat(20) as NodeID }
  const files = { genesis: Buffer.from(orders.path), upgradeBytes: new Uint8Array(0), config: new Uint8Array(0) }
  const chain = new ChainPlugin({
    plugin: findPlugin,
    clock: new PluginClock(),
    starts: new StartTurns(ports.after),
    setup: { ...chains, ...network, ...files, publicKey: new Uint8Array(48), dataDir: plugin.dir },
    database: databaseInMemory(id("22"), 1 << 20),
    ports,
    onLine: (line) => printed.push(line),
  })
  onTestFinished(() => chain.kill("the test is over"))
  return {
    ...{ chain, orders, timers, faults },
    /** Waits until the VM hangs in a method. */
    hangs: (method: string) =>
      vi.waitFor(() => printed.includes(`hangs in ${method}`) || Promise.reject(new Error("it goes on")), 5000),
    /** Ends the wait of the last timer of this length, once there is one. */
    pass: (milliseconds: number) =>
      vi.waitFor(() => {
        const timer = timers.findLast((each) => each.milliseconds === milliseconds)
        if (!timer) throw new Error(`no timer of ${milliseconds} ms waits`)
        timers.splice(timers.indexOf(timer), 1)
        timer.task()
      }),
  }
}
