import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { printJson } from "../../src/core/lib/json.js"
import { silentLog } from "../../src/core/lib/log.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { l1WeightOf } from "../../src/core/state/l1Validators.js"
import { tables } from "../../src/core/state/tables.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { type ID, PRIMARY_NETWORK_ID, parseID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { devOf } from "../../src/producer/dev.fixture.js"
import { keyOfTest } from "../../src/producer/keys/key.js"
import type { PrivateChain } from "../../src/producer/privateChain.js"
import { type PrivateNode, startPrivateNode } from "../../src/sources/private/privateNode.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { digestOf } from "../../src/tools/summary.js"
import { goldenSource } from "../fixtures/goldenChain.js"
import { TestWallet } from "../fixtures/testWallet.js"
import { avalancheGoVerdicts } from "../goverify.js"
import { judgedTest } from "../judge.js"
import { readRecording, recordingText } from "../recordings/recordings.js"

const NAME = "history-v1.14.2"

interface Record {
  readonly blocks: readonly string[]
  readonly containers: readonly { readonly bytes: string }[]
  readonly facts: { readonly atomicUTXOs: readonly string[]; readonly subnets: { readonly l1: string } }
}

const fileOf = (name: string) => recordingText(`golden/${NAME}/${name}`)

describe("a fork of the recorded chain through all upgrades", () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-fork-history-"))
  const record = readRecording<Record>(`golden/${NAME}/record.json`)
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  beforeAll(async () => {
    const { networkID, flags: ruleFlags } = goldenSource(NAME)
    const store = openStore(chainDir(dir))
    const chain = await chainToReplay(store, {
      networkID,
      ruleFlags,
      genesisText: fileOf("genesis.json"),
      upgrades: fileOf("upgrades.json"),
      atomicText: record.facts.atomicUTXOs.join("\n"),
      trustSignatures: true,
      now: 2n ** 40n,
    })
    const entries = async function* () {
      for (const [place, { bytes: text }] of record.containers.entries()) yield { text, place }
    }
    await replay(entries(), chain, { now: Date.now })
    await store.close()
  })

  const start = (dataDir?: string) =>
    startPrivateNode({
      fork: { from: dir },
      dataDir,
      choice: { now: 0n },
      dialect: "contract",
      isPublic: false,
      producer: { isFrozen: true },
      log: silentLog,
      wall: () => Date.now(),
    })

  /** The verdict of AvalancheGo's VM on the recorded blocks, followed by those of the fork. */
  function verdictsOn({ privateChain }: PrivateNode) {
    const { latest } = (privateChain as PrivateChain).options.store
    const lines = record.blocks.slice(1)
    for (const [height, id] of latest.rows(tables.blockIDs, { from: 230n })) {
      const bytes = latest.get(tables.blocks, id)
      if (bytes) lines.push(`${toHexText(bytes)} ${height - 1n}`)
    }
    const { networkID, flags } = goldenSource(NAME)
    const files = { genesis: fileOf("genesis.json"), upgrades: fileOf("upgrades.json") }
    return avalancheGoVerdicts(lines, { networkID, flags, ...files, atomic: record.facts.atomicUTXOs })
  }

  judgedTest("a fork ends the stakes of all real validators, and AvalancheGo's VM accepts every block", async (judge) => {
    const node = await start()
    const chain = node.privateChain as PrivateChain
    const { latest } = chain.options.store
    const stakers = () => [...latest.rows(tables.currentStakers)].map(([, staker]) => staker)
    const before = stakers()
    const last = before.reduce((latestEnd, { endTime }) => (endTime > latestEnd ? endTime : latestEnd), 0n)
    const travelled = await devOf(node).setTime({ to: last })
    expect([before.length > 5, stakers()]).toEqual([true, []])
    expect(travelled?.rewarded).toBeGreaterThan(5)
    const wallet = new TestWallet(chain, keyOfTest(ewoq))
    await chain.issueTx(wallet.make("CreateSubnetTx", { owner: wallet.owner }))
    judge(() => {
      const { refusals, digest } = verdictsOn(node)
      expect(refusals.filter((each) => each !== undefined)).toEqual([])
      expect(parseJson(printJson(digestOf(latest)))).toEqual(digest)
    })
    await node.stop()
  })

  judgedTest(
    "a fork registers a validator of a real L1 with replaced keys, and AvalancheGo's VM refuses this block and no other",
    async (judge) => {
      const node = await start()
      const chain = node.privateChain as PrivateChain
      const { latest } = chain.options.store
      const subnetID = parseID(record.facts.subnets.l1)
      const { chainID, address } = latest.get(tables.conversions, subnetID) as { chainID: ID; address: Uint8Array }
      const wallet = new TestWallet(chain, keyOfTest(ewoq))
      await chain.issueTx(wallet.make("CreateSubnetTx", { owner: wallet.owner }))

      const identity = (await devOf(node).newIdentity())!
      const owner = { threshold: 1, addresses: [wallet.key.address] }
      const registration = {
        kind: "RegisterL1Validator" as const,
        subnetID,
        nodeID: hexToBytes(identity.nodeID),
        blsPublicKey: identity.publicKey,
        expiry: chain.now() + 3600n,
        remainingBalanceOwner: owner,
        disableOwner: owner,
        weight: 5n,
      }
      const payload = encodePayload({ kind: "AddressedCall", sourceAddress: address, payload: encodePChainMessage(registration) })
      const unsigned = encode(unsignedMessage, { networkID: 424242, sourceChainID: chainID, payload })
      const sign = () => devOf(node).signWarpMessage({ message: unsigned })
      expect(sign).toThrow(expect.objectContaining({ code: "producer.no_signers" }))
      const taken = await devOf(node).takeValidatorKeys(subnetID, undefined)
      expect(taken.length).toBeGreaterThan(0)
      const weight = l1WeightOf(latest, subnetID)
      const proofOfPossession = identity.proofOfPossession
      await chain.issueTx(wallet.make("RegisterL1ValidatorTx", { balance: 5_000n, proofOfPossession, message: sign() }, 5_000n))
      expect(l1WeightOf(latest, subnetID)).toBe(weight + 5n)
      expect(latest.get(tables.l1Validators, registrationIDOf(registration))).toMatchObject({ subnetID, weight: 5n })
      expect([chain.status.lastAccepted.height, chain.status.overrides.count]).toEqual([231n, taken.length])
      judge(() => {
        const { refusals } = verdictsOn(node)
        expect(refusals.map((each, i) => (each === undefined ? undefined : [i + 1, each])).filter(Boolean)).toEqual([
          [231, expect.stringContaining("signature")],
        ])
      })
      await devOf(node).reset()
      expect([chain.status.lastAccepted.height, chain.status.overrides.count]).toEqual([229n, 0])
      expect(l1WeightOf(latest, subnetID)).toBe(weight)
      await node.stop()
    },
  )

  test("a fork replaces the keys of the primary network's validators from this height on", async () => {
    const node = await start()
    const taken = await devOf(node).takeValidatorKeys(PRIMARY_NETWORK_ID, undefined)
    const keysAt = async (height: number) => {
      const body = Buffer.from(
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getValidatorsAt", params: { height, subnetID: null } }),
      )
      const reply = await node.api.handle("/ext/bc/P", body)
      const { result } = JSON.parse(Buffer.concat(reply!.body).toString()) as {
        result: { publicKeys: { [nodeID: string]: string } }
      }
      return Object.values(result.publicKeys)
    }
    const now = new Set(await keysAt(229))
    expect(taken.length).toBe(now.size)
    expect(taken.every(({ publicKey }) => now.has(`0x${Buffer.from(publicKey).toString("hex")}`))).toBe(true)
    expect((await keysAt(228)).some((key) => now.has(key))).toBe(false)
    await node.stop()
  })
})
