import { BlockList, isIP, isIPv6 } from "node:net"
import { refusals } from "../../../core/lib/invalid.js"

/** Errors of the options of the HTTP server. */
export const httpError = refusals({
  "http.bad_proxy": "a trusted proxy is named by an IP address, or by a range such as 10.0.0.0/8",
})

/** The addresses of machines nearby: this one, its containers, its network. A proxy has one of them; strangers on the Internet have not. */
const NEARBY = [
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"],
  ...["::1", "fc00::/7", "fe80::/10"],
]

/** Determines the client of a request from its address and the headers of trusted proxies. */
export class Addresses {
  readonly #trusted: BlockList
  readonly #hasTrusted: boolean
  readonly #nearby = blockList(NEARBY)

  /** `trustedProxies` has the addresses or ranges of proxies whose X-Forwarded-For is believed. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = blockList(trustedProxies)
    this.#hasTrusted = trustedProxies.length > 0
  }

  isTrusted(address: string): boolean {
    return this.#hasTrusted && isIn(this.#trusted, address)
  }

  /** True if the address may be that of a proxy which the options do not name. */
  mayBeProxy(address: string): boolean {
    return !this.isTrusted(address) && isIn(this.#nearby, address)
  }

  /** Returns the socket's address, or behind a trusted proxy the last address that is not a trusted proxy's. */
  clientOf(socketAddress: string, forwardedFor?: string): string {
    const socket = plain(socketAddress)
    if (forwardedFor === undefined || !this.isTrusted(socket)) return grouped(socket)
    const hops = forwardedFor.split(",").map((hop) => plain(hop.trim()))
    const client = hops.reverse().find((hop) => !this.isTrusted(hop))
    return grouped(client !== undefined && isIP(client) ? client : socket)
  }
}

function isIn(list: BlockList, address: string): boolean {
  const known = plain(address)
  return isIP(known) !== 0 && list.check(known, isIPv6(known) ? "ipv6" : "ipv4")
}

/** Throws `http.bad_proxy`, because a mistyped range such as `10.0.0.0/` must not trust every address. */
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

/** Converts an IPv4 address inside IPv6 to its IPv4 form. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address
}

/** Groups IPv6 addresses by /64, because one household has a whole /64. */
function grouped(address: string): string {
  // Node's own check takes some milliseconds at its first call.
  if (!address.includes(":") || !isIPv6(address)) return address
  const [head = "", tail] = address.split("::")
  const front = head === "" ? [] : head.split(":")
  const back = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeroes = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0")
  const groups = [...front, ...zeroes, ...back].slice(0, 4)
  // An address has several spellings: `2001:0DB8::1` is `2001:db8::1`.
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`
}
