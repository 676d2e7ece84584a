import { createHook } from "node:async_hooks"
import { expect, test } from "vitest"
import { objectLikeTick } from "./objectLikeTick.js"

/** Returns the object that Node makes for a tick. */
function tickOfNode(): object {
  let tick: object | undefined
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === "TickObject") tick = resource
    },
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
  return tick as object
}

test("the object has the members with which ticks begin", () => {
  const members = Reflect.ownKeys(objectLikeTick())
  expect(members).toHaveLength(4)
  // A tick has further members from Node 22 on, and where AsyncLocalStorage is used.
  expect(Reflect.ownKeys(tickOfNode()).slice(0, 4)).toEqual(members)
})
