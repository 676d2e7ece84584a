import { expect, test } from "vitest"
import { peerIdentity, signedIpOf } from "../../../test/fixtures/peerIdentity.js"
import { refusal } from "../../../test/refusal.js"
import { bls } from "../../platform/backends.js"
import { sha256Hex } from "../crypto/hash.js"
import { toHex } from "../lib/bytes.js"
import type { NodeID } from "../types/id.js"
import { gossipID } from "./claim.js"
import { checkRegisteredKey } from "./handshake.js"
import { claimedIpPort, ipPortText, ipText, isPrivate, parseIp, parseIpPort } from "./ipPort.js"
import { ipPreimage, verifyIp } from "./signedIp.js"

test("an address is signed as AvalancheGo signs it", () => {
  const preimage = ipPreimage({ ip: Uint8Array.of(203, 0, 113, 7), port: 9651, timestamp: 1_700_000_000n })
  expect(toHex(preimage)).toBe("00000000000000000000ffffcb00710725b3000000006553f100")
  expect(sha256Hex(preimage)).toBe("af328198dd82d8bb9f80cf616b13965ca98dd8b9353875f718138d41cf0bb49d")
})

test("the key of a claim in a filter is AvalancheGo's", () => {
  const nodeID = "479f66c8be895830547e70b4b298cafd433dba6e" as NodeID
  const expected = "a038e8c4e3fef8a65645eba257d53f4b9727523a9205b00262e7487ad3dbb99a"
  expect(toHex(gossipID({ nodeID, timestamp: 1_700_000_000n }))).toBe(expected)
})

test("an address holds with its keys, until a minute before its time, and with nothing else", () => {
  const one = peerIdentity("one")
  const two = peerIdentity("two")
  const ip = signedIpOf(one, 9651, 1000n)
  verifyIp(ip, one.parsedCertificate, 1000n)
  checkRegisteredKey(ip, one.blsKey, bls())
  expect(refusal(() => verifyIp(ip, one.parsedCertificate, 999n)).code).toBe("p2p.address_from_future")
  expect(refusal(() => verifyIp(ip, two.parsedCertificate, 1000n)).code).toBe("p2p.bad_address_signature")
  expect(refusal(() => verifyIp({ ...ip, port: 9652 }, one.parsedCertificate, 1000n)).code).toBe("p2p.bad_address_signature")
  expect(refusal(() => checkRegisteredKey(ip, two.blsKey, bls())).code).toBe("p2p.bad_bls_signature")
})

test.each(["127.0.0.1:9651", "[::1]:9651", "[2001:db8::7]:1", "[2001:db8:0:1:1:1:1:1]:65535", "[::]:80"])(
  "%s is read and written",
  (text) => {
    expect(ipPortText(parseIpPort(text))).toBe(text)
  },
)

test.each(["", "127.0.0.1", "127.0.0.256:1", "::1:9651", "[::1]", "[:::]:1", "localhost:9651", "1.2.3.4:65536", "[1:2:3]:4"])(
  "%s is no address",
  (text) => {
    expect(refusal(() => parseIpPort(text)).code).toBe("p2p.bad_address_text")
  },
)

test("a claimed address has 4 or 16 bytes and a port whose low 16 bits are not zero", () => {
  const ip = Uint8Array.of(1, 2, 3, 4)
  expect(claimedIpPort(ip, 65537)).toEqual({ ip, port: 1 })
  expect(claimedIpPort(parseIp("::ffff:0102:0304") as Uint8Array, 9651)).toEqual({ ip, port: 9651 })
  expect(refusal(() => claimedIpPort(ip, 65536)).code).toBe("p2p.bad_address")
  expect(refusal(() => claimedIpPort(ip.subarray(1), 1)).code).toBe("p2p.bad_address")
})

test("private addresses are known as such", () => {
  const isPrivateText = (text: string) => isPrivate({ ip: parseIp(text) as Uint8Array, port: 1 })
  for (const text of [
    "10.1.2.3",
    "127.0.0.1",
    "172.16.0.1",
    "172.31.255.1",
    "192.168.1.1",
    "169.254.0.1",
    "::1",
    "fc00::1",
    "fe80::1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "ff02::1",
  ]) {
    expect([text, isPrivateText(text)]).toEqual([text, true])
  }
  for (const text of ["8.8.8.8", "172.32.0.1", "192.169.0.1", "0.1.2.3", "240.0.0.1", "2001:db8::1", "::2"])
    expect([text, isPrivateText(text)]).toEqual([text, false])
  expect(ipText(Uint8Array.of(8, 8, 8, 8))).toBe("8.8.8.8")
})
