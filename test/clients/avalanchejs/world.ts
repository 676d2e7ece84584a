import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Call, httpClient } from "../../../src/client/client.js"
import { type Devnet, startDevnet } from "../../../src/devnet/devnet.js"
import type { Dialect } from "../../../src/jsonrpc/schema/param.js"
import { MadeObjects } from "../made.js"
import { type Key, Wallet } from "./wallet.js"

/** A private chain behind HTTP, a wallet of avalanchejs, and the objects that earlier steps created. */
export interface World {
  readonly dialect: Dialect
  readonly devnet: Devnet
  readonly dataDir: string
  readonly wallet: Wallet
  /** Methods that the library lacks: identities, credits, Warp signatures, time. */
  readonly dev: Call
  /** Three funded keys. The first pays by default. */
  readonly a: Key
  readonly b: Key
  readonly c: Key
  readonly made: MadeObjects
  /** The expected answers of this node, where the dialects differ. */
  either<T>(contract: T, avalanchego: T): T
  stop(): Promise<void>
}

export async function openWorld(dialect: Dialect): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-clients-"))
  const devnet = await startDevnet({ dataDir, accounts: 3, dialect })
  const wallet = await Wallet.open(devnet.url)
  const [a, b, c] = devnet.keys.slice(2).map(({ privateKey }) => wallet.key(privateKey)) as [Key, Key, Key]
  const either = <T>(contract: T, avalanchego: T) => (dialect === "contract" ? contract : avalanchego)
  const stop = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { dialect, devnet, dataDir, wallet, dev: httpClient(devnet.url), a, b, c, made: new MadeObjects(), either, stop }
}
