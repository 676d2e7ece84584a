import { expect, test } from "vitest"
import { Emitter } from "./emitter.js"

test("listeners are called in order, and one that was removed is not called again", () => {
  const emitter = new Emitter<number>()
  const heard: string[] = []
  const remove = emitter.listen((event) => heard.push(`a${event}`))
  emitter.listen((event) => heard.push(`b${event}`))
  emitter.emit(1)
  remove()
  emitter.emit(2)
  expect(heard).toEqual(["a1", "b1", "b2"])
})

test("a listener that another one removes meanwhile is not called", () => {
  const emitter = new Emitter<void>()
  const heard: string[] = []
  emitter.listen(() => {
    heard.push("first")
    removeSecond()
  })
  const removeSecond = emitter.listen(() => heard.push("second"))
  emitter.emit()
  expect(heard).toEqual(["first"])
})
