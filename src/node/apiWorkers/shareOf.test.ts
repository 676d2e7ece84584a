import { expect, test } from "vitest"
import { defaultClientLimits, defaultHttpOptions } from "../../jsonrpc/http/options.js"
import { shareOf } from "./shareOf.js"

const MiB = 1 << 20
const options = { ...defaultHttpOptions, limits: defaultClientLimits }

test("processes divide the limits of a node and of each client, but not the rate", () => {
  const { maxBuffered, maxUnread, maxConnections, maxPending, maxStreams, limits } = shareOf(options, 4)
  expect([maxBuffered, maxUnread, maxConnections, maxPending, maxStreams]).toEqual([64 * MiB, 128 * MiB, 1024, 1024, 256])
  expect(limits).toEqual({
    ...defaultClientLimits,
    connections: 16,
    connectionMilliseconds: 1,
    streams: 4,
    pending: 16,
    maxBuffered: 4.5 * MiB,
    maxUnread: 16 * MiB,
  })
})

test("on a machine with many cores a client may still have several connections in each process, and large answers", () => {
  const { maxUnread, limits } = shareOf(options, 64)
  expect([maxUnread, limits?.maxUnread]).toEqual([16 * MiB, 16 * MiB])
  expect([limits?.connections, limits?.streams, limits?.pending]).toEqual([8, 4, 16])
  // An operator may allow less than these least shares.
  expect(shareOf({ ...options, limits: { ...defaultClientLimits, connections: 2 } }, 64).limits?.connections).toBe(2)
})
