import { expect, test } from "vitest"
import { Addresses } from "./addresses.js"

const clientOf = (proxies: readonly string[], address: string, hops?: string) => new Addresses(proxies).clientOf(address, hops)

test("a client is its socket; a forwarded address counts only from a trusted proxy", () => {
  expect(clientOf([], "9.9.9.9", "1.2.3.4")).toBe("9.9.9.9")
  const behind = (address: string, hops?: string) => clientOf(["10.0.0.0/8", "::1"], address, hops)
  expect(behind("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2")).toBe("1.2.3.4")
  expect(behind("::ffff:10.0.0.1", "1.2.3.4")).toBe("1.2.3.4")
  expect(behind("::1", "1.2.3.4")).toBe("1.2.3.4")
  expect(behind("9.9.9.9", "1.2.3.4")).toBe("9.9.9.9")
  expect(behind("10.0.0.1", "nonsense")).toBe("10.0.0.1")
  expect(behind("10.0.0.1")).toBe("10.0.0.1")
})

test("a machine nearby may be a proxy that nobody named, a stranger may not", () => {
  const addresses = new Addresses(["10.0.0.0/8"])
  const nearby = ["127.0.0.1", "::1", "::ffff:172.17.0.1", "192.168.1.1", "fd00::1", "10.0.0.1", "9.9.9.9", "2001:db8::1", ""]
  expect(nearby.map((address) => addresses.mayBeProxy(address))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test("addresses of one IPv6 household count as one client", () => {
  const of = (address: string) => clientOf([], address)
  expect(of("2001:db8:1:2:3:4:5:6")).toBe(of("2001:db8:1:2:ffff::1"))
  expect(of("2001:db8:1:2::1")).not.toBe(of("2001:db8:1:3::1"))
  expect(of("2001:0DB8:0001:2::1")).toBe(of("2001:db8:1:2::1"))
})

test.each(["foo", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "/8", "::1/129", "1.2.3.4 ", ""])(
  "%j names no proxy",
  (range) => {
    expect(() => new Addresses([range])).toThrow(expect.objectContaining({ code: "http.bad_proxy", data: { range } }))
  },
)
