import { expect } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { DAY } from "./made.js"

/** A private chain, with a client over HTTP. */
export interface ObservedChain {
  readonly devnet: Devnet
  /** The status of a GET. */
  statusOf(path: string): Promise<number>
  /** Issues ten payments on a chain that has gas for two or three, and returns their statuses. */
  payBeyondGas(): Promise<readonly string[]>
}

/** A difference between a private chain and a network. */
export interface Difference {
  readonly what: string
  readonly network: string
  readonly serac: string
  holds(seen: ObservedChain): Promise<void>
}

export const differences: readonly Difference[] = [
  {
    what: "funded accounts on the local network",
    network: "only `ewoq`",
    serac: "ten more, which `ewoq` funds in the first block of a new chain; `--accounts 0` leaves them out",
    async holds() {
      await using net = await startDevnet({ port: false })
      expect(net.keys.slice(2).map(({ balance }) => balance)).toEqual(Array(10).fill(100_000_000_000_000n))
    },
  },
  {
    what: "`--min-stake-duration` below Helicon's minimum of an hour",
    network: "does not apply to validators of the primary network, for which `--helicon-min-stake-duration` is the minimum",
    serac: "also applies to them on a new private chain, unless that flag or a schedule is given",
    async holds() {
      const short = await startDevnet({ port: false, accounts: 0, flags: { "min-stake-duration": "5s" } })
      try {
        expect((await short.dev.addValidators({ count: 1, duration: 60 })).nodeIDs).toHaveLength(1)
      } finally {
        await short.stop()
      }
    },
  },
  {
    what: "blocks",
    network: "every few seconds, by consensus",
    serac: "at once, with the transactions that arrived together; `--block-mode` changes this",
    async holds({ devnet: { dev, keys } }) {
      const { height } = await dev.status()
      const { txID } = await dev.fund({ address: keys[0]!.address, amount: "1" })
      expect([txID === undefined, (await dev.status()).height]).toEqual([false, height + 1n])
    },
  },
  {
    what: "a transaction when no gas is left",
    network: "is refused",
    serac:
      "is accepted: the clock moves to the second in which there is enough gas; while the clock is frozen the transaction is refused, and the error says why",
    async holds({ payBeyondGas }) {
      expect(new Set(await payBeyondGas())).toEqual(new Set(["Committed"]))
    },
  },
  {
    what: "time",
    network: "is the clock of the machine",
    serac: "is a separate clock, which can be moved ([testing.md](testing.md#time))",
    async holds({ devnet }) {
      const before = devnet.now()
      await devnet.dev.advanceTime({ seconds: String(DAY) })
      expect(devnet.now() - before).toBeGreaterThanOrEqual(DAY)
    },
  },
  {
    what: "validators' uptime",
    network: "is measured by each node",
    serac: "is 100 %, unless `dev.setUptime` changes it",
    async holds({ devnet: { dev, rpc } }) {
      const [nodeID] = (await dev.addValidators({ count: 1 })).nodeIDs as [string]
      const uptime = async () => (await rpc("platform.getCurrentValidators", { nodeIDs: [nodeID] })).validators[0]?.uptime
      expect(await uptime()).toBe("100.0000")
      await dev.setUptime({ nodeID, percent: 12.5 })
      expect(await uptime()).toBe("12.5000")
    },
  },
  {
    what: "the five local validators",
    network: "leave after a year",
    serac: "stake again, unless `--no-renew-validators` is given",
    async holds({ devnet: { dev, rpc } }) {
      await dev.advanceTime({ seconds: String(800n * DAY) })
      expect((await rpc("platform.getCurrentValidators")).validators).toHaveLength(5)
    },
  },
  {
    what: "Warp messages",
    network: "are verified with the validators of a delayed height, by epochs",
    serac: "are verified with the validators of the last accepted height; `--warp-lag` delays it",
    async holds({ devnet: { dev, rpc } }) {
      const { height } = await dev.status()
      expect(await rpc("platform.getProposedHeight")).toEqual({ height })
      expect(await rpc("proposervm.getCurrentEpoch")).toMatchObject({ pChainHeight: height })
    },
  },
  {
    what: "X- and C-Chain",
    network: "exist",
    serac:
      "the C-Chain runs if there is a plugin of coreth ([c-chain.md](c-chain.md)). The X-Chain does not exist, and `dev.creditAtomic` creates funds to import. `/ext/bc/X` answers the two calls that wallets need",
    async holds({ devnet: { rpc }, statusOf }) {
      for (const chain of ["X", "C"]) expect(await rpc("info.isBootstrapped", { chain })).toEqual({ isBootstrapped: false })
      expect(await statusOf("/ext/bc/C/rpc")).toBe(404)
      expect(await rpc("avm.getAssetDescription", { assetID: "AVAX" })).toMatchObject({ symbol: "AVAX" })
    },
  },
  {
    what: "`info.peers`",
    network: "lists the other nodes",
    serac: "returns an empty list",
    async holds({ devnet: { rpc } }) {
      expect((await rpc("info.peers")).peers).toEqual([])
    },
  },
  {
    what: "`/ext/admin`, `/ext/index`",
    network: "can be switched on",
    serac:
      "are served: `admin.getChainAliases`, and the blocks of the P-Chain; with `--api-dialect avalanchego` only if they are switched on",
    async holds({ statusOf, devnet: { rpc } }) {
      expect(await rpc("admin.getChainAliases", { chain: "11111111111111111111111111111111LpoYY" })).toMatchObject({
        aliases: expect.arrayContaining(["P"]),
      })
      expect([await statusOf("/ext/admin"), await statusOf("/ext/index/P/block"), await statusOf("/ext/index/X/tx")]).toEqual([
        405, 405, 404,
      ])
    },
  },
  {
    what: "`/ext/keystore`",
    network: "was removed in AvalancheGo 1.12.2",
    serac: "is served",
    async holds({ devnet: { rpc } }) {
      expect(await rpc("keystore.listUsers")).toEqual({ users: [] })
    },
  },
  {
    what: "`/ext/dev`, `/ext/bc/P/events`, `platform.getTxInfo`, `getTxsByAddress`, `getRewardsByAddress`, `getFeeHistory`, `info.getServices`, `rpc.discover`",
    network: "do not exist",
    serac: "exist in both dialects ([the API reference](reference.md#the-api))",
    async holds({ devnet: { dev, rpc, keys } }) {
      const { address } = keys[0]!
      const { txID } = await dev.fund({ address, amount: "1" })
      expect(await rpc("platform.getTxInfo", { txID: txID as string })).toMatchObject({ kind: "BaseTx", status: "Committed" })
      expect((await rpc("platform.getTxsByAddress", { address, limit: 1 })).txs).toMatchObject([{ txID }])
      expect((await rpc("platform.getRewardsByAddress", { address, limit: 1 })).rewards).toHaveLength(1)
      expect((await rpc("platform.getFeeHistory", { limit: 1 })).blocks).toMatchObject([{ gasPrice: 1n, validatorPrice: 1n }])
      expect((await rpc("info.getServices")).services).toContainEqual({ name: "dev", path: "/ext/dev" })
    },
  },
]
