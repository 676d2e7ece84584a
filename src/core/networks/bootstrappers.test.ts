import { expect, test } from "vitest"
import { readRecording } from "../../../test/recordings/recordings.js"
import { bootstrappersOf } from "./bootstrappers.js"
import { FUJI_ID, MAINNET_ID } from "./names.js"

interface PublishedBootstrapper {
  readonly id: string
  readonly ip: string
}

/** The addresses that v1.14.2 changed, old and new. */
const moved: Readonly<Record<string, string>> = {
  "15.184.214.136:9651": "18.230.200.134:9651",
  "157.241.59.198:9651": "18.228.229.17:9651",
  "15.184.142.50:9651": "54.20.25.221:9651",
}

test("the bootstrappers are those that AvalancheGo has published", () => {
  const published = readRecording("data/bootstrappers.json") as Readonly<
    Record<"mainnet" | "fuji", readonly PublishedBootstrapper[]>
  >
  const expected = (network: "mainnet" | "fuji") => published[network].map(({ id, ip }) => `${id} ${moved[ip] ?? ip}`)
  expect(bootstrappersOf).toEqual({ [MAINNET_ID]: expected("mainnet"), [FUJI_ID]: expected("fuji") })
})
