import { compareBytes, isZero } from "../lib/bytes.js"
import { p2pError } from "./errors.js"

/** Endpoint at which a node listens: an address of 4 (IPv4) or 16 bytes (IPv6), and a port. */
export interface IpPort {
  readonly ip: Uint8Array
  readonly port: number
}

const IPV4_IN_IPV6 = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])

/** Checks an address as a peer claims it; an IPv4 address that is written as IPv6 becomes IPv4. Throws `p2p.bad_address`. */
export function claimedIpPort(ip: Uint8Array, port: number): IpPort {
  // AvalancheGo keeps the low 16 bits of the port.
  const low = port & 0xffff
  if ((ip.length !== 4 && ip.length !== 16) || low === 0) throw p2pError("p2p.bad_address", { size: ip.length, port })
  const isMapped = ip.length === 16 && compareBytes(ip.subarray(0, 12), IPV4_IN_IPV6) === 0
  return { ip: ip.slice(isMapped ? 12 : 0), port: low }
}

/** The 16 bytes of an address; IPv4 addresses are mapped into IPv6. */
export function ipv6Bytes({ ip }: IpPort): Uint8Array {
  if (ip.length === 16) return ip
  const out = new Uint8Array(16)
  out.set(IPV4_IN_IPV6)
  out.set(ip, 12)
  return out
}

/** An address as text: `127.0.0.1:9651`, `[::1]:9651`. */
export function ipPortText({ ip, port }: IpPort): string {
  return ip.length === 4 ? `${ipText(ip)}:${port}` : `[${ipText(ip)}]:${port}`
}

/** The address without its port: `127.0.0.1`, `2001:db8::1`. */
export function ipText(ip: Uint8Array): string {
  if (ip.length === 4) return ip.join(".")
  const groups = Array.from({ length: 8 }, (_, i) => ((ip[2 * i] as number) << 8) | (ip[2 * i + 1] as number))
  // The longest run of zero groups is omitted, the first of several (RFC 5952).
  let start = -1
  let length = 1
  for (let i = 0; i < 8; i++) {
    let end = i
    while (end < 8 && groups[end] === 0) end++
    if (end - i > length) [start, length] = [i, end - i]
  }
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(":")
  return start < 0 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

/** Reads `127.0.0.1:9651` or `[::1]:9651`. Throws `p2p.bad_address_text`. */
export function parseIpPort(text: string): IpPort {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  const ip = match?.[1] !== undefined ? parseIpv6(match[1]) : parseIpv4(match?.[2] ?? "")
  if (!ip || !(port <= 0xffff)) throw p2pError("p2p.bad_address_text", { text })
  return { ip, port }
}

/** Reads an address without port; `undefined` if the text is none. */
export function parseIp(text: string): Uint8Array | undefined {
  return parseIpv4(text) ?? parseIpv6(text)
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".")
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined
  return Uint8Array.from(parts, Number)
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[] | undefined]
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<string>(tail === undefined ? 0 : missing).fill("0"), ...(tail ?? [])]
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return Uint8Array.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

/** Returns whether an address is none of a single node in the whole internet, as AvalancheGo sees it; Mainnet and Fuji nodes do not dial these. */
export function isPrivate({ ip }: IpPort): boolean {
  const [a = 0, b = 0] = ip
  const isUnspecified = isZero(ip)
  if (ip.length === 16) {
    const isLoopback = isZero(ip.subarray(0, 15)) && ip[15] === 1
    return isUnspecified || isLoopback || (a & 0xfe) === 0xfc || (a === 0xfe && (b & 0xc0) === 0x80) || a === 0xff
  }
  const isLocal =
    a === 10 || a === 127 || (a === 172 && (b & 0xf0) === 16) || (a === 192 && b === 168) || (a === 169 && b === 254)
  const isMulticast = (a & 0xf0) === 0xe0
  return isUnspecified || isLocal || isMulticast || ip.every((byte) => byte === 0xff)
}
