import { expect, test } from "vitest"
import { peerIdentity, signedIpOf } from "../../../test/fixtures/peerIdentity.js"
import { seededRandom } from "../../../test/simulator/random.js"
import type { NodeID } from "../types/id.js"
import { AddressBook } from "./addressBook.js"
import { defaultPeerSettings } from "./peerSettings.js"

const [own, one, other, stranger] = ["own", "one", "other", "stranger"].map((name) => peerIdentity(name))
const NOW = 1_750_000_000n

/** A book with the claims of two validators and a stranger. TLS reads the certificates of some nodes only. */
function book(readable: readonly NodeID[]) {
  const nodeIDOf = (certificate: Uint8Array) => [one, other, stranger].find((each) => each!.certificate === certificate)?.nodeID
  const book = new AddressBook(
    {
      nodeID: own!.nodeID,
      bootstrappers: [],
      random: seededRandom(1),
      canConnect: (certificate) => readable.includes(nodeIDOf(certificate) as NodeID),
    },
    defaultPeerSettings,
  )
  const validator = { weight: 1n, publicKey: undefined }
  book.setValidators(new Map([one, other].map((each) => [each!.nodeID, validator])))
  book.take(
    [one, other, stranger].map((each) => ({ ...each!, ...signedIpOf(each!, 9651, NOW) })),
    NOW,
  )
  return book
}

test("the address of a validator whose certificate TLS cannot read is passed on, and not dialed", () => {
  const addresses = book([one!.nodeID, stranger!.nodeID])
  const passedOn = (connected: readonly NodeID[]) =>
    addresses.claimsFor(stranger!.nodeID, undefined, connected).map(({ nodeID }) => nodeID)
  expect(passedOn([])).toEqual([other!.nodeID])
  expect(passedOn([one!.nodeID]).sort()).toEqual([one!.nodeID, other!.nodeID].sort())
  expect([...addresses.dialable()].map(([nodeID]) => nodeID)).toEqual([one!.nodeID])
  addresses.setValidators(new Map())
  expect(passedOn([])).toEqual([])
})
