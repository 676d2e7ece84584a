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

test("an error of a listener is reported and the next one is called, or it is thrown", () => {
  const fault = new TypeError("a fault")
  const [faults, heard] = [[] as unknown[], [] as number[]]
  const fail = () => {
    throw fault
  }
  const emitter = new Emitter<number>((error) => void faults.push(error))
  emitter.listen(fail)
  emitter.listen((event) => void heard.push(event))
  emitter.emit(1)
  expect([faults, heard]).toEqual([[fault], [1]])
  const throwing = new Emitter<number>()
  throwing.listen(fail)
  expect(() => throwing.emit(1)).toThrow(fault)
})
