import type { AnswerOf, Call } from "../../src/client/client.js"

export const AVAX = 1_000_000_000n
export const DAY = 86_400n
export const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY"

/** A node that does not exist, as `dev.newIdentity` gives it. */
export type Identity = AnswerOf<"dev.newIdentity">

/** IDs of made objects, under the names that the steps give them. */
export class MadeObjects {
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

/** The time of the chain's clock, Unix seconds, which differs from the machine's after time travel. */
export async function clockOf(dev: Call): Promise<bigint> {
  return BigInt(Date.parse((await dev("dev.status")).clock) / 1000)
}

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), "hex")
