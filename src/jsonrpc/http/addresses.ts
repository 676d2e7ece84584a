import { BlockList, isIP, isIPv6 } from "node:net"
import { httpError } from "./errors.js"

/** Says who sends a request, and whom to believe it. */
export class Addresses {
  readonly #trusted: BlockList
  readonly #hasTrusted: boolean

  /** Addresses or ranges of proxies that tell who is behind them. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = blockList(trustedProxies)
    this.#hasTrusted = trustedProxies.length > 0
  }

  isTrusted(address: string): boolean {
    const known = plain(address)
    return this.#hasTrusted && isIP(known) !== 0 && this.#trusted.check(known, isIPv6(known) ? "ipv6" : "ipv4")
  }

  /** The socket's address, or behind a trusted proxy the last address that no trusted proxy has. */
  clientOf(socketAddress: string, forwardedFor?: string): string {
    const socket = plain(socketAddress)
    if (forwardedFor === undefined || !this.isTrusted(socket)) return grouped(socket)
    const hops = forwardedFor.split(",").map((hop) => plain(hop.trim()))
    const client = hops.reverse().find((hop) => !this.isTrusted(hop))
    return grouped(client !== undefined && isIP(client) ? client : socket)
  }
}

/** Throws `http.bad_proxy`: a slip such as `10.0.0.0/` must not trust everyone. */
function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
    const family = isIPv6(address) ? "ipv6" : "ipv4"
    if (isIP(address) === 0 || Number(bits ?? 0) > (family === "ipv6" ? 128 : 32)) throw httpError("http.bad_proxy", { range })
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An IPv4 address that came in over IPv6 as itself. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address
}

/** A household has a whole /64 of IPv6 addresses: it counts as one. */
function grouped(address: string): string {
  if (!isIPv6(address)) return address
  const [head = "", tail] = address.split("::")
  const front = head === "" ? [] : head.split(":")
  const back = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeroes = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0")
  return `${[...front, ...zeroes, ...back].slice(0, 4).join(":")}::/64`
}
