import { afterAll, describe, expect, test } from "vitest"
import { toHexText } from "../../src/core/types/hexText.js"
import { EMPTY_ID, idText } from "../../src/core/types/id.js"
import { blsKeyOf } from "../fixtures/keys.js"
import { firstUnspent, localNetwork } from "../fixtures/longChain.js"
import { ewoqOwner, spendUnspent, type Unspent } from "../fixtures/spendUnspent.js"
import { startCopy } from "../sync/followNodes.js"
import { AvalancheGoNetwork, ask, needsAvalancheGo, until } from "./avalanchego.js"

const P = "/ext/bc/P"
const FEE = 10_000_000n

/** Few validators are above the target, and the fee doubles within a minute. */
const feeFlags = {
  "validator-fees-target": 1,
  "validator-fees-min-price": 1_000,
  "validator-fees-excess-conversion-constant": 100,
}

/** The balances end within two minutes. */
const BALANCES = [20_000n, 60_000n, 120_000n, 150_000n]

interface Validator {
  readonly nodeID: string
  readonly weight: string
  readonly balance: string
}

describe("an L1 on a chain of AvalancheGo whose balances run dry", needsAvalancheGo, () => {
  const network = new AvalancheGoNetwork([
    "--network-id=local",
    ...Object.entries(feeFlags).map(([flag, value]) => `--${flag}=${value}`),
  ])
  const { rules } = localNetwork()
  let unspent: Unspent = firstUnspent
  afterAll(() => network.stop())

  test("each balance ends in the second that Serac predicts, and the facts at each height are AvalancheGo's", async () => {
    const node = await network.startAlone()
    const issue = async (kind: "CreateSubnetTx" | "ConvertSubnetToL1Tx", paid: bigint, fields: never) => {
      const left = unspent.amount - paid - FEE
      const tx = spendUnspent(unspent, rules, [left], kind, fields)
      unspent = { txID: tx.id, outputIndex: 0, amount: left }
      await ask(node.url, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
      await until(
        async () => (await ask(node.url, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed",
        60_000,
      )
      return tx.id
    }
    const subnet = await issue("CreateSubnetTx", 0n, { owner: ewoqOwner } as never)
    const balanceOwner = { threshold: 1, addresses: ewoqOwner.addresses }
    const validators = BALANCES.map((balance, i) => ({
      nodeID: new Uint8Array(20).fill(i + 1),
      weight: 10n,
      balance,
      signer: { publicKey: blsKeyOf(i + 1).publicKey, proofOfPossession: blsKeyOf(i + 1).proofOfPossession },
      remainingBalanceOwner: balanceOwner,
      deactivationOwner: balanceOwner,
    }))
    const total = BALANCES.reduce((sum, balance) => sum + balance, 0n)
    const subnetAuthorization = { kind: "Input" as const, signatureIndices: [0] }
    const conversion = { subnetID: subnet, chainID: EMPTY_ID, address: new Uint8Array(20), validators, subnetAuthorization }
    await issue("ConvertSubnetToL1Tx", total, conversion as never)
    const subnetID = idText(subnet)

    const ruleFlags = Object.fromEntries(Object.entries(feeFlags).map(([flag, value]) => [flag, String(value)]))
    await using copy = await startCopy([node.url], undefined, {
      choice: { now: BigInt(Math.floor(Date.now() / 1000)), ruleFlags },
    } as never)
    const health = async () => {
      const body = { jsonrpc: "2.0", id: 1, method: "platform.getL1Health", params: { subnetID } }
      const reply = await copy.api.handle(P, Buffer.from(JSON.stringify(body)))
      return JSON.parse(Buffer.concat(reply?.body ?? []).toString()).result as {
        height: string
        timestamp: string
        price: string
        validators: (Validator & { active: boolean; endsAt: string | null })[]
      }
    }
    for (let left = BALANCES.length; left > 0; left--) {
      const height = BigInt((await ask(node.url, P, "platform.getHeight")).height as string)
      await copy.reaches(height)
      const { validators: told, timestamp, price } = await health()
      // The facts of the P-Chain at this height.
      const theirs = (await ask(node.url, P, "platform.getCurrentValidators", { subnetID })).validators as Validator[]
      const facts = ({ nodeID, weight, balance }: Validator) => `${nodeID} ${weight} ${balance}`
      expect(told.map(facts).sort()).toEqual(theirs.map(facts).sort())
      const fee = await ask(node.url, P, "platform.getValidatorFeeState")
      expect({ timestamp, price }).toEqual({ timestamp: fee.timestamp, price: String(fee.price) })
      const active = told.filter((each) => each.active)
      expect(active.length).toBe(left)
      const predicted = active[0]?.endsAt as string
      await until(async () => BigInt((await ask(node.url, P, "platform.getHeight")).height as string) > height, 180_000)
      const { timestamp: observed } = await ask(node.url, P, "platform.getTimestamp")
      expect(observed).toBe(predicted)
    }
  }, 400_000)
})
