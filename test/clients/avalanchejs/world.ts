import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Devnet, startDevnet } from "../../../src/node/devnet.js"
import { type AnswerOf, type Call, httpClient } from "../../../src/rpc/client.js"
import { type Key, Wallet } from "./wallet.js"

export const AVAX = 1_000_000_000n
export const DAY = 86_400n
export const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY"

/** A node that does not exist, as `dev.newIdentity` gives it. */
export type Identity = AnswerOf<"dev.newIdentity">

/** A private chain behind HTTP, a wallet of avalanchejs, and what earlier steps made on it. */
export interface World {
  readonly devnet: Devnet
  readonly dataDir: string
  readonly wallet: Wallet
  /** What the library has no words for: identities, credits, Warp signatures, time. */
  readonly dev: Call
  /** Three that have funds; the first pays where nothing else is said. */
  readonly a: Key
  readonly b: Key
  readonly c: Key
  readonly made: Made
  stop(): Promise<void>
}

/** IDs of what was made, under the names that the steps give them. */
export class Made {
  readonly #ids = new Map<string, string>()
  readonly #identities = new Map<string, Identity>()

  keep(name: string, id: string): void {
    this.#ids.set(name, id)
  }

  id(name: string): string {
    const found = this.#ids.get(name)
    if (found === undefined) throw new Error(`no step before this one has made the ${name}`)
    return found
  }

  async identity(name: string, dev: Call): Promise<Identity> {
    const found = this.#identities.get(name) ?? (await dev("dev.newIdentity"))
    this.#identities.set(name, found)
    return found
  }
}

export async function openWorld(): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-clients-"))
  const devnet = await startDevnet({ dataDir, accounts: 3 })
  const wallet = await Wallet.open(devnet.url)
  const [a, b, c] = devnet.keys.slice(2).map(({ privateKey }) => wallet.key(privateKey)) as [Key, Key, Key]
  const stop = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { devnet, dataDir, wallet, dev: httpClient(devnet.url), a, b, c, made: new Made(), stop }
}

/** What the chain's clock shows, Unix seconds: after time travel this machine's is another one. */
export async function clockOf({ dev }: World): Promise<bigint> {
  return BigInt((await dev("dev.status")).clock)
}

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), "hex")
