import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { needs } from "../../../test/needs.js"
import { temporaryDirectory } from "../store.fixture.js"
import { requireSuitableVolume } from "./volume.js"

const NFS = 0x6969
const CIFS = 0xff53_4d42
const EXT4 = 0xef53
const FUSE = 0x6573_5546

const refusing = (code: string, data: object) => expect.objectContaining({ code, data })

test("a volume that other machines may write to is refused, because no lock excludes them, unless the caller allows it", () => {
  const dir = temporaryDirectory()
  expect(() => requireSuitableVolume(dir, false, NFS)).toThrow(refusing("store.shared_volume", { dir, type: "nfs" }))
  expect(() => requireSuitableVolume(dir, false, CIFS)).toThrow(refusing("store.shared_volume", { dir, type: "cifs" }))
  expect(() => requireSuitableVolume(dir, true, NFS)).not.toThrow()
})

test("on a volume that is neither known as shared nor as local, LMDB is tried, and nothing is left of the attempt", () => {
  const dir = temporaryDirectory()
  requireSuitableVolume(dir, false, FUSE)
  expect(readdirSync(dir)).toEqual([])
})

describe("on Linux", needs(existsSync("/proc/self"), "Linux's /proc"), () => {
  test("a volume on which LMDB does not work is refused", () => {
    const refusal = refusing("store.unsuitable_volume", { dir: "/proc", type: "0x9fa0" })
    expect(() => requireSuitableVolume("/proc", false)).toThrow(refusal)
    expect(() => requireSuitableVolume("/proc", true)).toThrow(refusal)
  })
})

test("a local volume is not tried", () => {
  const missing = join(temporaryDirectory(), "missing")
  expect(() => requireSuitableVolume(missing, false, EXT4)).not.toThrow()
  expect(() => requireSuitableVolume(temporaryDirectory(), false)).not.toThrow()
})
