import { expect, test } from "vitest"
import { seededRandom } from "../../../../test/simulator/random.js"
import type { NodeID } from "../../types/id.js"
import { PeerChoice } from "./peerChoice.js"

const nodeID = (number: number): NodeID => number.toString(16).padStart(40, "0") as NodeID

test("new nodes are asked first until one has answered; then an endless row of them gets one request of ten", () => {
  const choice = new PeerChoice(seededRandom(1))
  const honest = nodeID(0)
  choice.add(honest)
  let next = 1
  /** Asks a node. A stranger connects before each request, and ends its connection when it is asked. */
  const ask = () => {
    choice.add(nodeID(next++))
    const chosen = choice.take() as NodeID
    choice.failed(chosen)
    if (chosen === honest) choice.answered(honest, 1_000_000, 100)
    else choice.remove(chosen)
    return chosen
  }
  while (ask() !== honest) expect(next).toBeLessThan(100)
  const strangers = Array.from({ length: 1_000 }, ask).filter((each) => each !== honest)
  expect(strangers.length).toBe(102)
})

test("a new node is asked while all that have answered are busy", () => {
  const choice = new PeerChoice(seededRandom(1))
  choice.add(nodeID(1))
  expect(choice.take()).toBe(nodeID(1))
  choice.answered(nodeID(1), 1_000, 1)
  choice.take()
  choice.add(nodeID(2))
  expect([choice.take(), choice.take()]).toEqual([nodeID(2), undefined])
})
