import { expect, test } from "vitest"
import { hasRoom } from "./byteRoom.js"

const room = { shared: 100, sharedPerPeer: 40, forValidators: 1_000 }
const peer = (bytes: number, stakeShare = 0) => ({ bytes, stakeShare })

/** Returns whether the first of these peers has room. */
const firstHasRoom = (...peers: ReturnType<typeof peer>[]) => hasRoom(room, peers[0] as ReturnType<typeof peer>, peers)

test("a peer without stake has room up to its part of what all share", () => {
  expect([0, 39, 40].map((bytes) => firstHasRoom(peer(bytes)))).toEqual([true, true, false])
})

test("a peer without stake has no room when others have taken all that is shared", () => {
  expect(firstHasRoom(peer(0), peer(39), peer(39), peer(21))).toBe(true)
  expect(firstHasRoom(peer(0), peer(39), peer(39), peer(22))).toBe(false)
})

test("a validator has the room of its stake besides, which others do not take from it", () => {
  const others = [peer(40), peer(40), peer(40)]
  expect([99, 100].map((bytes) => firstHasRoom(peer(bytes, 0.1), ...others))).toEqual([true, false])
  expect([139, 140].map((bytes) => firstHasRoom(peer(bytes, 0.1)))).toEqual([true, false])
  // Bytes within a validator's own room take nothing from the others.
  expect(firstHasRoom(peer(39), peer(100, 0.1), peer(60))).toBe(true)
})
