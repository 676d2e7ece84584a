import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join as joinPath } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { COUNTS_AS_OFFLINE } from "../../src/sources/joined/validation.js"
import { buildSerac } from "../cli/serac.js"
import { run } from "../terminal.js"
import { AvalancheGoNetwork, ask, localFlags, needsAvalancheGo, until, untilBootstrapped } from "./avalanchego.js"
import { type SeracProcess, startSerac } from "./seracProcess.js"

describe("the short stake of a validator of Serac beside five of AvalancheGo", needsAvalancheGo, () => {
  const network = new AvalancheGoNetwork()
  const dir = mkdtempSync(joinPath(tmpdir(), "serac-offline-"))
  let built: ReturnType<typeof buildSerac>
  let own: SeracProcess

  beforeAll(async () => {
    built = buildSerac()
    await network.startValidators()
    own = await join("own", localFlags)
    await untilBootstrapped(own.url)
  }, 300_000)
  /** Starts a node of Serac that joins the five with these flags. */
  const join = (name: string, flags: readonly string[]) =>
    startSerac(built.bin, [
      ...flags,
      `--data-dir=${joinPath(dir, name)}`,
      "--staking-port=0",
      `--bootstrap-ips=${network.nodes.map(({ ip }) => ip).join(",")}`,
      `--bootstrap-ids=${network.nodes.map(({ nodeID }) => nodeID).join(",")}`,
    ])
  afterAll(async () => {
    await own?.end()
    await network.stop()
    built?.remove()
    rmSync(dir, { recursive: true, force: true })
  }, 60_000)

  const stake = (...more: readonly string[]) =>
    run(["stake", "2000avax", "20m", "--url", own.url, "--json", ...more], { now: Date.now })

  test("is refused before it is made, and the validator is told that the others count it as offline", async () => {
    expect((await stake()).stderr).toMatch(/^serac: cli\.unrewarded_validator: .*missing: X, C\)\n$/)
    const { stdout, stderr } = await stake("--force")
    expect(stderr).not.toContain("cli.")
    expect(JSON.parse(stdout)).toMatchObject({ nodeID: own.nodeID, status: "Committed" })
    await until(async () => own.log().includes(COUNTS_AS_OFFLINE), 30_000)
    const uptimeCheck = async () => {
      const { checks } = await ask(own.url, "/ext/health", "health.health")
      return `${(checks as Record<string, { error?: string }>).uptime?.error}`
    }
    // Reports count from a minute after the start, and a node is benched once it has not answered some queries about the other chains.
    await until(async () => (await uptimeCheck()).includes("% of the stake saw this validator online"), 600_000)
    const metrics = await (await fetch(`${own.url}/ext/metrics`)).text()
    const refusing = Number(/^serac_uptime_refusing_stake_ratio (\S+)$/m.exec(metrics)?.[1])
    expect(refusing).toBeGreaterThan(0.2)
    await until(async () => own.log().includes('"check":"uptime"'), 60_000)
  }, 900_000)

  test("is a stake that a node with other rules refuses: that node is not ready, and names the flag and the way out", async () => {
    const strict = await join("strict", ["--network-id=local"])
    const readiness = async () => fetch(`${strict.url}/ext/health/readiness`)
    const problem = async () => {
      const { checks } = (await (await readiness()).json()) as { checks: Record<string, { error?: string }> }
      return `${checks.continues?.error}`
    }
    await until(async () => (await problem()).includes("rules.stake_too_short"), 120_000)
    expect(await problem()).toContain(
      "--min-stake-duration, --helicon-min-stake-duration, start with the same flags and an empty",
    )
    expect((await readiness()).status).toBe(503)
    await strict.end("SIGTERM")
    // A rule cannot be added to a directory, which says so.
    await expect(join("strict", localFlags)).rejects.toThrow(/node\.other_rule.*start with the flag and an empty --data-dir/)
  }, 300_000)
})
