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

/** From Node 22 on, ticks have a further member. */
const hasSameTicks = Number(process.versions.node.split(".")[0]) < 22

test.runIf(hasSameTicks)("the object has the members of a tick of this version of Node", () => {
  expect(Reflect.ownKeys(objectLikeTick())).toEqual(Reflect.ownKeys(tickOfNode()))
})
